"""Reports on events: the figures, and how a terminal, JSON and a page show them."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from arena.events import LEAGUE, event
from rich.console import Console

from plyboard.arena.report import EventReport, report_html, report_json, report_tables, to_html
from plyboard.arena.report.event_report import SwissRow
from plyboard.arena.report.to_html import game_facts
from plyboard.arena.report.wording import interval_text, score_text
from plyboard.arena.statistics.elo import GameCounts, PairCounts, expected_score
from plyboard.arena.statistics.sprt import SprtTest
from plyboard.cli.common.event_report import print_report


def printed(report: EventReport, width: int) -> str:
    console = Console(width=width, file=io.StringIO())
    for part in report_tables(report, width):
        console.print(part)
    file = console.file
    assert isinstance(file, io.StringIO)
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines())


def test_games_are_counted_for_both_players_and_in_pairs() -> None:
    report = event(LEAGUE)

    assert report.meeting("strong", "weak").games == GameCounts(wins=2)
    assert report.meeting("weak", "strong").games == GameCounts(losses=2)
    assert report.meeting("strong", "weak").pairs == PairCounts(two=1)  # the other is void
    assert report.meeting("strong", "fair").pairs == PairCounts(one=1)
    assert report.meeting("fair", "weak").pairs == PairCounts(three_halves=1)
    assert report.total("strong").games == GameCounts(wins=3, losses=1)
    assert report.meeting("weak", "weak").count == 0
    assert (len(report.games), len(report.counted), report.void) == (8, 6, 2)


def test_half_a_pair_counts_as_a_game_but_not_as_a_pair() -> None:
    report = event([("a", "b", "1-0"), ("b", "a", "0-1"), ("a", "b", "1-0")])  # one is to come

    assert report.meeting("a", "b").games == GameCounts(wins=3)
    assert report.meeting("a", "b").pairs == PairCounts(two=1)


def test_the_best_agent_comes_first() -> None:
    report = event(LEAGUE)

    assert [rating.player for rating, _ in report.standings] == ["strong", "fair", "weak"]
    assert [total.share for _, total in report.standings] == [0.75, 0.625, 0.125]


def test_colours_lengths_and_reasons_are_counted() -> None:
    report = event(LEAGUE)

    assert report.colours == GameCounts(losses=2, draws=1, wins=3)
    assert report.mean_plies == pytest.approx((3 * 7 + 2 * 8 + 1) / 6)
    assert report.reasons == {"line": 6, "agreed": 1, "abandoned": 1}


def test_effort_is_counted_for_whoever_moved() -> None:
    efforts = event([("a", "b", "1-0"), ("b", "a", "1-0")]).efforts

    assert (efforts["a"].moves, efforts["a"].nodes) == (4 + 3, 400)
    assert efforts["a"].seconds_per_move == pytest.approx(0.0402 / 7)
    assert efforts["a"].nodes_per_move == pytest.approx(400 / 7)


def test_a_fault_is_reported_with_its_reason() -> None:
    report = event([("a", "b", "0-1"), ("b", "a", "1-0")], fault="it raised ValueError")

    assert [(fault.number, fault.agent, fault.opponent) for fault in report.faults] == [
        (0, "a", "b")
    ]
    assert "game 1: a lost, fault: it raised ValueError" in printed(report, 80)
    assert "it raised ValueError" in report_html(report)


def test_the_page_folds_a_long_list_of_faults() -> None:
    report = event([("a", "b", "0-1"), ("b", "a", "1-0")], fault="it raised ValueError")
    task, result = report.games[0]
    many = EventReport.of(
        ["a", "b"],
        [replace(task, number=number) for number in range(12)],
        [replace(result, number=number) for number in range(12)],
        "Faults",
        {},
    )
    shown, _, folded = report_html(many).partition("<details><summary>2 more</summary>")

    assert (shown.count("<li>Game"), folded.count("<li>Game")) == (10, 2)
    assert "<details>" not in report_html(report)


def test_a_terminal_of_80_columns_shows_everything() -> None:
    out = printed(event(LEAGUE), 80)

    assert re.search(r"1 +strong +\+\d+ \[-\d+, \+\d+\] +75.0% +4 +\d+\.\d ms +\d+", out)
    assert re.search(r"1 +strong +· +1/2 +2/2\n", out)
    assert "advantage of moving first" in out
    assert max(map(len, out.splitlines())) <= 80


def test_a_pipe_gets_long_names_and_faults_in_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    long, fault = "json:python3 " + "class/" * 30 + "bot.py", "crash: " + "raised " * 30
    games = [tuple(long if name == "strong" else name for name in game) for game in LEAGUE]
    print_report(event(games, fault=fault), as_json=False)  # type: ignore[arg-type]
    lines = capsys.readouterr().out.splitlines()

    assert sum(long in line for line in lines) == 2  # standings and crosstable
    assert any(line.endswith(fault.strip()) for line in lines)
    assert all(line == line.rstrip() for line in lines)


def test_an_asymmetric_interval_is_given_by_its_bounds() -> None:
    played = [("a", "b", "1-0"), ("b", "a", "0-1")] * 9 + [("a", "b", "0-1"), ("b", "a", "0-1")]
    report = event(played)
    low, high = (
        expected_score(end)
        for end in (report.meeting("a", "b").elo.low, report.meeting("a", "b").elo.high)
    )
    bounds = rf"95\.0% \[{low:.1%}, {high:.1%}\]"

    assert re.search(rf"score +19/20, {bounds}\n", printed(report, 80))
    assert re.search(rf"score</dt><dd>19/20, {bounds}<", report_html(report))
    assert re.search(r"Elo difference +\+\d+ ± \d+\n", printed(report, 80))
    assert interval_text(223, 134, 352) == "+223 [+134, +352]"  # not +223 ± 109
    assert interval_text(-0.2, -7.4, 7.0) == "+0 ± 7"
    assert score_text(event(played[:18]).meeting("a", "b")) == "100.0% [77.8%, 100.0%]"


def test_a_narrow_terminal_gets_fewer_columns() -> None:
    league = [(first + "-with-a-long-name", second, result) for first, second, result in LEAGUE]
    out = printed(event(league), 36)

    assert "time/move" not in out
    assert "75.0%" in printed(event(LEAGUE), 40)
    assert "opponent" in out  # a list instead of the crosstable
    assert max(map(len, out.splitlines())) <= 36


def test_a_match_of_two_has_an_elo_difference_and_no_ratings() -> None:
    out = printed(
        event([("a", "b", "1-0"), ("b", "a", "0-1"), ("a", "b", "1-0"), ("b", "a", "1-0")]), 80
    )

    assert re.search(r"score +3/4, 75.0% \[\d+\.\d%, 9\d\.\d%\]\n", out)
    assert re.search(r"won, drawn, lost +3, 0, 1\n", out)
    assert re.search(r"pairs with 0 to 2 points +0, 0, 1, 0, 1", out)
    assert "Elo difference" in out
    assert not re.search(r"agent +Elo", out)


def test_a_match_won_throughout_has_a_bound_instead_of_a_difference() -> None:
    out = printed(event([("a", "b", "1-0"), ("b", "a", "0-1")] * 10), 80)

    assert re.search(r"Elo difference +more than \+2\d\d\n", out)
    assert "normalized" not in out


def test_a_sequential_test_shows_its_ratio_and_its_decision() -> None:
    played = event([("a", "b", "1-0"), ("b", "a", "0-1")] * 30)
    report = EventReport(
        played.title, played.settings, played.agents, played.games, SprtTest(0, 50)
    )
    facts = report_json(report)["sprt"]

    assert "decision                   H1 accepted: +50 Elo or more" in printed(report, 80)
    assert facts["decision"] == "H1"
    assert facts["llr"] >= facts["bounds"][1]


def test_a_test_without_decision_says_whether_more_games_would_help() -> None:
    played = event([("a", "b", "1-0"), ("b", "a", "1-0")] * 4)
    report = replace(played, sprt=SprtTest(-5, 5))

    assert "none after 4 pairs; pairs like these never tell H0 and H1 apart" in printed(report, 120)
    assert report_json(report)["sprt"]["pairs_left"] is None
    report = replace(played, sprt=SprtTest(0, 20))
    assert "none after 4 pairs; at this rate about 92 more games would decide" in printed(
        report, 120
    )


def test_an_event_without_games_can_be_shown() -> None:
    report = EventReport.of(["a", "b", "c"], [], [], "Nothing yet", {})

    assert "Nothing yet" in printed(report, 80)
    assert json.loads(json.dumps(report_json(report)))["games"] == 0
    assert "<h1>Nothing yet</h1>" in report_html(report)


def test_json_holds_all_figures_and_no_infinity() -> None:
    text = json.dumps(report_json(event(LEAGUE)), allow_nan=False)
    facts = json.loads(text)

    assert [each["agent"] for each in facts["agents"]] == ["strong", "fair", "weak"]
    assert facts["agents"][0]["low"] < facts["agents"][0]["elo"] < facts["agents"][0]["high"]
    assert facts["pairings"][0]["elo"]["elo"] is None  # strong won every game against weak
    assert facts["colours"]["wins"] == 3
    assert facts["reasons"]["line"] == 6


class Tags(HTMLParser):
    """Collects the elements of a page, and checks that they are closed."""

    VOID = ("meta", "br", "input")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_texts_cannot_become_markup_or_leave_the_data() -> None:
    evil = "</script><img src=x onerror=alert(1)>"
    page = report_html(
        event([(evil, "b{{script}}", "1-0"), ("b{{script}}", evil, "0-1")], title=evil)
    )
    tags = Tags()
    tags.feed(page)

    assert not tags.open
    assert "img" not in tags.names
    assert tags.names.count("script") == 2
    assert not [name for name, _ in tags.attributes if name.startswith("on") or name == "style"]
    assert page.count('"use strict"') == 1


def test_a_page_may_load_nothing_and_run_only_its_own_script() -> None:
    page = report_html(event(LEAGUE))
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)

    assert policy
    assert policy[1].startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy[1]
    assert not re.search(r'(src|href)="', page)


def test_a_swiss_tournament_has_its_table_before_the_ratings() -> None:
    rows = (
        SwissRow("strong", 4.0, 3.5, 1),
        SwissRow("fair", 4.0, 2.0, 0),
        SwissRow("weak", 0.5, 4, 0),
    )
    report = replace(event(LEAGUE), swiss=rows)
    out, page = printed(report, 80), report_html(report)

    assert re.search(r"# +agent +points +Buchholz +byes\n", out)
    assert re.search(r"1 +strong +4 +3\.5 +1\n +2 +fair +4 +2 *\n", out)
    assert out.index("Buchholz") < out.index("time/move")
    assert page.index("<h2>Swiss table</h2>") < page.index("<h2>Ratings</h2>")
    assert "Swiss" not in report_html(event(LEAGUE))


def test_many_agents_get_no_row_for_each_pairing() -> None:
    names = [f"agent {number}" for number in range(31)]
    report = event([(one, other, "1-0") for one, other in pairwise(names)])
    out, page = printed(report, 80), report_html(report)

    assert "points against" not in out
    assert "opponent" not in out
    assert "Only events of up to 30 agents have a crosstable." in page


def test_a_page_of_many_games_shows_as_many_as_it_can_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    report = event([("a", "b", "1-0"), ("b", "a", "1-0")] * 3)  # of 7 plies each
    monkeypatch.setattr(to_html, "MOST_PLIES", 30)

    facts = game_facts(report)

    assert [each["n"] for each in facts["games"]] == [1, 2, 3, 4]
    assert facts["left"] == 2
