"""What becomes of an agent that breaks down, and how its code is called so that only it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from plyboard.errors import printable, shown
from plyboard.play.interrupts import Interrupts

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Fault:
    """What a seat says for an agent that broke down or gave no move: it loses for this reason."""

    text: str
    reason: str = "fault"


def guarded(call: Callable[[], Answer]) -> Answer | Fault:
    """Return what an agent's code returns, or its fault if it raises anything.

    Also `SystemExit` and a `KeyboardInterrupt` of its own are faults. Ctrl-C is not: it is raised
    again, even if the agent has caught it.
    """
    answer: Answer | Fault
    with Interrupts() as interrupts:
        try:
            answer = call()
        except BaseException as fault:
            answer = Fault(f"raised {class_name(fault)}{_text_of(fault)}")
    if interrupts.happened:
        raise KeyboardInterrupt
    return answer


def class_name(value: object) -> str:
    """Return the name of a value's class, short and printable."""
    name: str = type.__dict__["__name__"].__get__(type(value))  # a metaclass may say another one
    return printable(name)


def _text_of(fault: BaseException) -> str:
    try:
        return f" {shown(str(fault).partition(chr(10))[0])}"
    except BaseException:  # its text is the agent's code, too
        return ""
