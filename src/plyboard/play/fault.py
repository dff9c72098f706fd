"""Calls to agents' code, with every exception turned into a fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from plyboard.errors import BotError, printable, shown
from plyboard.play.interrupts import Interrupts

Answer = TypeVar("Answer")
LONGEST = 300  # characters of a reason


@dataclass(frozen=True)
class Fault:
    """The answer of a seat whose agent failed or gave no move: the agent loses."""

    text: str
    reason: str = "fault"


class SeatFaultError(Exception):
    """Carries a fault that a seat has noticed itself."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(fault.text)


def guarded(
    call: Callable[[], Answer], passing: tuple[type[Exception], ...] = ()
) -> Answer | Fault:
    """Return the result of an agent's code, or a fault if it raises anything but `passing`.

    `SystemExit` and a `KeyboardInterrupt` raised by the agent are faults, too. Ctrl-C is raised
    again, even if the agent has caught it.
    """
    answer: Answer | Fault
    with Interrupts() as interrupts:
        try:
            answer = call()
        except SeatFaultError as noticed:
            answer = noticed.fault
        except passing:
            raise
        except BotError as fault:
            answer = _fault_of(fault)
        except BaseException as fault:
            answer = Fault(f"raised {class_name(fault)}{_text_of(fault)}")
    if interrupts.happened:
        raise KeyboardInterrupt
    return answer


def _fault_of(error: BotError) -> Fault:
    """Return the fault of a bot in plain words, with the reason for the end of its match."""
    if not error.kind:
        return Fault(printable(error.first_line, LONGEST))
    reason = {"timeout": "time", "illegal": "illegal move"}.get(error.kind, "fault")
    return Fault(f"{error.kind}: {printable(error.reason, LONGEST)}", reason)


def class_name(value: object) -> str:
    """Return the name of a value's class, short and printable."""
    name: str = type.__dict__["__name__"].__get__(type(value))  # a metaclass may override it
    return printable(name)


def _text_of(fault: BaseException) -> str:
    try:
        return f" {shown(str(fault).partition(chr(10))[0])}"
    except BaseException:  # the agent's code makes its text
        return ""
