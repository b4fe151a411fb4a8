"""Where a file lies, by the mount table of the system."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.adapters.mounts import network_type, parse_mountinfo, type_at

TABLE = r"""22 28 0:20 / /sys rw,nosuid shared:7 - sysfs sysfs rw
28 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw
40 28 0:36 / /home/ann/team rw,relatime shared:20 - nfs4 server:/team rw,vers=4.2
41 40 0:37 / /home/ann/team/local rw,relatime - tmpfs tmpfs rw
42 28 0:38 / /mnt/two\040words rw - cifs //server/share rw
43 28 0:39 / /mnt/remote rw - fuse.sshfs ann@server: rw
44 28 0:40 / /mnt/vm rw master:3 propagate_from:2 - 9p share rw
45 28 0:41 / /mnt/over rw - nfs server:/a rw
46 28 0:42 / /mnt/over rw - ext4 /dev/sdb1 rw
nonsense
47 28 0:43 / /mnt/broken rw -
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/ann/store.db", "ext4"),
        ("/home/ann/team", "nfs4"),
        ("/home/ann/team/codes.db", "nfs4"),
        ("/home/ann/teams/codes.db", "ext4"),
        ("/home/ann/team/local/codes.db", "tmpfs"),
        ("/mnt/two words/codes.db", "cifs"),
        ("/mnt/remote/a/b.db", "fuse.sshfs"),
        ("/mnt/vm/b.db", "9p"),
        ("/mnt/over/b.db", "ext4"),
    ],
)
def test_the_nearest_mount_counts(path: str, kind: str) -> None:
    assert type_at(path, parse_mountinfo(TABLE)) == kind


def test_lines_that_are_not_understood_are_passed_over() -> None:
    assert len(parse_mountinfo(TABLE)) == 9
    assert type_at("/a", []) == ""


def test_only_network_file_systems_are_named(tmp_path: Path) -> None:
    table = tmp_path / "mountinfo"
    table.write_text(f"1 0 0:1 / / rw - ext4 /dev/a rw\n2 1 0:2 / {tmp_path}/net rw - nfs4 server:/ rw\n", "utf-8")
    assert network_type(tmp_path / "net" / "not" / "yet.db", table) == "nfs4"
    assert network_type(tmp_path / "s.db", table) == ""
    assert network_type(tmp_path / "net" / "s.db", tmp_path / "no table") == ""
