"""How one position follows from another."""

from __future__ import annotations

from plyboard.games.rules import Rules, State


def steps_between(rules: Rules, old: State, new: State) -> tuple[int, ...] | None:
    """Return the actions that lead from one state to another, two at most; None if none do."""
    if old == new:
        return ()
    after = [(action, rules.play(old, action)) for action in _actions(rules, old)]
    for action, state in after:
        if state == new:
            return (action,)
    for action, state in after:
        for reply in _actions(rules, state):
            if rules.play(state, reply) == new:
                return (action, reply)
    return None


def _actions(rules: Rules, state: State) -> list[int]:
    legal = 0 if rules.over(state) else rules.legal(state)
    return [action for action in rules.order if legal >> action & 1]
