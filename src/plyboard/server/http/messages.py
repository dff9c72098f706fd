"""Reads the messages of clients: each text is parsed once."""

from __future__ import annotations

import json
import re

from plyboard.server.limits import ServerLimits
from plyboard.server.protocol import REQUEST_ID, ClientMessage, ErrorAnswer, decoded_request

Shape = tuple[object, str]
"""The values of a text, None if it is no JSON, and what is wrong with their shape."""


class UnreadableMessageError(Exception):
    """A message that cannot be read, with the answer."""

    def __init__(self, answer: ErrorAnswer) -> None:
        self.answer = answer
        super().__init__(answer.message)


def read_message(text: str, limits: ServerLimits) -> ClientMessage:
    """Return the message of a client; raise `UnreadableMessageError` if it is not one."""
    value, fault = parsed(text, limits)
    request = _id_in(value)
    if len(text.encode("utf-8", "surrogatepass")) > limits.message_bytes:
        told = f"The message is longer than {limits.message_bytes} bytes."
        raise UnreadableMessageError(ErrorAnswer(request, "too_big", told))
    if not fault:
        try:
            return decoded_request(value)
        except ValueError as wrong:
            fault = str(wrong)
    raise UnreadableMessageError(ErrorAnswer(request, "bad_message", fault[:200]))


def parsed(text: str, limits: ServerLimits) -> Shape:
    """Parse a JSON text; say if it repeats a field, is too deep or has too many fields."""
    fields, is_repeated = 0, False

    def count(pairs: list[tuple[str, object]]) -> dict[str, object]:
        nonlocal fields, is_repeated
        found = dict(pairs)
        fields += len(pairs)
        is_repeated |= len(found) != len(pairs)
        return found

    try:
        value = json.loads(text, object_pairs_hook=count)
        depth = _depth(value)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()  # half a character is none
    except (ValueError, RecursionError) as wrong:
        return None, str(wrong)
    if is_repeated:
        return value, "a field is given twice"
    if fields > limits.json_keys:
        return value, f"more than {limits.json_keys} fields"
    if depth > limits.json_depth:
        return value, f"nested more than {limits.json_depth} deep"
    return value, ""


def _depth(value: object) -> int:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, parts), default=0) if isinstance(value, dict | list) else 0


def _id_in(value: object) -> str | None:
    """Return the id of a message that may be wrong otherwise; None if it has none."""
    found = value.get("id") if isinstance(value, dict) else None
    return found if isinstance(found, str) and re.match(REQUEST_ID, found) else None
