"""Files are whole after a kill and after a loss of power, whatever was being done."""

from __future__ import annotations

import pytest
from disk.acts import ACTS
from disk.power_loss import run

KILLS, LOSSES = 8, 22  # of each act; `power_loss.py --states` tries more


@pytest.mark.parametrize("name", ACTS)
def test_what_was_acknowledged_is_there_and_the_program_starts(name: str) -> None:
    """Promises D9 and D10."""
    report = run(name, KILLS, LOSSES, seed=5)

    assert report.faults == []
    assert (report.kills, report.losses) == (KILLS, LOSSES)
