"""On which kind of file system a file lies. SQLite's write-ahead log needs memory that processes share, which a
network file system does not give: a store there can be damaged by two machines that write."""

from __future__ import annotations

import re
from pathlib import Path

NETWORK = frozenset(
    {
        "9p",
        "afpfs",
        "afs",
        "beegfs",
        "ceph",
        "cifs",
        "coda",
        "davfs",
        "davfs2",
        "gfs",
        "gfs2",
        "glusterfs",
        "lustre",
        "ncpfs",
        "nfs",
        "nfs4",
        "ocfs2",
        "prl_fs",
        "smb2",
        "smb3",
        "smbfs",
        "vboxsf",
        "webdav",
        "fuse.davfs2",
        "fuse.goofys",
        "fuse.gvfsd-fuse",
        "fuse.glusterfs",
        "fuse.juicefs",
        "fuse.rclone",
        "fuse.s3fs",
        "fuse.sshfs",
        "fuse.vmhgfs-fuse",
    }
)
_MOUNTS = Path("/proc/self/mountinfo")
_OCTAL = re.compile(r"\\([0-7]{3})")


def parse_mountinfo(text: str) -> list[tuple[str, str]]:
    """(mount point, type) of every line of Linux's mountinfo, in its order; lines that are not understood are passed
    over."""
    found = []
    for line in text.splitlines():
        before, dash, after = line.partition(" - ")
        left, right = before.split(" "), after.split(" ")
        if dash and len(left) >= 5 and right[0]:
            found.append((_OCTAL.sub(lambda match: chr(int(match[1], 8)), left[4]), right[0]))
    return found


def type_at(path: str, mounts: list[tuple[str, str]]) -> str:
    """The type of the file system that holds an absolute path. Of two at one place the later counts."""
    held, found = -1, ""
    for point, kind in mounts:
        bare = point.rstrip("/")
        if (path == bare or path.startswith(bare + "/")) and len(bare) >= held:
            held, found = len(bare), kind
    return found


def network_type(path: Path, mounts: Path = _MOUNTS) -> str:
    """The type of the network file system that a file lies on, or would; empty for none, and where it cannot be
    known."""
    place = str(path.expanduser().resolve())
    if place.startswith("\\\\"):
        return "smb"
    try:
        kind = type_at(place, parse_mountinfo(mounts.read_text("utf-8", "surrogateescape")))
    except OSError:
        return ""
    return kind if kind in NETWORK else ""
