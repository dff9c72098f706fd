"""Games in the browser, to the end: by mouse, by keys, by touch, and with friends."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect
from web.site import ServerProcess, Visitor, Visitors

from plyboard.games import Position

MOST_PLIES = 120
LEGAL = ".target[aria-disabled=false]"
SMALL = {
    "connect-four": {"columns": 4, "rows": 4, "line": 3},
    "conniption": {"columns": 5, "rows": 4, "flips": 1},
    "extended": {"rows": 3, "columns": 4, "pops": 1},
    "squatter": {"size": 4},
}
OVER = re.compile(r"\bis-over\b")


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def after(game: str, *moves: str) -> Position:
    position = Position(game)
    for move in moves:
        position = position.play(move)
    return position


def play_to_the_end(
    visitor: Visitor, game: str, use: Callable[[Locator], None] = Locator.click
) -> Position:
    """Use legal targets until the game is over; turn a modifier on now and then."""
    page = visitor.page
    for ply in range(MOST_PLIES):
        expect(page.locator(f".game.is-over, {LEGAL}").first).to_be_attached()
        if page.locator(".game.is-over").count():
            break
        usable = page.locator(".modifiers .chip:enabled")
        if ply % 5 == 4 and usable.count():
            use(usable.first)
            expect(page.locator(f'.chip[aria-pressed="true"], {LEGAL}').first).to_be_attached()
        moves = visitor.move_buttons.count()
        legal = page.locator(LEGAL)
        use(legal.nth(ply * 3 % legal.count()))
        expect(visitor.move_buttons.nth(moves)).to_be_attached()
    expect(page.locator(".game")).to_have_class(OVER)
    return after(game, *visitor.moves())


def test_one_click_starts_a_game_against_the_engine(visitor: Visitor) -> None:
    visitor.page.get_by_role("button", name="Play Connect Four").click()

    expect(visitor.status).to_have_text("Your move")
    expect(visitor.page.locator(".player-top")).to_contain_text("Engine level 5")
    expect(visitor.page).to_have_url(re.compile(r"/game/[a-z2-9]{16}$"))


def test_a_game_against_an_agent_is_played_to_the_end_by_mouse(visitor: Visitor) -> None:
    visitor.set_up("connect-four", second="random")
    end = play_to_the_end(visitor, "connect-four")

    assert end.is_over
    assert visitor.shows(end)
    visitor.page.get_by_role("button", name="Rematch").click()
    expect(visitor.move_buttons).to_have_count(1)  # the agent begins now
    expect(visitor.status).to_have_text("Your move")


@pytest.mark.parametrize("game", ["conniption", "extended", "squatter"])
def test_two_people_at_one_screen_play_to_the_end_by_mouse(visitor: Visitor, game: str) -> None:
    visitor.set_up(game)
    end = play_to_the_end(visitor, game)

    assert end.is_over
    assert visitor.shows(end)
    assert {"conniption": "f", "extended": "p", "squatter": ""}[game] in "".join(end.moves)
    notes = "\n".join(end.picture().notes)
    expect(visitor.page.locator(".notes")).to_have_text(notes)


def test_a_game_is_played_to_the_end_by_keys(visitor: Visitor) -> None:
    page = visitor.page
    visitor.go("/?new=connect-four")
    page.locator("#setup-seat-1").focus()
    page.keyboard.type("Me")
    for _ in range(5):  # three numbers, the clock, and the button
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(visitor.status).to_have_text("Player x to move")

    for ply, key in enumerate("414141", 1):
        page.keyboard.press(key)
        expect(visitor.move_buttons).to_have_count(ply)
    expect(visitor.target("1")).to_be_focused()
    for key in ("ArrowRight", "End", "Home", "ArrowRight", "ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)

    expect(visitor.status).to_have_text("Player x wins with a line")
    expect(page.locator(".board .line")).to_have_count(4)
    assert visitor.shows(after("connect-four", *"4141414"))


@pytest.mark.parametrize("game", SMALL)
def test_every_game_is_played_to_the_end_by_keys_and_by_touch(
    visitors: Visitors, game: str
) -> None:
    settings = ",".join(f"{name}={number}" for name, number in SMALL[game].items())
    visitor = visitors.open(width=390, has_touch=True, is_mobile=True)
    ends = []
    for use in (lambda target: target.press("Enter"), Locator.tap):
        visitor.set_up(game, "me", "me", **SMALL[game])
        ends.append(play_to_the_end(visitor, f"{game}:{settings}", use))
        assert ends[-1].is_over
        assert visitor.shows(ends[-1])

    assert ends[0].moves == ends[1].moves


def test_keys_choose_the_kind_of_a_move(visitor: Visitor) -> None:
    visitor.set_up("conniption")
    for keys, count in (("4", 1), ("F4", 2), ("5", 3), ("fF5", 4)):
        visitor.page.keyboard.type(keys)
        expect(visitor.move_buttons).to_have_count(count)
    visitor.page.keyboard.type("f")  # right after the opponent's flip
    expect(visitor.page.get_by_role("alert")).to_have_text("Flip first is not possible now.")

    assert visitor.moves() == ["4", "4f", "5", "f5f"]


def test_a_game_is_played_to_the_end_by_touch(visitors: Visitors) -> None:
    visitor = visitors.open(width=390, has_touch=True, is_mobile=True)
    visitor.go("/?new=connect-four")
    visitor.page.locator("#setup-seat-1").select_option("me")
    visitor.page.get_by_role("dialog").get_by_role("button", name="Play").tap()
    for ply, key in enumerate("4141414", 1):
        visitor.target(key).tap()
        expect(visitor.move_buttons).to_have_count(ply)
        expect(visitor.page.locator(".ghost")).to_have_count(0)

    expect(visitor.status).to_have_text("Player x wins with a line")


def invited(visitors: Visitors) -> tuple[Visitor, Visitor]:
    """Return two people who play each other."""
    host = visitors.open()
    host.set_up("connect-four", second="open")
    expect(host.status).to_have_text("Waiting for a player")
    guest = visitors.open(host.page.url.removeprefix(host.address))
    guest.page.get_by_label("Your name").fill("Bob")
    guest.page.get_by_role("button", name="Take the open seat").click()
    expect(guest.status).to_have_text("Guest to move")
    expect(host.status).to_have_text("Your move")
    return host, guest


def test_friends_play_and_a_third_person_watches(visitors: Visitors) -> None:
    host, guest = invited(visitors)
    spectator = visitors.open(host.page.url.removeprefix(host.address))
    host.play("4")
    guest.play("4")
    host.play("3")

    for each in (host, guest, spectator):
        expect(each.move_buttons).to_have_text(["4", "4", "3"])
        assert each.shows(after("connect-four", *"443"))
    expect(guest.status).to_have_text("Your move")
    expect(spectator.page.locator(LEGAL)).to_have_count(0)
    expect(spectator.page.get_by_role("button", name="Resign")).to_have_count(0)
    expect(spectator.page.get_by_role("button", name="Take the open seat")).to_have_count(0)


def test_friends_go_to_their_rematch_together(visitors: Visitors) -> None:
    host, guest = invited(visitors)
    spectator = visitors.open(host.page.url.removeprefix(host.address))
    expect(spectator.page.locator(".player-name")).to_have_text(["Bob", "Guest"])
    button(host.page, "Resign").click()
    button(host.page, "Really resign?").click()
    button(host.page, "Rematch").click()
    expect(host.page.locator(".banner")).to_have_text("You asked for a rematch.")
    expect(button(host.page, "Rematch")).to_be_disabled()
    expect(guest.page.locator(".banner")).to_contain_text("Guest wants a rematch.")
    button(guest.page, "Decline").click()
    expect(host.page.locator(".toast")).to_have_text("Your request was declined.")
    button(host.page, "Rematch").click()
    before = host.page.url
    button(guest.page, "Accept").click()
    expect(guest.status).to_have_text("Your move")  # the sides are exchanged
    expect(host.status).to_have_text("Bob to move")
    assert host.page.url == guest.page.url != before

    guest.play("4")
    host.play("4")
    spectator.page.get_by_role("link", name="Go to the rematch").click()
    expect(spectator.move_buttons).to_have_text(["4", "4"])
    expect(spectator.page.locator(LEGAL)).to_have_count(0)


def test_a_hint_shows_the_best_move(visitor: Visitor) -> None:
    visitor.set_up("connect-four", second="random")
    button(visitor.page, "Hint").click()
    expect(visitor.page.locator(".board-values .best")).to_have_text("+1")
    expect(visitor.page.locator(".toast")).to_contain_text("Hint: 4")
    visitor.target("4").click()
    expect(visitor.move_buttons).to_have_count(2)

    expect(visitor.page.locator(".board-values .best")).to_have_count(0)
    expect(visitor.page.locator(".toast")).to_be_hidden()


def test_friends_agree_on_a_takeback_and_a_draw(visitors: Visitors) -> None:
    host, guest = invited(visitors)
    host.play("4")
    button(host.page, "Take back").click()
    expect(host.page.locator(".banner")).to_have_text("You asked to take a move back.")
    button(guest.page, "Accept").click()
    for each in (host, guest):  # an offer from an older position would be refused
        expect(each.move_buttons).to_have_count(0)
    expect(host.status).to_have_text("Your move")

    button(guest.page, "Offer draw").click()
    button(host.page, "Decline").click()
    expect(guest.page.locator(".banner")).to_have_count(0)
    expect(guest.page.locator(".toast")).to_have_text("Your request was declined.")
    expect(host.page.locator(".toast")).to_be_hidden()
    button(guest.page, "Offer draw").click()
    button(host.page, "Accept").click()
    for each in (host, guest):
        expect(each.status).to_have_text("Draw by agreement")


def test_resigning_needs_two_clicks(visitor: Visitor) -> None:
    visitor.set_up("connect-four", second="random")
    button(visitor.page, "Resign").click()
    expect(visitor.status).to_have_text("Your move")
    button(visitor.page, "Really resign?").click()

    expect(visitor.status).to_have_text("Random wins by resignation")


def test_a_takeback_against_an_agent_is_done_at_once(visitor: Visitor) -> None:
    visitor.set_up("connect-four", second="random")
    visitor.target("4").click()
    expect(visitor.move_buttons).to_have_count(2)
    button(visitor.page, "Take back").click()

    expect(visitor.move_buttons).to_have_count(0)
    expect(visitor.status).to_have_text("Your move")


def test_two_people_at_one_screen_take_a_move_back(visitor: Visitor) -> None:
    visitor.set_up("squatter")
    visitor.play("c3", "d4")
    button(visitor.page, "Take back").click()

    expect(visitor.move_buttons).to_have_text(["c3"])
    expect(visitor.status).to_have_text("Player B to move")


def test_a_public_game_is_joined_from_the_lobby(visitors: Visitors) -> None:
    host = visitors.open("/?new=squatter")
    host.page.locator("#setup-seat-1").select_option("open")
    host.page.locator("#setup-name").fill("Ann")
    host.page.get_by_label("Show this game in the lobby").check()
    host.page.get_by_role("dialog").get_by_role("button", name="Play").click()
    expect(host.status).to_have_text("Waiting for a player")
    guest = visitors.open("/lobby")
    guest.page.get_by_role("link", name="Join Squatter against Ann").click()

    expect(guest.status).to_have_text("Ann to move")
    expect(host.status).to_have_text("Your move")


def test_a_reload_keeps_the_seat(visitors: Visitors) -> None:
    host, guest = invited(visitors)
    host.play("4")
    for each in (host, guest):
        each.page.reload()

    expect(host.status).to_have_text("Bob to move")
    expect(guest.status).to_have_text("Your move")
    guest.play("5")
    expect(host.move_buttons).to_have_text(["4", "5"])


def test_a_game_goes_on_after_the_server_was_killed(
    visitors: Visitors, server: ServerProcess
) -> None:
    host, guest = invited(visitors)
    host.play("4")
    guest.play("5")
    server.kill()
    expect(host.page.locator("#connection")).to_have_text("Reconnecting")
    host.target("4").click()  # sent once the server is back
    server.start()

    for each in (host, guest):
        expect(each.page.locator("#connection")).to_have_text("Connected")
        expect(each.move_buttons).to_have_text(["4", "5", "4"])
        each.complaints = [text for text in each.complaints if "WebSocket connection" not in text]
    guest.play("6")
    expect(host.move_buttons).to_have_text(["4", "5", "4", "6"])


def test_a_game_goes_on_after_the_network_was_cut(visitors: Visitors) -> None:
    host, guest = invited(visitors)
    host.page.context.set_offline(True)
    expect(host.page.locator("#connection")).to_have_text("Reconnecting")
    host.target("4").click()
    expect(host.page.locator(".toast")).to_contain_text("You are offline.")
    host.page.context.set_offline(False)

    expect(guest.move_buttons).to_have_text(["4"])
    # The page may have tried in vain, which the browser reports.
    host.complaints = [text for text in host.complaints if "DISCONNECTED" not in text]


def test_a_move_without_an_answer_is_sent_again_and_made_once(visitors: Visitors) -> None:
    host, guest = invited(visitors)
    sent: list[dict[str, object]] = []
    lost: list[str] = []

    def route(socket: WebSocketRoute) -> None:
        """Pass everything on, but cut the first socket after a move before its answer."""
        server = socket.connect_to_server()

        def to_server(text: str | bytes) -> None:
            sent.append(json.loads(text))
            server.send(text)

        def to_page(text: str | bytes) -> None:
            is_after_move = any(message["t"] == "move" for message in sent)
            if is_after_move and not lost:
                lost.append(str(text))
                socket.close(code=1011)
            else:
                socket.send(text)

        socket.on_message(to_server)
        server.on_message(to_page)

    host.page.route_web_socket("**/play*", route)
    host.page.reload()
    host.play("4")

    moves = [message for message in sent if message["t"] == "move"]
    assert len(moves) == 2
    assert moves[0] == moves[1]
    assert lost
    expect(guest.move_buttons).to_have_text(["4"])
    guest.play("5")
    expect(host.move_buttons).to_have_text(["4", "5"])


def test_past_positions_can_be_looked_at(visitor: Visitor) -> None:
    visitor.set_up("connect-four")
    visitor.play("4", "4", "3")
    visitor.page.get_by_role("button", name="Move 1: 4").click()
    expect(visitor.status).to_have_text("After move 1 of 3")
    expect(visitor.page.locator(".stage .place")).to_have_count(1)
    expect(visitor.page.locator(LEGAL)).to_have_count(0)
    visitor.page.get_by_role("button", name="One move forward").click()
    expect(visitor.page.locator(".stage .place")).to_have_count(2)
    visitor.page.get_by_role("button", name="Last position").click()

    expect(visitor.page.locator(".stage .place")).to_have_count(3)
    expect(visitor.page.locator(LEGAL)).to_have_count(7)
    visitor.page.get_by_role("button", name="Move 3: 3").focus()
    visitor.page.keyboard.press("ArrowLeft")
    expect(visitor.page.locator(".stage .place")).to_have_count(2)
    visitor.target("5").click(force=True)  # nothing can be played in the past
    expect(visitor.page.locator(".toast")).to_contain_text("That was a past position.")
    expect(visitor.page.locator(".stage .place")).to_have_count(3)
    visitor.play("5")


def test_clocks_run_in_the_browser(visitor: Visitor) -> None:
    visitor.go("/?new=connect-four")
    visitor.page.locator("#setup-seat-1").select_option("me")
    visitor.page.locator("#setup-clock").select_option("60")
    visitor.page.get_by_role("dialog").get_by_role("button", name="Play").click()

    expect(visitor.page.locator(".player-bottom .clock")).to_have_text(re.compile(r"0:5\d"))
    expect(visitor.page.locator(".player-top .clock")).to_have_text("1:00")


def test_the_view_can_be_turned(visitor: Visitor) -> None:
    visitor.set_up("connect-four")
    visitor.play("1")
    left = visitor.target("1").bounding_box()
    visitor.page.get_by_role("button", name="Turn the board").click()
    expect(visitor.page.locator(".target").first).to_have_attribute("data-key", "7")
    visitor.page.keyboard.press("T")
    expect(visitor.page.locator(".target").first).to_have_attribute("data-key", "1")
    visitor.page.keyboard.press("?")
    dialog = visitor.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Turn the board")
    dialog.get_by_role("button", name="Close").click()
    visitor.page.keyboard.press("T")
    expect(visitor.page.locator(".target").first).to_have_attribute("data-key", "7")
    right = visitor.target("1").bounding_box()

    assert left is not None
    assert right is not None
    assert right["x"] > left["x"]


def test_a_ghost_shows_where_a_move_would_be_made(visitor: Visitor) -> None:
    visitor.set_up("extended")
    ghost = visitor.page.locator(".ghost text")
    visitor.target("2").hover()
    expect(ghost).to_have_text(["1", "1"])  # above the column, and in the cell where it lands
    cell = visitor.page.locator(".ghost").last.bounding_box()
    visitor.play("2", "3")
    disc = visitor.page.locator('.place[data-cell="5,2"]').bounding_box()
    assert cell is not None
    assert disc is not None
    assert (round(cell["x"]), round(cell["y"])) == (round(disc["x"]), round(disc["y"]))
    visitor.page.get_by_role("button", name="Pop").click()
    visitor.target("2").hover()
    expect(ghost).to_have_text("2p")
    visitor.target("3").hover()  # player 1 cannot pop there
    expect(ghost).to_have_count(0)


def test_changes_are_told_to_screen_readers(visitor: Visitor) -> None:
    visitor.set_up("squatter")
    visitor.play("c3")

    expect(visitor.page.locator("[aria-live]")).to_have_text("Player W played c3.")
    expect(visitor.target("c3")).to_have_attribute("aria-label", "c3: W")
