"""What `plyboard tune` measured for a game, in a file beside the file of its rules.

chomp.py -> chomp-tuned.json
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
import warnings
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from plyboard.durable import replace_file
from plyboard.errors import UsageError, shown
from plyboard.games.game import Game, spec_of
from plyboard.games.level import Level

ALPHA_BETA, MCTS = "alpha-beta", "mcts"
OURS = "plyboard"
GAMES, LONGEST = 8, 400  # random games of a fingerprint, and their plies
MOST_BYTES = 4 << 20
_known: dict[tuple[type[Game], str], Tuning | None] = {}


@dataclass(frozen=True)
class Tuning:
    """The measurements of one game with its parameters; what was not measured is empty."""

    rules: str  # the fingerprint of the rules that were measured
    search: str = ""  # the stronger one at equal time
    levels: tuple[Level, ...] = ()
    shares: tuple[float, ...] = ()  # the smallest loss of a game for each mark
    points: tuple[float, ...] = ()  # the same in points
    scale: tuple[Any, ...] = ()  # of expected scores
    weights: tuple[int, ...] = ()  # of the evaluation
    unit: int = 1  # of the evaluation


def tuning_file(game: Game) -> Path:
    """Return the file of the measurements of a game; raise for games that come with Plyboard."""
    module = type(game).__module__
    if module.partition(".")[0] == OURS:
        reason = "it comes with what was measured for it"
        raise UsageError(f"cannot tune {game.name}", reason=reason)
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        raise UsageError(f"cannot tune {game.name}", reason="its class is in no file")
    path = Path(file)
    return path.with_name(f"{path.stem}-tuned.json")


def fingerprint(game: Game) -> str:
    """Return a digest of what the rules do: of some random games, whatever their source is."""
    rules, chance, found = game.rules, random.Random(0), hashlib.sha256()
    for _ in range(GAMES):
        state = rules.start
        for _ in range(LONGEST):
            actions = rules.legal_actions(state)
            facts = (*map(int, state), -1, int(rules.mover(state)), *actions)
            found.update(repr(facts).encode())
            if not actions:
                found.update(str(int(rules.value(state))).encode())
                break
            state = rules.play(state, chance.choice(actions))
    return found.hexdigest()[:16]


def tuning_of(game: Game) -> Tuning | None:
    """Return what was measured for a game; None, perhaps with a note, if nothing fits."""
    kind = type(game)
    if kind.__module__.partition(".")[0] == OURS:
        return None
    key = kind, spec_of(game)
    if key not in _known:
        _known[key] = _fitting(game)
    return _known[key]


def _fitting(game: Game) -> Tuning | None:
    try:
        path = tuning_file(game)
        facts = _stored(path).get(spec_of(game))
    except (UsageError, OSError, ValueError):
        return None
    if facts is None:
        return None
    try:
        found = _read(facts)
    except (TypeError, ValueError, KeyError):
        warnings.warn(f"{path.name} is not used: it cannot be read", stacklevel=2)
        return None
    if found.rules != fingerprint(game):
        told = f"it was measured with other rules; plyboard tune measures {shown(spec_of(game))}"
        warnings.warn(f"{path.name} is not used: {told}", stacklevel=2)
        return None
    return found


def store_tuning(game: Game, changes: dict[str, Any]) -> Path:
    """Store measurements of a game beside its file; those of other rules are dropped."""
    path, spec, rules = tuning_file(game), spec_of(game), fingerprint(game)
    games: dict[str, Any] = {}
    known = Tuning(rules)
    if path.exists():
        try:
            games = _stored(path)
            known = _read(games[spec])
        except (OSError, ValueError, KeyError, TypeError):
            pass  # what cannot be read is replaced
    kept = known if known.rules == rules else Tuning(rules)
    games[spec] = asdict(replace(kept, **changes))
    facts = {"about": "measured by plyboard tune; see docs/evaluations.md", "games": games}
    replace_file(path, (json.dumps(facts) + "\n").encode())
    _known.clear()
    return path


def _stored(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        facts = json.loads(file.read(MOST_BYTES))
    games = facts.get("games") if isinstance(facts, dict) else None
    if not isinstance(games, dict):
        raise ValueError("no games")
    return games


def _read(facts: dict[str, Any]) -> Tuning:
    levels = tuple(Level(**each) for each in facts["levels"])
    names = ("shares", "points", "scale", "weights")
    numbers: dict[str, Any] = {name: _tuples(facts[name]) for name in names}
    return replace(Tuning(**facts), levels=levels, **numbers)


def _tuples(value: Any) -> Any:
    """Return lists of JSON as the tuples that they were."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
