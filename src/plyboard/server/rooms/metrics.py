"""Figures about a running server, in the text format of Prometheus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)  # seconds


@dataclass
class Metrics:
    """Counts requests and measures how long their answers take."""

    requests: Counter[tuple[str, str]] = field(default_factory=Counter)  # by type and result
    slow: Counter[float] = field(default_factory=Counter)  # answers by their smallest bucket
    seconds: float = 0.0

    def count(self, kind: str, result: str, seconds: float) -> None:
        """Count an answered request; the result is `ok` or the code of an error."""
        self.requests[kind, result] += 1
        self.seconds += seconds
        bucket = next((each for each in BUCKETS if seconds <= each), float("inf"))
        self.slow[bucket] += 1

    def text(self, gauges: dict[str, int]) -> str:
        """Return all figures; gauges are current numbers by name."""
        return "\n".join([*self._gauges(gauges), *self._counters(), *self._histogram(), ""])

    def _gauges(self, gauges: dict[str, int]) -> Iterator[str]:
        for name, value in gauges.items():
            yield f"# TYPE plyboard_{name} gauge"
            yield f"plyboard_{name} {value}"

    def _counters(self) -> Iterator[str]:
        yield "# TYPE plyboard_requests_total counter"
        for (kind, result), count in sorted(self.requests.items()):
            yield f'plyboard_requests_total{{type="{kind}",result="{result}"}} {count}'

    def _histogram(self) -> Iterator[str]:
        yield "# TYPE plyboard_answer_seconds histogram"
        total = 0
        for bucket in BUCKETS:
            total += self.slow[bucket]
            yield f'plyboard_answer_seconds_bucket{{le="{bucket}"}} {total}'
        total += self.slow[float("inf")]
        yield f'plyboard_answer_seconds_bucket{{le="+Inf"}} {total}'
        yield f"plyboard_answer_seconds_sum {self.seconds:.6f}"
        yield f"plyboard_answer_seconds_count {total}"
