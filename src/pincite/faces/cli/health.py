"""`pincite probe` and `pincite doctor`"""

from __future__ import annotations

import click

from pincite.core.errors import PinciteError, StoreCorrupt
from pincite.core.reports import Check
from pincite.faces.cli.output import emit, json_option, store_option
from pincite.faces.json_form import SCHEMA, check_json, probe_json
from pincite.faces.text_form import checks_text, probe_text


@click.command("probe")
@store_option
@json_option
def probe_command(store: str, as_json: bool) -> None:
    """Measure what embedding costs on this machine, and what a corpus would.

    \b
    Examples:
      pincite probe
      pincite probe --json
    """
    from pincite.wiring import measure

    probe = measure(store)
    emit(probe_text(probe), probe_json(probe), as_json=as_json)


@click.command("doctor")
@store_option
@json_option
def doctor_command(store: str, as_json: bool) -> int:
    """Check every part by using it: packages, disk, store, both lanes; say how to mend what is broken.

    Exit code 0 when all is well, 7 when the store is damaged, 1 for anything else.

    \b
    Examples:
      pincite doctor
      pincite doctor -s codes --json
    """
    from pincite.wiring import environment_checks

    checks = environment_checks(store=store) + _store_checks(store)
    value = {"schema": SCHEMA, "ok": all(check.ok for check in checks), "checks": [check_json(c) for c in checks]}
    emit(checks_text(checks), value, as_json=as_json)
    if any(check.name == "integrity" and not check.ok for check in checks):
        return 7
    return 0 if value["ok"] else 1


def _store_checks(store: str) -> list[Check]:
    """Those of the store; a store that is not there yet is no fault unless it was asked for by name."""
    from pincite.core.errors import UnknownName
    from pincite.wiring import open_library

    try:
        with open_library(store) as library:
            return library.doctor()
    except StoreCorrupt as fault:
        return [Check("integrity", False, fault.message, fault.hint)]
    except UnknownName as fault:
        return [Check("store", not store, fault.message, fault.hint)]
    except PinciteError as fault:
        return [Check("store", False, fault.message, fault.hint)]
