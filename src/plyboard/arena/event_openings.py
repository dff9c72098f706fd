"""The openings of an event: drawn in order, proved by the workers of its games, and stored."""

from __future__ import annotations

from collections.abc import Container, Iterator

from plyboard.arena.event import EventSettings
from plyboard.arena.event_store import EventStore
from plyboard.arena.openings import (
    DrawnOpening,
    OpeningTask,
    count_openings,
    draw_openings,
    has_winner,
)
from plyboard.arena.pairings import KNOCKOUT, Pairing
from plyboard.errors import UsageError

MARGIN = 10  # positions for each opening; with fewer, all openings are drawn before the first game


class EventOpenings:
    """The openings of an event by their numbers; those in which a player can win are dropped.

    Which ones are dropped does not depend on who proves them, nor on the order of the proofs: they
    count in the order of the draw.
    """

    def __init__(self, store: EventStore, settings: EventSettings, rules_key: str) -> None:
        self._store, self._settings, self._rules_key = store, settings, rules_key
        self._drawn = list(store.openings(rules_key))
        self._kept = [each for each in self._drawn if not each.is_dropped]
        self._draw = draw_openings(settings.opening_rule, len(self._drawn))
        self._pending: dict[int, OpeningTask] = {}  # drawn, and not counted yet
        self._won: dict[int, bool] = {}  # of those that were proved before an earlier one was

    def dropped_before(self, used: Container[tuple[str, ...]]) -> int:
        """Return how many openings before the last of the used ones were dropped."""
        places = [index for index, each in enumerate(self._drawn) if each.moves in used]
        return sum(each.is_dropped for each in self._drawn[: max(places, default=0)])

    def known(self, pairing: Pairing, index: int) -> tuple[DrawnOpening | None, bool]:
        """Return an opening that was drawn before, and whether it is sure to be the one.

        A tie-break may start from it again, if no more can be drawn.
        """
        if index < len(self._kept):
            return self._kept[index], True
        is_again = _is_tie_break(self._settings, pairing) and bool(self._kept)
        return self._used_again(index) if is_again else None, False

    def of(self, pairing: Pairing, index: int) -> DrawnOpening:
        """Return an opening of a pairing; tie-breaks start from the first ones if all are used."""
        try:
            return self._opening(index)
        except UsageError:
            if not _is_tie_break(self._settings, pairing) or not self._kept:
                raise
            return self._used_again(index)

    def check(self) -> None:
        """Draw all openings now if they might not suffice; raise if they do not."""
        pairs = self._settings.pairs * self._settings.rounds
        enough = MARGIN * pairs
        if count_openings(self._settings.opening_rule, enough) < enough:
            self._opening(pairs - 1)

    def proofs(self, index: int, slots: int) -> Iterator[OpeningTask]:
        """Yield openings to be proved until one is known, and as many more as can be used at once.

        More than these are proved only if there is nothing else to do until it is known.
        """
        if not self._settings.balanced:
            return
        later = self._settings.pairs * self._settings.rounds - index - 1
        wanted = index + 1 + min(slots, later)
        while self._if_proved(index) is None or len(self._kept) + len(self._pending) < wanted:
            task = self._next_task()
            if task is None:
                return
            yield task

    def add(self, task: OpeningTask, is_won: bool) -> None:
        """Count an opening as soon as all before it are proved; dropped if a player wins."""
        if task.number in self._pending:
            self._won[task.number] = is_won
        while (number := len(self._drawn)) in self._won:
            opening = DrawnOpening(self._pending.pop(number).moves, self._won.pop(number))
            self._store.add_opening(self._rules_key, number, opening)
            self._drawn.append(opening)
            if not opening.is_dropped:
                self._kept.append(opening)

    def _used_again(self, index: int) -> DrawnOpening:
        return self._kept[index % len(self._kept)]

    def _opening(self, index: int) -> DrawnOpening:
        """Return an opening that is not dropped; what is missing for it is proved here."""
        while (found := self._if_proved(index)) is None:
            task = next(iter(self._pending.values()), None) or self._next_task()
            if task is None:
                raise self._too_few()
            self.add(task, has_winner(task))
        return found

    def _if_proved(self, index: int) -> DrawnOpening | None:
        """Return an opening that is not dropped; None before enough were proved."""
        is_balanced = self._settings.balanced
        while not is_balanced and len(self._kept) <= index and (task := self._next_task()):
            self.add(task, is_won=False)
        return self._kept[index] if index < len(self._kept) else None

    def _next_task(self) -> OpeningTask | None:
        """Draw the next opening; None after the last one."""
        task = next(self._draw, None)
        if task is not None:
            self._pending[task.number] = task
        return task

    def _too_few(self) -> UsageError:
        plies = self._settings.plies
        length = "" if plies is None else f" of {plies} {'ply' if plies == 1 else 'plies'}"
        won = len(self._drawn) - len(self._kept)
        dropped = f"; in {won} more one player wins" if won else ""
        return UsageError(
            "too few openings",
            got=f"{self._settings.pairs * self._settings.rounds} pairs of games",
            expected=f"at most {len(self._kept)}, the openings{length} there are{dropped}",
        )


def _is_tie_break(settings: EventSettings, pairing: Pairing) -> bool:
    return settings.format == KNOCKOUT and pairing.opening > 0
