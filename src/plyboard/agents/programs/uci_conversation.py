"""Programs that speak UCI, the protocol of chess engines, in the variants that we know."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping

from plyboard.agents.bots.running_search import RunningSearch
from plyboard.agents.programs.conversation import Conversation, moves_since
from plyboard.agents.programs.faults import ILLEGAL, PROTOCOL, program_error
from plyboard.agents.programs.process import ProgramProcess
from plyboard.errors import PlyboardError, UsageError, shown
from plyboard.games import Game, Position, spec_of
from plyboard.games.formats.uci_variants import CFOUR, Variant, variant
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import WIN, Choice

VARIANT_OPTION = "UCI_Variant"
NO_MOVES = ("(none)", "0000")
SCORE = re.compile(r"\bscore (cp|mate) (-?[0-9]{1,9})\b")
COUNT = re.compile(r"\b(depth|nodes) ([0-9]{1,15})\b")
LINE = re.compile(r"\bpv (.+)$")
DEEPEST_LINE = 64  # moves of a principal variation


class UciConversation(Conversation):
    """A UCI engine in the variant of a game: `cfour`, or a game under our own name."""

    def __init__(
        self, process: ProgramProcess, game: Game, options: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(process, game)
        self.options = options or {}
        self.variants: tuple[str, ...] = ()  # that it offers; none if it has no such option
        self._has_variants = False
        self._best: Choice | None = None
        self.variant: Variant

    def open(self) -> None:
        """Send `uci`, choose the variant, set the options and wait for `readyok`."""
        self.send("uci")
        self.wait_for(self._hear_option, "uciok")
        self.variant = self._chosen_variant()
        if self._has_variants:
            self.send(f"setoption name {VARIANT_OPTION} value {self.variant.name}")
        for name, value in self.options.items():
            self.send(f"setoption name {name} value {value}")
        self.before_move()

    def new_game(self) -> None:
        """Send `ucinewgame` and wait for `readyok`."""
        self.send("ucinewgame")
        self.before_move()

    def before_move(self) -> None:
        """Send `isready` and wait for `readyok`: what came before is no answer to a later `go`."""
        self.send("isready")
        self.wait_for(lambda line: line.strip() == "readyok", "readyok")

    def quit(self) -> None:
        """Send `quit`."""
        self.send("quit")

    def move_request(self, position: Position, budget: Budget) -> list[str]:
        """Return the lines `position` and `go`."""
        self._best = None
        start, actions = moves_since(position)
        place = "startpos" if start == self.variant.start else f"fen {self.variant.fen(start)}"
        moves, here = [], start
        for action in actions:
            moves.append(self.variant.write(here, action))
            here = here.apply_action(action)
        told = f" moves {' '.join(moves)}" if moves else ""
        limits = {
            "movetime": None if budget.seconds is None else max(1, round(1000 * budget.seconds)),
            "depth": budget.depth,
            "nodes": budget.nodes or budget.simulations,
        }
        words = [f"{name} {limit}" for name, limit in limits.items() if limit is not None]
        return [f"position {place}{told}", " ".join(("go", *words))]

    def stop_request(self) -> str:
        """Return `stop`."""
        return "stop"

    def read_move(self, line: str, position: Position, search: RunningSearch) -> Choice | None:
        """Return the choice of a `bestmove`; report those of `info` lines."""
        words = line.split()
        if words[:1] == ["info"]:
            self._hear_info(line, position, search)
            return None
        if words[:1] != ["bestmove"]:
            self.process.note(line)
            return None
        move = words[1] if len(words) > 1 else ""
        if not move:
            raise program_error(PROTOCOL, f"no move in {shown(line)}")
        if move in NO_MOVES:
            raise program_error(ILLEGAL, f"it plays no move: {shown(line)}")
        try:
            action = self.variant.parse(position, move)
        except PlyboardError as fault:
            raise program_error(ILLEGAL, f"{shown(move)}: {fault.first_line}") from None
        best = self._best
        if best is None or best.action != action:
            return Choice(action)
        return best

    def _hear_option(self, line: str) -> bool:
        words = line.split()
        if words[:2] == ["id", "name"]:
            self.name = " ".join(words[2:])
        if words[:3] == ["option", "name", VARIANT_OPTION]:
            self._has_variants = True
            marks = itertools.pairwise(words)
            self.variants = tuple(after for word, after in marks if word == "var")
        return words == ["uciok"]

    def _chosen_variant(self) -> Variant:
        spec = spec_of(self.game)
        known = self.variants if self._has_variants else (CFOUR,)
        if spec == "connect-four" and CFOUR in known:
            return variant(CFOUR)
        if self.game.name in known:
            return variant(spec)
        offers = ", ".join(known) or "none"
        raise UsageError("wrong game for this program", got=spec, expected=f"one of {offers}")

    def _hear_info(self, line: str, position: Position, search: RunningSearch) -> None:
        """Report the choice of an `info` line with a score and a line of moves."""
        score, moves = SCORE.search(line), LINE.search(line)
        if "multipv " in line and " multipv 1 " not in line:
            return
        if score is None or moves is None or line.startswith("info string"):
            return
        actions: list[int] = []
        here = position
        for move in moves[1].split()[:DEEPEST_LINE]:
            try:
                action = self.variant.parse(here, move)
                here = here.apply_action(action)
            except PlyboardError:
                break
            actions.append(action)
        if actions:
            counts = {name: int(number) for name, number in COUNT.findall(line)}
            value = _value(score[1], int(score[2]))
            depth, nodes = counts.get("depth", 0), counts.get("nodes", 0)
            self._best = Choice(actions[0], value, tuple(actions), depth, nodes)
            search.improve(self._best)


def _value(kind: str, number: int) -> float:
    """Return a score as a value: hundredths, or moves to a win or loss."""
    if kind == "cp":
        return number / 100
    plies = 2 * abs(number) - (number > 0)
    return WIN - plies if number > 0 else plies - WIN
