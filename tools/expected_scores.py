"""Expected scores: how often the engine scores from an estimate, in games against itself.

    python tools/expected_scores.py fit samples/
    python tools/expected_scores.py check samples/

Both commands first play the games that the folder does not have yet, so an interrupted one goes on
where it stopped. `fit` uses every other game and writes the scales of `evaluate/score_scale.py`;
`check` compares them with the games that were not used.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plyboard.durable import replace_file, whole_lines
from plyboard.evaluate import best_evaluation
from plyboard.evaluate.scale_fit import Samples, fit, scores
from plyboard.evaluate.score_scale import FILE, ScoreScale, phase_of
from plyboard.games import Position
from plyboard.search.alpha_beta.iterative_deepening import AlphaBeta
from plyboard.search.common.budget import Budget

GAMES = {
    "connect-four": {2000: 3000, 50_000: 1700},
    "conniption": {2000: 4000, 50_000: 2500},
    "extended": {2000: 600, 50_000: 100},
    "squatter": {2000: 800, 50_000: 650},
}  # how many are played, by the nodes of each search
SEED = 29
OPENING = 12  # a game starts with so many random moves at most
SLIP = 40  # half of the games have a random move before this one; what was before it is not used
MEBIBYTES = 8
BINS = 10
LEAST = 100  # positions in a bin that counts
FITTED = Path(__file__).parent.parent / "src" / "plyboard" / "data" / FILE
Report = Callable[[str], None]


def play(name: str, nodes: int, seed: int, number: int, engine: AlphaBeta) -> str:
    """Play a game of the engine against itself; return its estimates and its result as a line."""
    chance = random.Random(f"{seed} {name} {nodes} {number}")
    position = _opening(name, chance)
    evaluation = best_evaluation(position.game)
    slip, turn = chance.randrange(2 * SLIP), 0
    found: list[tuple[float, float, int, int]] = []
    while not position.is_over:
        choice = engine.search(position, evaluation, Budget(nodes=nodes))
        action = choice.action
        if turn == slip:
            found.clear()
            action = chance.choice(position.legal_actions())
        elif not choice.is_proved:
            phase = round(phase_of(position), 3)
            found.append((phase, choice.value, choice.depth, position.mover))
        position, turn = position.apply_action(action), turn + 1
    outcome = position.outcome()
    assert outcome is not None
    first = 0.5 if outcome.winner is None else 1.0 - outcome.winner
    return json.dumps({"game": number, "first": first, "estimates": found})


def _opening(name: str, chance: random.Random) -> Position:
    while True:
        position = Position(name)
        for _ in range(chance.randrange(OPENING + 1)):
            if not position.is_over:
                position = position.apply_action(chance.choice(position.legal_actions()))
        if not position.is_over:
            return position


def play_all(folder: Path, seed: int, games: int | None, report: Report) -> None:
    """Play the games that are missing; with a number, so many of each kind."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, kinds in GAMES.items():
        for nodes, usual in kinds.items():
            path, engine = _file(folder, name, nodes, seed), AlphaBeta(MEBIBYTES, 1)
            data = whole_lines(path.read_bytes()) if path.exists() else b""
            path.write_bytes(data)
            with path.open("a", encoding="utf-8") as file:
                for number in range(data.count(b"\n"), games or usual):
                    file.write(play(name, nodes, seed, number, engine) + "\n")
                    file.flush()
            report(f"{name}, {nodes:,} nodes: {games or usual:,} games")


def _file(folder: Path, name: str, nodes: int, seed: int) -> Path:
    return folder / f"{name}-{nodes}-{seed}.jsonl"


def read(folder: Path, name: str, nodes: int, seed: int) -> Samples:
    """Return the samples of one file."""
    rows = [
        (facts["game"], *estimate, facts["first"] if estimate[-1] == 0 else 1 - facts["first"])
        for facts in map(json.loads, _file(folder, name, nodes, seed).read_text().splitlines())
        for estimate in facts["estimates"]
    ]
    game, phase, value, depth, mover, score = np.array(rows).reshape(-1, 6).T
    game, depth, mover = (each.astype(np.int64) for each in (game, depth, mover))
    return Samples(game, phase, value, depth, mover, score)


def bins(expected: NDArray[np.float64], samples: Samples) -> list[tuple[int, float, float]]:
    """Return for each tenth of the scale how many samples it has, and by how much they miss it.

    The error is the mean score less the mean expected score. Its standard error follows: samples of
    one game have one result, so it comes from the sums of their games.
    """
    score = samples.score
    places = np.minimum((expected * BINS).astype(int), BINS - 1)
    found = []
    for place in range(BINS):
        inside = places == place
        if not inside.any():
            found.append((0, 0.0, 0.0))
            continue
        errors = score[inside] - expected[inside]
        _, games = np.unique(samples.game[inside], return_inverse=True)
        sums = np.bincount(games, weights=errors - errors.mean())
        spread = float(np.sqrt(sums @ sums)) / len(errors)
        found.append((len(errors), float(errors.mean()), spread))
    return found


def check(scales: dict[str, ScoreScale], folder: Path, seed: int) -> Iterator[str]:
    """Yield a table row for each game and number of nodes, from the games held out."""
    tenths = [f".{place}" for place in range(BINS)]
    yield "| game | nodes | positions | " + " | ".join(tenths) + " | largest | beyond noise |"
    yield "|---" * (BINS + 5) + "|"
    for name, kinds in GAMES.items():
        for nodes in kinds:
            samples = read(folder, name, nodes, seed)
            samples = samples.part(samples.is_held_out)
            found = bins(scores(scales[name], samples), samples)
            cells = [
                f"{error:+.2f}±{spread:.2f} ({count})" if count else ""
                for count, error, spread in found
            ]
            counting = [(abs(error), spread) for count, error, spread in found if count >= LEAST]
            most = max((error for error, _ in counting), default=0.0)
            beyond = max((error - 2 * spread for error, spread in counting), default=0.0)
            facts = [name, f"{nodes:,}", f"{len(samples.score):,}", *cells]
            facts += [f"{most:.3f}", f"{max(0.0, beyond):.3f}"]
            yield "| " + " | ".join(facts) + " |"


def picture(scales: dict[str, ScoreScale], folder: Path, seed: int) -> str:
    """Return an SVG drawing of what was scored over what was expected, with 95 % bars."""
    parts = []
    for row, (name, kinds) in enumerate(GAMES.items()):
        for column, nodes in enumerate(kinds):
            samples = read(folder, name, nodes, seed)
            samples = samples.part(samples.is_held_out)
            found = bins(scores(scales[name], samples), samples)
            parts.append(f'<g transform="translate({30 + 250 * column},{30 + 250 * row})">')
            parts.append('<path class="frame" d="M0,0H200V200H0ZM0,200L200,0"/>')
            parts.append(f'<text x="0" y="-8">{name}, {nodes:,} nodes</text>')
            for place, (count, error, spread) in enumerate(found):
                if count < LEAST:
                    continue
                across, up = 20 * place + 10, 190 - 20 * place - 200 * error
                bar = f"M{across},{up - 400 * spread:.1f}V{up + 400 * spread:.1f}"
                parts.append(f'<path class="bar" d="{bar}"/>')
                parts.append(f'<circle cx="{across}" cy="{up:.1f}" r="4"/>')
            parts.append("</g>")
    style = (
        "text{font:14px sans-serif;fill:#777}.frame{fill:none;stroke:#999}"
        "circle{fill:#2a78d6}.bar{stroke:#2a78d6;stroke-width:2}"
    )
    size = f'viewBox="0 0 510 {250 * len(GAMES) + 10}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{style}</style>'
    return "\n".join([head, *parts, "</svg>", ""])


def main(arguments: list[str]) -> None:
    """Fit the scales, or check them."""
    parser = argparse.ArgumentParser(description="Fit or check the scales of expected scores.")
    parser.add_argument("what", choices=["fit", "check"])
    parser.add_argument("samples", type=Path, help="folder with the games that were played")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--games", type=int, help="of each kind, instead of the usual numbers")
    parser.add_argument("--scales", type=Path, default=FITTED, help="file to write or to check")
    parser.add_argument("--picture", type=Path, help="draws what `check` finds, as SVG")
    given = parser.parse_args(arguments)
    play_all(given.samples, given.seed, given.games, lambda line: print(line, file=sys.stderr))
    if given.what == "check":
        known = json.loads(given.scales.read_text("utf-8"))
        scales = {name: ScoreScale.of(facts) for name, facts in known.items()}
        print(*check(scales, given.samples, given.seed), sep="\n")
        if given.picture:
            given.picture.write_text(picture(scales, given.samples, given.seed))
        return
    found = {}
    for name, kinds in GAMES.items():
        read_parts = [read(given.samples, name, nodes, given.seed) for nodes in kinds]
        scale = fit([part.part(~part.is_held_out) for part in read_parts])
        found[name] = asdict(scale)
    replace_file(given.scales, (json.dumps(found, indent=2) + "\n").encode())


if __name__ == "__main__":
    main(sys.argv[1:])
