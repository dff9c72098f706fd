"""Plays the games of an event that have no result yet, and stores each result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import chain

from plyboard.agents.contents import changes, hidden_files
from plyboard.arena.event import SWISS, EventSettings
from plyboard.arena.event_openings import EventOpenings
from plyboard.arena.event_store import EventStore
from plyboard.arena.game_task import GameResult, GameTask
from plyboard.arena.openings import DrawnOpening, OpeningTask, has_winner
from plyboard.arena.pairings import FORMATS, KNOCKOUT, Bracket, Pairing, Round, SwissTable
from plyboard.arena.play_game import agent_seat, play_game, void_result
from plyboard.arena.result_keys import ResultKeys
from plyboard.arena.sprt_run import SprtProgress
from plyboard.arena.standings import Played, RunningTable, pairing_score
from plyboard.arena.withdrawals import Withdrawals
from plyboard.processes.executor import Done, Executor, LostTask

FORFEITS_AT_ONCE = 20  # that are counted together, if no game is played meanwhile

PlayGame = Callable[[GameTask], GameResult]
Work = GameTask | OpeningTask
DoWork = Callable[[Work], GameResult | bool]


def play_or_prove(task: Work, play: PlayGame) -> GameResult | bool:
    """Play a game, or return whether a win is proved for an opening."""
    return has_winner(task) if isinstance(task, OpeningTask) else play(task)


class EventRun:
    """An event in play. The next round depends only on the settings and the results so far.

    Results are stored before anybody sees them. The same event can be run again after any
    interruption: it goes on with the games that have no result. A result counts only for what has
    played it: if the game, or an agent, is made of something else now, its games are played anew.
    """

    def __init__(self, store: EventStore, settings: EventSettings) -> None:
        self.settings, self._store = settings, store
        self.keys = ResultKeys(settings)
        self._stored = {key: result for key, _, result in store.played()}
        self.tasks: dict[int, GameTask] = {}
        self.results: dict[int, GameResult] = {}
        self.table = RunningTable(settings.agents)
        self.withdrawals = Withdrawals(settings.faults)
        self._forfeits: list[GameResult] = []  # that have not been counted yet
        self.sprt = (
            None if settings.sprt is None else SprtProgress(settings.sprt, settings.agents[0])
        )
        self.rounds: list[Round] = []
        self._openings = EventOpenings(store, settings, self.keys.rules_key)
        self._number = 0  # of the first game of the current round
        changed = self._note_contents()
        self._resume()
        self.resumed = len(self.results)  # games that were played before
        # Whose games are played anew, and why; nobody's if they were played before the change, too.
        self.changes = changed if self.resumed != self.total else {}

    @property
    def dropped_openings(self) -> int:
        """How many openings before the last one that counts were dropped: a win is proved."""
        return self._openings.dropped_before({task.opening for task, _ in self.counted()})

    @property
    def total(self) -> int | None:
        """How many games there will be; at most so many in a test, None if nobody knows."""
        agents, games = len(self.settings.agents), 2 * self.settings.pairs
        return {
            "round-robin": agents * (agents - 1) // 2 * games,
            "gauntlet": (agents - 1) * games,
            "swiss": self.settings.rounds * (agents // 2) * games,
        }.get(self.settings.format)

    @property
    def knockout_winner(self) -> str | None:
        """The winner of a knockout; None before the final, and in other formats."""
        if self.settings.format != KNOCKOUT:
            return None
        winner = Bracket.of(len(self.settings.agents), self.rounds).winner
        return None if winner is None else self.settings.agents[winner]

    @property
    def swiss_table(self) -> SwissTable | None:
        """The table of a Swiss tournament after the rounds so far; None in other formats."""
        if self.settings.format != SWISS:
            return None
        return SwissTable.of(len(self.settings.agents), self.settings.pairs, self.rounds)

    def run(self, executor: Executor, play: PlayGame | None = None) -> Iterator[list[Played]]:
        """Play all games that are missing; yield those whose results were just stored.

        `play` plays one game, instead of `play_game`.
        """
        self._openings.check()
        work = partial(play_or_prove, play=play or self._usual_play())
        while pairings := self._next_round():
            yield from self._play(self._missing(pairings, executor.slots), executor, work)
            self._store.flush()
            if self._is_decided():
                return
            self._end_round(pairings)

    def counted(self) -> list[Played]:
        """Return the games that count: in a test, those up to its decision."""
        numbers = sorted(self.results)
        if self.sprt is not None and self.sprt.decision is not None:
            numbers = [number for number in numbers if number < self.sprt.games]
        return [(self.tasks[number], self.results[number]) for number in numbers]

    def _usual_play(self) -> PlayGame:
        """Return what plays a game: programs in one folder do not see each other's files."""
        hidden = hidden_files(self.settings.agents)
        return (
            partial(play_game, seat_of=partial(agent_seat, hidden=hidden)) if hidden else play_game
        )

    def _note_contents(self) -> dict[str, list[str]]:
        """Return what has changed in the game and the agents, and store what they are now."""
        found = {}
        for name, contents in {"": self.keys.rules, **self.keys.agents}.items():
            before = self._store.contents(name)
            if before != contents:
                self._store.add_contents(name, contents)
                if before is not None:
                    found[name or self.settings.game] = changes(before, contents)
        return found

    def _resume(self) -> None:
        """Count the games that have results, in all rounds that can be paired with them."""
        while pairings := self._next_round():
            tasks = list(self._known_tasks(pairings))
            self._add([result for task in tasks if (result := self._stored_result(task))])
            missing = [task for task in tasks if task.number not in self.results]
            self._add([lost for task in missing if (lost := self.withdrawals.forfeit(task))])
            if self._is_decided() or any(
                number not in self.results for number in self._numbers(pairings)
            ):
                return
            self._end_round(pairings)

    def _next_round(self) -> list[Pairing]:
        """Return the pairings of the next round; none after the last one."""
        agents, pairs, rounds = len(self.settings.agents), self.settings.pairs, self.settings.rounds
        return FORMATS[self.settings.format](agents, pairs, rounds, self.rounds)

    def _numbers(self, pairings: Sequence[Pairing]) -> range:
        """Return the numbers of the games of a round."""
        return range(self._number, self._number + 2 * sum(pairing.pairs for pairing in pairings))

    def _schedule(self, pairings: Sequence[Pairing]) -> Iterator[tuple[int, Pairing, int]]:
        """Yield the pairs of games of a round: the number of the first game, and of the opening."""
        numbers = iter(self._numbers(pairings)[::2])
        for index in range(max(pairing.pairs for pairing in pairings)):
            for pairing in pairings:
                if index < pairing.pairs:
                    yield next(numbers), pairing, pairing.opening + index

    def _known_tasks(self, pairings: Sequence[Pairing]) -> Iterator[GameTask]:
        """Yield the games of a round up to the first one whose opening has not been drawn."""
        for number, pairing, index in self._schedule(pairings):
            opening, is_sure = self._openings.known(pairing, index)
            if opening is None:
                return
            tasks = self._pair_of_games(number, pairing, opening)
            yield from (task for task in tasks if is_sure or self._stored_result(task))

    def _stored_result(self, task: GameTask) -> GameResult | None:
        """Return the result of a game from the store; None if what would play it has none there."""
        return self._stored.get(self.keys.of(task))

    def _end_round(self, pairings: Sequence[Pairing]) -> None:
        """Score a round that is over."""
        games: dict[Pairing, list[Played]] = {pairing: [] for pairing in pairings}
        for first, pairing, _ in self._schedule(pairings):
            games[pairing] += [
                (self.tasks[number], self.results[number]) for number in (first, first + 1)
            ]
        agents, self._number = self.settings.agents, self._numbers(pairings).stop
        self.rounds.append([pairing_score(each, agents, played) for each, played in games.items()])

    def _play(
        self, missing: Iterator[Work | GameResult], executor: Executor, work: DoWork
    ) -> Iterator[list[Played]]:
        if self._is_decided():
            return
        for each in missing:
            tasks = self._tasks(chain([each], missing))
            with closing(executor.run(work, tasks)) as running:
                for batch in running:
                    yield self._store_results(self._results_of(batch))
                    if self._is_decided():
                        return
            if self._forfeits:
                yield self._store_results(())
                if self._is_decided():
                    return

    def _results_of(self, batch: Iterable[Done[Work, GameResult | bool]]) -> Iterator[GameResult]:
        """Yield the results of games; count openings. One that no process survives is kept."""
        for task, got in batch:
            if isinstance(task, OpeningTask):
                self._openings.add(task, is_won=got is True)
            elif isinstance(got, LostTask):
                yield void_result(task, got.reason)
            else:
                assert isinstance(got, GameResult), "a game has a result"
                yield got

    def _tasks(self, missing: Iterable[Work | GameResult]) -> Iterator[Work]:
        """Yield what is to be done, up to the next point at which forfeits should be counted."""
        for each in missing:
            if not isinstance(each, GameResult):
                yield each
                continue
            self._forfeits.append(each)
            if len(self._forfeits) >= FORFEITS_AT_ONCE:
                return

    def _store_results(self, results: Iterable[GameResult]) -> list[Played]:
        """Store results; return their games, and those forfeited since, with what counts.

        Forfeits follow from the other results and are not stored.
        """
        stored, forfeits, self._forfeits = list(results), self._forfeits, []
        games = [(self.tasks[each.number], each) for each in stored]
        self._store.add_results((self.keys.of(task), task, result) for task, result in games)
        return self._add([*stored, *forfeits])

    def _add(self, results: Sequence[GameResult]) -> list[Played]:
        """Count results. Once an agent is withdrawn, its later games count as forfeited."""
        self.results.update({result.number: result for result in results})
        numbers = [result.number for result in results]
        has_changed = self.withdrawals.advance(self.tasks, self.results)
        for number in list(self.results) if has_changed else numbers:
            forfeit = self.withdrawals.forfeit(self.tasks[number])
            if forfeit is not None:
                self.results[number] = forfeit
        played = [(self.tasks[number], self.results[number]) for number in numbers]
        if has_changed:
            games = [(self.tasks[number], each) for number, each in self.results.items()]
            self.table = RunningTable(self.settings.agents, games)
        else:
            for task, result in played:
                self.table.add(task, result)
        return played

    def _is_decided(self) -> bool:
        """Return whether a sequential test has ended, by the pairs that are complete in order."""
        return self.sprt is not None and self.sprt.advance(self.tasks, self.results) is not None

    def _missing(self, pairings: Sequence[Pairing], slots: int) -> Iterator[Work | GameResult]:
        """Yield the games of a round that have no result; forfeited ones with their results.

        Before them come the openings that have to be proved for them, and some for later games.
        """
        for number, pairing, index in self._schedule(pairings):
            yield from self._openings.proofs(index, slots)
            for task in self._pair_of_games(number, pairing, self._openings.of(pairing, index)):
                if task.number in self.results:
                    continue
                if result := self._stored_result(task):
                    self._add([result])
                else:
                    yield self.withdrawals.forfeit(task) or task

    def _pair_of_games(
        self, number: int, pairing: Pairing, opening: DrawnOpening
    ) -> list[GameTask]:
        """Return both games of a pairing from one opening, with colours exchanged."""
        one, other = (self.settings.agents[each] for each in (pairing.first, pairing.second))
        tasks = [
            self.settings.task(number + second, number // 2, players, opening.moves)
            for second, players in enumerate(((one, other), (other, one)))
        ]
        self.tasks.update({task.number: task for task in tasks})
        return tasks
