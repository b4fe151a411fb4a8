"""`pincite store …`: the group; its commands live in three rooms beside this one."""

from __future__ import annotations

import click

from pincite.faces.cli import store_names, store_transfer, store_upkeep


@click.group("store")
def store_group() -> None:
    """Make, choose, move, check, copy and mend stores. Each is one file.

    \b
    Examples:
      pincite store new codes
      pincite store list
      pincite store backup ~/backups/codes.db -s codes
      pincite store check
    """


for _command in (*store_names.COMMANDS, *store_upkeep.COMMANDS, *store_transfer.COMMANDS):
    store_group.add_command(_command)
