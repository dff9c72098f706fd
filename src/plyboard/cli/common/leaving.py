"""How a command ends when a person leaves it by Ctrl-C."""

from __future__ import annotations


class LeaveError(Exception):
    """The person has confirmed to leave: the command ends with code 130 and without a message."""
