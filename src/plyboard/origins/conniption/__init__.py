"""The classes of the Conniption AI, so that a program written against them runs with ours."""

from plyboard.origins.conniption.search import AlphaBeta
from plyboard.origins.conniption.state import Conniption

__all__ = ["AlphaBeta", "Conniption"]
