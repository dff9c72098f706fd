"""Tokens that prove who holds a seat. Only their hashes are stored."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from base64 import urlsafe_b64encode

TOKEN_BYTES = 32
ID_LENGTH = 16
ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # no look-alikes: people read ids aloud
GAME_ID = re.compile(f"[{ID_LETTERS}]{{{ID_LENGTH}}}", re.ASCII)


def new_token() -> str:
    """Return a random token of 256 bits."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_game_id() -> str:
    """Return a random id of a game, 80 bits."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def derived_game(secret: str, request: str) -> tuple[str, str]:
    """Return the id and the token of a game that are always the same for a client's request.

    They tell nothing about the secret, which only the client has, or only its socket.
    """
    id_bytes, token_bytes = (
        hashlib.sha256(f"{use} {secret} {request}".encode()).digest() for use in ("game", "token")
    )
    letters = (ID_LETTERS[byte % len(ID_LETTERS)] for byte in id_bytes[:ID_LENGTH])
    return "".join(letters), urlsafe_b64encode(token_bytes).rstrip(b"=").decode()


def is_game_id(text: str) -> bool:
    """Return whether a text has the form of a game's id."""
    return GAME_ID.fullmatch(text) is not None


def token_hash(token: str) -> bytes:
    """Return the hash under which a token is stored."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def is_same_token(hashed: bytes, stored: bytes) -> bool:
    """Return whether two hashes are those of one token, in constant time; never without one."""
    return bool(stored) and hmac.compare_digest(hashed, stored)
