"""Kalah, slowly: one list of holes around the board, and seeds that are sown one by one."""

State = tuple[tuple[int, ...], int]  # South's pits and store, North's pits and store; the mover


class Kalah:
    """The rules: sow counter-clockwise, past the other store; a seed in the own store: again."""

    def __init__(self, *, pits: int = 6, seeds: int = 4) -> None:
        """Set the pits of a player and the seeds in each."""
        self.pits, self.seeds = pits, seeds
        self.stores = (pits, 2 * pits + 1)

    def start(self) -> State:
        """Return equally filled pits and empty stores."""
        side = (self.seeds,) * self.pits + (0,)
        return side + side, 0

    def own(self, player: int) -> range:
        """Return the pits of a player, in the order of sowing."""
        return range(self.stores[player] - self.pits, self.stores[player])

    def name(self, hole: int) -> str:
        """Return the name of a pit: letters from the left as South sees it, North's row is 2."""
        if hole < self.pits:
            return f"{'abcdefg'[hole]}1"
        return f"{'abcdefg'[2 * self.pits - hole]}2"

    def moves(self, state: State) -> list[str]:
        """Return the pits with seeds of the player to move, in the order of sowing."""
        holes, mover = state
        return [self.name(hole) for hole in self.own(mover) if holes[hole]]

    def play(self, state: State, move: str) -> State:
        """Return the position after the seeds of a pit were sown."""
        if move not in self.moves(state):
            raise ValueError(f"illegal move {move!r}")
        mover, holes = state[1], list(state[0])
        (at,) = (hole for hole in self.own(mover) if self.name(hole) == move)
        hand, holes[at] = holes[at], 0
        while hand:
            at = (at + 1) % len(holes)
            if at != self.stores[1 - mover]:
                holes[at] += 1
                hand -= 1
        opposite = 2 * self.pits - at
        if at in self.own(mover) and holes[at] == 1 and holes[opposite]:
            holes[self.stores[mover]] += 1 + holes[opposite]
            holes[at] = holes[opposite] = 0
        sides = [sum(holes[hole] for hole in self.own(player)) for player in (0, 1)]
        if 0 in sides:
            for player in (0, 1):
                holes[self.stores[player]] += sides[player]
                for hole in self.own(player):
                    holes[hole] = 0
        return tuple(holes), mover if at == self.stores[mover] else 1 - mover

    def outcome(self, state: State) -> str | None:
        """Return who has more seeds once all are in the stores."""
        first, second = self.scores(state)
        if first + second < 2 * self.pits * self.seeds:
            return None
        return "draw" if first == second else "first" if first > second else "second"

    def scores(self, state: State) -> tuple[int, int]:
        """Return the seeds in the stores."""
        holes, _ = state
        return holes[self.stores[0]], holes[self.stores[1]]

    def mover(self, state: State) -> int:
        """Return 0 for South, 1 for North."""
        return state[1]

    def text(self, state: State) -> str:
        """Return the sides in the order of sowing, each with its store, and the mover."""
        holes, mover = [str(count) for count in state[0]], state[1]
        south, north = ",".join(holes[: self.pits + 1]), ",".join(holes[self.pits + 1 :])
        return f"{south} {north} {'SN'[mover]}"
