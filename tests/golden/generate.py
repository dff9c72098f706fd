"""Golden playthroughs: whole games written down, so that old games replay the same for ever.

python tests/golden/generate.py          write those that are missing
python tests/golden/generate.py --check  replay all, and say which differ
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from plyboard.games import Position, spec_of

HERE = Path(__file__).parent
# For each game, the variants that take turns, and whether chance prefers the odd moves.
VARIANTS = {
    "connect-four": ("connect-four", "connect-four:columns=5,rows=4", "connect-four",
                     "connect-four:columns=4,rows=5,line=3",
                     "connect-four:columns=10,rows=9,line=5"),
    "conniption": ("conniption", "conniption:columns=5,rows=4,flips=2", "conniption:flips=0",
                   "conniption:columns=4,rows=4,flips=9", "conniption:columns=9,rows=8"),
    "extended": ("extended", "extended:rows=4,columns=6,pops=3", "extended:rows=3,columns=4,pops=2",
                 "extended:rows=2,columns=2,pops=2", "extended:rows=12,columns=12,pops=10"),
    "squatter": ("squatter", "squatter:size=5", "squatter:size=4", "squatter:size=3",
                 "squatter:size=8"),
}  # fmt: skip
EACH = 20
DRAWN_EVERY = 8


def playthrough(spec: str, moves: list[str]) -> str:
    """Return a game as readable text: each ply with its position and legal moves, some boards."""
    position = Position(spec)
    lines = [f"game: {spec_of(position.game)}", f"moves: {' '.join(moves)}"]
    for ply, move in enumerate(["", *moves]):
        if move:
            player = position.game.players[position.mover]
            position = position.play(move)
            lines += ["", f"ply {ply}: {player} plays {move}"]
        lines += [f"position: {position.text()}", f"key: {position.key:016x}"]
        lines.append(f"legal: {' '.join(position.legal_moves())}".rstrip())
        if position.scores():
            lines.append("scores: {} {}".format(*(position.scores() or ())))
        if ply % DRAWN_EVERY == 0 or ply == len(moves):
            lines.append(position.board())
    outcome = position.outcome()
    if outcome is not None:
        winner = "draw" if outcome.winner is None else position.game.players[outcome.winner]
        line = " ".join(f"{cell.row}:{cell.column}" for cell in sorted(outcome.line))
        lines += ["", f"outcome: {winner} {outcome.reason} {line}".rstrip()]
    return "\n".join(lines) + "\n"


def random_game(spec: str, seed: int) -> list[str]:
    """Return the moves of a random game; every other seed likes flips, pops and long games."""
    chance, position = random.Random(f"{spec} {seed}"), Position(spec)
    while position.legal_moves():
        choices = list(position.legal_moves())
        odd = [move for move in choices if "f" in move[1:] or move.startswith("f") or "p" in move]
        if seed % 2 and odd and position.game.name != "squatter" and chance.random() < 0.4:
            choices = odd
        going_on = [move for move in choices if position.play(move).outcome() is None]
        position = position.play(chance.choice(going_on if seed % 3 and going_on else choices))
    return list(position.moves)


def moves_in(text: str) -> tuple[str, list[str]]:
    """Return the spec and the moves that a playthrough was made of."""
    head = dict(line.split(": ", 1) for line in text.splitlines()[:2])
    return head["game"], head["moves"].split()


def main() -> None:
    """Write the playthroughs that are missing, or check all."""
    check = "--check" in sys.argv
    for name, variants in VARIANTS.items():
        for number in range(EACH):
            path = HERE / f"{name}-{number + 1:02}.txt"
            if path.exists():
                text = path.read_text()
                if check and playthrough(*moves_in(text)) != text:
                    print(f"differs: {path.name}")
            elif not check:
                spec = variants[number % len(variants)]
                path.write_text(playthrough(spec, random_game(spec, number)))


if __name__ == "__main__":
    main()
