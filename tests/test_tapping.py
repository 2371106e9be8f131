"""Asking by tapping, without a script: links alone lead from the start page to an answer, and every state is an address."""

from __future__ import annotations

import html
import re
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from fastapi.testclient import TestClient

from api import tapping
from api.ask_page import EXAMPLE
from api.tapping import State
from kb import asking, registry
from kb.answers import explain
from kb.answers.interview import Interview, starts, switches

LINK = re.compile(r'<a\b([^>]*)href="([^"]*)"([^>]*)>(.*?)</a>', re.S)


class Page:
    """A page as somebody without scripts has it: links, and what is to be read."""

    def __init__(self, client: TestClient, address: str):
        self.client, self.address = client, address
        found = client.get(address)
        self.status, self.text = found.status_code, found.text

    def part(self, name: str) -> str:
        found = re.search(rf'<(section|details|div)[^>]*class="[^"]*\b{name}\b.*?</\1>', self.text, re.S)
        return found.group() if found else ""

    def links(self, text: str) -> list[tuple[str, str]]:
        rows = LINK.findall(text)
        return [(html.unescape(re.sub(r"<[^>]+>", "", said)).strip(), html.unescape(href)) for _, href, _, said in rows]

    def tap(self, word: str, within: str = "") -> Page:
        text = self.text[self.text.index(within) :] if within else self.text
        found = [href for said, href in self.links(text) if said == word]
        assert found, f"nothing says “{word}”: {[said for said, _ in self.links(text)]}"
        return Page(self.client, found[0])

    @property
    def verdict(self) -> str:
        found = re.search(r'<p class="verdict [^"]*">(.*?)</p>', self.text, re.S)
        return html.unescape(re.sub(r"<[^>]+>", "", found[1])) if found else ""


# ── from the start page to an answer ──


@pytest.mark.slow
def test_my_squad_and_the_enemy_outside_in_eight_taps_without_a_script(client: TestClient) -> None:
    page, taps = Page(client, "/"), ("move", "pillbox", "squad", "squad")
    for tap in taps:
        assert not page.verdict
        page = page.tap(tap, 'id="asked"' if "/ask?" in page.address else "Advanced Squad Leader")
    assert page.verdict == "FORBIDDEN: squad may not move into pillbox (B30.42)" and len(taps) <= 8
    assert page.verdict == explain.headline(
        asking.ask(tapping.seen(State("asl", "Move", answers=("pillbox", "squad", "enemy squad"))).case)
    )


def test_no_enemy_outside_and_my_squad_goes_in(client: TestClient) -> None:
    page = Page(client, "/ask?book=asl&act=Move&a=pillbox&a=squad").tap("No")
    assert "So far: " in page.text
    assert page.tap("That is all I know: show the answer").verdict.startswith("PERMITTED by B30.4")


def test_what_is_not_asked_can_be_told(client: TestClient) -> None:
    page = Page(client, "/ask?book=asl&act=Fire&a=enemy")
    assert page.verdict.startswith("NOT RULED HERE") and "it is neither a yes nor a no" in page.text
    page = page.tap("Yes", "Is the fire done from a pillbox?").tap("mortar", "What is the fire made with?")
    assert "FORBIDDEN: unit may not fire mortar at enemy" in re.sub(r"<[^>]+>", "", page.text)


def test_how_much_what_happens_and_of_what_kind_are_tapped_too(client: TestClient) -> None:
    page = Page(client, "/ask?book=asl&act=Fire").tap("TEM?")
    assert "asks=tem" in page.address and "Is the fire against a pillbox" in page.part("question")
    page = page.tap("Yes", 'id="asked"').tap("No", 'id="asked"')
    assert page.verdict == "0: TEM of fire, in DRM"
    again = asking.ask(tapping.seen(State("asl", "Fire", "tem", answers=("yes", "no"))).case)
    assert page.verdict == explain.headline(again)
    page = Page(client, "/ask?book=asl&act=MoraleCheck").tap("what happens?")
    assert page.part("question")
    page = Page(client, "/ask?book=asl&act=Move").tap("is it made from another hex?")
    assert page.part("question") or page.verdict
    assert "nothing that can be asked of an act" in Page(client, "/ask?book=asl&act=Move&asks=colour").text


def test_an_answer_can_be_changed(client: TestClient) -> None:
    page = Page(client, "/ask?book=asl&act=Move&a=pillbox&a=squad&a=enemy+squad")
    again = page.tap("change", "Is an enemy in the pillbox")
    assert "Is an enemy in the pillbox" in again.part("question") and again.address.endswith("a=pillbox&a=squad")


def test_what_is_not_understood_is_said_and_asked_again(client: TestClient) -> None:
    page = Page(client, "/ask?book=asl&act=Move&a=pilbox")
    assert (
        page.status == 200 and "“pilbox” is neither an answer nor a class" in page.text and "did you mean" in page.text
    )
    assert "What does the move lead into?" in page.part("question")
    assert (
        Page(client, "/ask?book=asl&act=Dance").status == 422 and Page(client, "/ask?book=chess&act=Move").status == 422
    )


def test_acts_are_found_by_words(client: TestClient) -> None:
    page = Page(client, "/ask?q=shoot")
    assert "fire" in [said for said, _ in page.links(page.text)]
    assert "No act is called so here" in Page(client, "/ask?q=dance").text
    for book in registry.books():
        found = starts(registry.theory(book))
        assert len(found) > 20 and {s.name for s in found[:12]} & {"Fire", "Move"}, book


# ── things, lists, states ──


def test_a_thing_is_asked_about_from_the_start_page(client: TestClient) -> None:
    page = Page(client, "/").tap("pillbox", "Advanced Squad Leader")
    assert not page.verdict and "<h2>How much?</h2>" in page.text and "<h2>Is it so?</h2>" in page.text
    said = page.tap("Is it an obstacle to LOS?").verdict
    assert said == "NO: pillbox is not an obstacle to LOS (B30.2)"
    assert said == explain.headline(
        asking.ask("book: asl\nthings: {pillbox: Pillbox}\nask: {is: [pillbox, LOSObstacle]}")
    )
    assert Page(client, "/").tap("bunker", "Flames of War").tap("Skill Test score?").verdict.startswith("4: ")


def test_what_may_be_done_with_a_thing_is_tapped(client: TestClient) -> None:
    page = Page(client, "/ask?book=asl&act=Bombproof").tap("May one set up the bombproof?")
    assert "object: bombproof" in unquote(page.address.replace("+", " "))
    page = page.tap("adjacent to a Beach hex", "What is the setup done at?")
    assert page.verdict.startswith("FORBIDDEN") and "BRT6.5" in page.verdict


def test_which_others_would_do_is_tapped(client: TestClient) -> None:
    page = Page(client, "/ask?book=fow&act=Gapping&a=Barbed+Wire+Entanglement&a=bulldozer&a=yes&whole=true")
    assert page.verdict.startswith("PERMITTED")
    said = page.tap("which others?", "obstacle?").verdict
    assert said.startswith("WHICH: ") and "Anti-tank Obstacle" in said and "Street Barricade" in said
    page = Page(client, "/ask?book=vv&act=Terrain&asks=ClosedToEntrenchments").tap("Of which kinds is it so?")
    assert "marsh" in page.verdict and "woods" not in page.verdict
    assert "which others?" not in Page(client, "/ask?book=asl&act=MoraleCheck&asks=effects&a=yes&whole=true").text


def test_how_an_act_is_done_and_what_state_a_unit_is_in_are_told(client: TestClient) -> None:
    page = Page(client, "/ask?book=asl&act=Fire&a=friendly")
    assert page.verdict.startswith("FORBIDDEN")
    page = page.tap("specifically allowed", "How is the fire done?")
    assert "So far: " in page.text and "PERMITTED by A7.4" in re.sub(r"<[^>]+>", "", page.text)
    page = Page(client, "/ask?book=fow&act=Gapping&a=Street+Barricade&a=Pioneer+team")
    page = page.tap("Gone to Ground", "How is it with the Pioneer team?")
    assert (
        "GoneToGround"
        in tapping.seen(State("fow", "Gapping", answers=tuple(parse_qs(urlsplit(page.address).query)["a"]))).case
    )


def test_a_list_may_be_told_one_by_one(client: TestClient) -> None:
    page = Page(client, "/ask?book=vv&act=Occupation&a=bunker&a=squad").tap("friendly squad", "What is in the bunker?")
    assert "PERMITTED" in page.text
    page = page.tap("friendly squad", "What else is in the bunker?")
    assert "FORBIDDEN: squad may not occupy bunker" in page.text


def test_numbers_that_rules_turn_on_may_be_tapped(client: TestClient) -> None:
    page = Page(
        client, "/ask?book=asl&act=OrdnanceFire&asks=tem&a=yes&a=yes&a=what+does+the+ordnance+fire+use%3F+%3A%3A+AP"
    )
    assert "Basic TK#" in page.part("question") and {"0", "13"} <= {
        said for said, _ in page.links(page.part("question"))
    }


def test_an_act_of_which_nothing_says_whether_it_may_is_asked_about_otherwise(client: TestClient) -> None:
    assert "Pay for crossing: must it be done?" in Page(client, "/ask?book=asl&act=PayingCrossing").text
    assert "Hit: what happens?" in Page(client, "/ask?book=fow&act=Hit").text
    assert "Move: may it be done?" in Page(client, "/ask?book=asl&act=Move").text


# ── switches ──


def test_an_assumption_is_a_switch_that_turns_the_answer(client: TestClient) -> None:
    page = Page(client, "/ask?book=asl&act=Move&a=pillbox&a=squad&a=enemy+squad")
    turned = page.tap("enemy-squad is not Unarmed")
    assert turned.verdict.startswith("PERMITTED") and "case=" in turned.address
    assert "enemy-squad is Unarmed" in [said for said, _ in turned.links(turned.part("told"))]
    back = turned.tap("enemy-squad is Unarmed", 'class="told"')
    assert back.verdict.startswith("FORBIDDEN")


def test_a_flip_does_what_it_says(client: TestClient) -> None:
    page = Page(client, "/ask?book=asl&act=Move&a=pillbox&a=squad&a=enemy+squad").tap("Find out what would turn it")
    flips = [
        (said, href)
        for said, href in page.links(page.text[page.text.index('id="flips"') :])
        if "case=" in href and said != "Link to this answer"
    ]
    assert len(flips) >= 4 and "<h3>To permitted</h3>" in page.text
    for _, href in flips[:3]:
        assert Page(client, href).verdict.startswith("PERMITTED")


def test_every_switch_of_an_answer_is_a_case_that_is_answered_as_promised() -> None:
    proof = asking.ask(EXAMPLE)
    found = switches(proof)
    assert len(found.told) >= 4 and len(found.assumed) >= 3 and len(found.flips) >= 4
    for switch in found.flips:
        if switch.case:
            assert asking.ask(asking.case(switch.case)).verdict == switch.to
    rest = [switch for _, rows in found.told for switch in rows]
    assert sum(bool(switch.case) for switch in rest) > len(rest) / 2
    for switch in rest:
        if switch.case:
            turned = asking.case(switch.case)
            assert switch.text not in [s.text for _, rows in switches(asking.ask(turned), False).told for s in rows], (
                switch
            )
    assert not switches(proof, flips=False).flips


@pytest.mark.slow
def test_missing_facts_are_questions(client: TestClient) -> None:
    case = "book: asl\nthings:\n  m: {is: Move, actor: s, destination: box}\n  s: {is: [Squad, Friendly]}\n  box: {is: Pillbox, exterior: y}\n  y: {is: GroundLevel, occupant: foe}\n  foe: {is: [Enemy, Unit]}\nask: {may: m}\n"
    page = Page(
        client, "/ask?" + re.sub(r".*\?", "", str(client.build_request("GET", "/ask", params={"case": case}).url))
    )
    assert page.verdict.startswith("UNDETERMINED")
    missing = page.links(page.part("missing"))
    answers = {Page(client, href).verdict.split(":")[0].split()[0] for said, href in missing if said in ("yes", "no")}
    assert {"FORBIDDEN", "PERMITTED"} <= answers


def test_a_case_goes_on_being_asked_about() -> None:
    told = "book: asl\nthings:\n  m: {is: Move, actor: s, destination: box}\n  s: {is: [Squad, Friendly]}\n  box: {is: Pillbox}\nask: {may: m}\n"
    case = asking.case(told)
    talk = Interview.about(case, registry.vocabulary("asl"), asking.rules)
    first = talk.next()
    assert first is not None and "enemy" in first.text
    other = Interview.about(case, registry.vocabulary("asl"), asking.rules, [first.text]).next()
    assert other is None or other.text != first.text
    view = tapping.seen(State(case=told, answers=("yes", "infantry")))
    assert view.verdict == "forbidden" and view.asked[0] == (first.text, "yes")


# ── the rest of the page ──


def test_the_picture_grows_with_what_is_told() -> None:
    texts = [
        tapping.seen(State("asl", "Move", answers=answers)).text
        for answers in ((), ("pillbox",), ("pillbox", "squad", "enemy squad"))
    ]
    assert (
        ["illbox" in t for t in texts] == [False, True, True]
        and "the enemy's" in texts[2]
        and "the enemy's" not in texts[1]
    )


def test_pictures_are_to_be_kept(client: TestClient) -> None:
    for path in ("situation", "proof"):
        found = client.get(f"/ask/{path}.svg?book=asl&act=Move&a=pillbox")
        assert found.headers["content-type"] == "image/svg+xml" and found.text.startswith("<svg xmlns")
        assert found.headers["content-security-policy"].startswith("default-src 'none'")


def test_the_case_can_be_edited(client: TestClient) -> None:
    page = Page(client, "/ask?book=asl&act=Move&a=pillbox&a=squad").tap("As YAML")
    assert "destination: pillbox" in page.text and "<textarea" in page.text
    fresh = Page(client, "/ask?view=yaml")
    assert "yard: {is: GroundLevel}" in fresh.text
    assert {"name": "Pillbox", "label": "pillbox"} in client.get("/ask/words?book=asl&start=pill").json()["words"]
    assert client.get("/ask/words?book=asl&start=").json() == {"words": []}
    assert client.get("/ask/words?book=chess&start=p").status_code == 422


def test_what_is_not_used_is_shown(client: TestClient) -> None:
    found = client.get(
        "/ask",
        params={
            "case": EXAMPLE.replace("[Concealed]", "[Concealed]").replace(
                "squad: {is: [Squad, Friendly]", "squad: {is: [Squad, Friendly, Japanese]"
            )
        },
    )
    assert found.status_code == 200
    if "NOT USED" in explain.text(asking.ask(EXAMPLE), flips=False):
        assert "Told, but no rule that was read asks for it" in found.text


def test_a_state_says_everything(client: TestClient) -> None:
    address = "/ask?book=asl&act=Move&must=true&a=pillbox&a=squad&a=I+do+not+know"
    page = Page(client, address)
    query = parse_qs(
        urlsplit(dict(page.links(page.text))["None of these"] if "None of these" in page.text else address).query
    )
    assert query["must"] == ["true"] and query["act"] == ["Move"]


def test_words_of_an_address_are_escaped(client: TestClient) -> None:
    for address in (
        "/ask?q=<script>",
        "/ask?book=asl&act=<script>",
        "/ask?book=asl&act=Move&a=<script>x",
        "/ask?book=asl&act=Move&a=<b> :: <script>",
    ):
        found = client.get(address, headers={"accept": "text/html"})
        assert "<script>" not in found.text and found.status_code < 500


def test_too_much_is_refused(client: TestClient) -> None:
    assert client.get("/ask?" + "&".join(["book=asl&act=Move"] + ["a=no"] * 200)).status_code == 422
    assert client.get("/ask", params={"case": "x" * 60_000}).status_code in (414, 422)
