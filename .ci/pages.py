"""The pages in a real browser: taps questions through, looks for what axe finds, takes the pictures of docs/pages.md.

.venv/bin/python .ci/pages.py taps|axe|pictures [ADDRESS]      a server of its own, where no address is given

It wants Debian's chromium, and playwright and axe-playwright-python (the extra `browser`).
"""

from __future__ import annotations

import re
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).parent.parent
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--disable-sync"]
PHONE, DESK, SHOWN = {"width": 390, "height": 844}, {"width": 1280, "height": 900}, {"width": 1080, "height": 720}
READY = "before => location.href !== before && !document.querySelector('[aria-busy]')"


@dataclass(frozen=True)
class Talk:
    """A question tapped from the start page. taps: the words on what is tapped; with `row: word`, in the row that asks so, with
    `page: word` anywhere on the page. answer: how the answer begins; sample: the question of the gold sample that it is, in our words."""

    name: str
    book: str
    taps: tuple[str, ...]
    answer: str
    sample: str = ""


ASL, VV, FOW = "Advanced Squad Leader", "Valor & Victory", "Flames of War"
TALKS = (
    Talk("An enemy stands outside: may my squad go in?", ASL, ("move", "pillbox", "squad", "squad"), "FORBIDDEN"),
    Talk("May a mortar fire from inside the pillbox at an enemy?", ASL, ("fire", "enemy", "is the fire done from a pillbox: Yes", "what is the fire made with: mortar"), "FORBIDDEN"),
    Talk("May a unit in a pillbox Place its DC on an enemy outside?", ASL, ("all", "Place a DC", "enemy", "Yes"), "FORBIDDEN"),
    Talk("May a squad fire on its friends?", ASL, ("fire", "friendly"), "FORBIDDEN"),
    Talk("May a squad advance into a pillbox with an enemy in it, and one outside?", ASL, ("advance", "pillbox", "squad", "squad"), "FORBIDDEN"),
    Talk("May a gun go into a trench?", VV, ("take the position", "None of these", "gun", "trench"), "FORBIDDEN"),
    Talk("May a gun go into sandbags?", VV, ("take the position", "None of these", "gun", "sandbags"), "PERMITTED"),
    Talk("May a bunker be put in woods?", VV, ("put on the map", "bunker", "No"), "FORBIDDEN"),
    Talk("May a squad in a bunker fire at a target inside its arc?", VV, ("fire", "enemy", "does the fire leave a bunker: Yes", "Yes"), "PERMITTED"),
    Talk("May a squad in a bunker fire at a target outside its arc?", VV, ("fire", "enemy", "does the fire leave a bunker: Yes", "No"), "FORBIDDEN"),
    Talk("May a tank assault a nest?", FOW, ("assault", "nest", "tank"), "FORBIDDEN"),
    Talk("May pioneers gap what they have just moved up to?", FOW, ("gap", "Street Barricade", "infantry", "No"), "FORBIDDEN"),
    Talk("May a bulldozer gap a barricade that it began its turn at?", FOW, ("gap", "Street Barricade", "bulldozer", "Yes"), "PERMITTED"),
    Talk("May a fully-tracked bulldozer cross wire without gapping it?", FOW, ("cross", "Barbed Wire Entanglement", "bulldozer", "Fully-tracked vehicle"), "PERMITTED"),
    Talk("May a bulldozer gap a barricade that it drove up to?", FOW, ("gap", "Street Barricade", "bulldozer", "No"), "FORBIDDEN"),
)  # fmt: skip
TRIAL = (
    # five of the sample for each of the texts: A7, B30, BRT6, Valor & Victory's 20, Flames of War's fortifications
    Talk("Is a pinned squad put to the check that a PTC asks for?", ASL, ("all", "take the NTC", "squad", "page: squad is not pinned"), "NOT REQUIRED", "A7-q207"),
    Talk("What fire does a 4FP squad give that two Pins have hit?", ASL, ("fire", "page: firepower?", "Who is to fire?: squad", "Is the squad pinned?: Yes", "What is the printed FP: 4"), "So far: 2 ", "A7-q199"),
    Talk("May a unit shoot at its own where a rule for it says so?", ASL, ("fire", "friendly", "How is the fire done?: specifically allowed"), "PERMITTED", "A7-q032"),
    Talk("Is a squad encircled that steps to its encircled friends?", ASL, ("move", "page: what happens?", "Who is to move?: squad", "Is an Encirclement counter in the move: Yes", "encircle: enemy squad"), "EFFECTS: squad becomes Encircled", "A7-q162"),
    Talk("What of inherent FP, MG and mortar is one group by force?", ASL, ("all", "fire together as a FG", "page: must it be done?", "inherent FP of a unit", "page: which others?"), "WHICH", "A7-q122"),
    Talk("Does stepping out of the pillbox end there, with a foe outside?", ASL, ("all", "halt", "Yes", "Yes", "squad"), "REQUIRED", "B30-q218"),
    Talk("What TEM against AP of Basic TK# 13 through the CA?", ASL, ("all", "ordnance fire", "page: TEM?", "Yes", "Yes", "What does the ordnance fire use?: AP", "13", "5"), "0: ", "B30-q145"),
    Talk("Is sight stopped by a pillbox?", ASL, ("pillbox", "Is it an obstacle to LOS?"), "NO", "B30-q062"),
    Talk("May an MG shoot at a pillbox from behind?", ASL, ("fire", "pillbox", "What is the fire made with?: machine gun", "Yes"), "FORBIDDEN", "B30-q049"),
    Talk("Which Target Types are there for a gun that shoots at a pillbox?", ASL, ("all", "ordnance fire", "pillbox", "What is the ordnance fire resolved on?: Infantry Target Type", "page: That is all I know", "What is the ordnance fire resolved on?: which others?"), "WHICH", "B30-q102"),
    Talk("Is a Command Bunker as good as a Fortified Building?", ASL, ("all", "Command Bunker", "Is it a Fortified Building?"), "YES", "BRT6-q001"),
    Talk("What morale has a Command Bunker under Bombardment?", ASL, ("all", "Command Bunker", "Morale Level vs Bombardment?"), "12", "BRT6-q022"),
    Talk("May a bombproof stand beside the beach?", ASL, ("bombproof", "May one set up the bombproof?", "What is the setup done at?: adjacent to a Beach hex"), "FORBIDDEN", "BRT6-q123"),
    Talk("Does a truck on the hexside pay for the trench it crosses?", ASL, ("all", "pay the MP of crossing", "Yes", "vehicle"), "REQUIRED", "BRT6-q107"),
    Talk("What trenches come with four pillboxes?", ASL, ("all", "Japanese", "Trench counters or Passages received?", "4"), "2", "BRT6-q086"),
    Talk("May a third squad join two in a bunker?", VV, ("all", "occupy", "bunker", "squad", "What is in the bunker?: friendly squad", "What else is in the bunker?: friendly squad"), "FORBIDDEN", "SQ20-q054"),
    Talk("What does a squad pay for a 1 MP hex with a trench in it?", VV, ("move", "page: movement cost?", "trench", "1"), "2", "SQ20-q022"),
    Talk("Do sandbags stay when nobody is left in them?", VV, ("all", "sandbags", "Is it still in its hex?"), "YES", "SQ20-q004"),
    Talk("What does a roll of 2 on mines do to a squad?", VV, ("move", "page: what happens?", "minefield", "squad", "2"), "EFFECTS: squad is eliminated", "SQ20-q093"),
    Talk("Which ground takes no entrenchment?", VV, ("all", "terrain", "Is it closed to entrenchments?", "page: Of which kinds is it so?"), "WHICH", "SQ20-q019"),
    Talk("Does ordinary infantry roll a passed test again?", FOW, ("re-roll", "page: must it be done?", "Yes", "gapping", "Yes", "infantry"), "REQUIRED", "FOW-q076"),
    Talk("What does a Bunker need for a Skill Test?", FOW, ("bunker", "Skill Test score?"), "4", "FOW-q010"),
    Talk("Is a Turret its own Independent Team?", FOW, ("turret", "Is it an Independent Team?"), "YES", "FOW-q009"),
    Talk("What becomes of a Nest that flame and a passed test hit?", FOW, ("all", "hit", "nest", "What is the hit made with?: flamethrower", "infantry", "Yes"), "EFFECTS", "FOW-q156"),
    Talk("What else can a bulldozer gap as pioneers do?", FOW, ("gap", "Barbed Wire Entanglement", "bulldozer", "Yes", "page: That is all I know", "page: which others?"), "WHICH", "FOW-q112"),
)  # fmt: skip
PAGES = (
    "/", "/ask", "/ask?view=yaml", "/ask?book=asl&act=Move", "/ask?book=asl&act=Fire&asks=tem", "/ask?book=asl&act=Move&a=pillbox&a=squad&a=enemy+squad",
    "/ask?book=asl&act=Move&a=pillbox&a=squad&a=enemy+squad&turn=true", "/ask?case=book", "/rules", "/id/rule/asl/B30.4", "/terms?word=pill",
    "/id/term/asl/Pillbox", "/search?q=pillbox+smoke", "/compare?question=mortar-from-inside", "/errata", "/errata/B30.34-att",
    "/ask?book=asl&act=Pillbox", "/ask?book=asl&act=Squad", "/ask?book=vv&act=Occupation&a=bunker&a=squad", "/coverage?book=vv", "/scope", "/queries", "/queries/beats?rule=B30.42&book=asl", "/sparql", "/when", "/when?act=Gapping&book=fow", "/id/norm/asl/B30.42/nothing",
)  # fmt: skip
CLOSED = (
    "book: vv\nthings: {terrain: Terrain}\nask: {which: Terrain, as: terrain, is: [terrain, ClosedToEntrenchments]}\n"
)
PICTURES = {
    "start": ("/", DESK, "light"),
    "answer": ("/ask?book=asl&act=Move&a=pillbox&a=squad&a=enemy+squad&turn=true", SHOWN, "light"),
    "question-phone": ("/ask?book=asl&act=Move&a=pillbox&a=squad", PHONE, "dark"),
    "rule": ("/id/rule/asl/B30.42", DESK, "light"),
    "thing-phone": ("/ask?book=asl&act=Pillbox", PHONE, "light"),
    "which": ("/ask?case=" + quote(CLOSED), SHOWN, "light"),
    "compare": ("/compare?question=mortar-from-inside", SHOWN, "light"),
}


@contextmanager
def browser() -> Iterator[Any]:
    """Debian's chromium, driven by playwright."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as made:
        found = made.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


def tapped(page: Any, address: str, talk: Talk) -> tuple[int, float, str]:
    """How many taps a question took, in how many seconds, and the answer."""
    page.goto(address + "/")
    start, clicks = time.perf_counter(), len(talk.taps)
    for n, tap in enumerate(talk.taps):
        before = page.url
        row, _, word = tap.rpartition(": ")
        if n == 0:
            place = page.locator("main section").filter(has_text=talk.book)
        elif row in ("", "page"):
            place = page.locator(".question" if not row and page.locator(".question").count() else "main")
        else:
            place = page.locator(".more li, .trail li").filter(has_text=row)
        end = "" if word == "all" or row == "page" else r"\s*$"
        link = place.locator("a", has_text=re.compile(rf"^\s*{re.escape(word)}{end}")).first
        folded = link.locator("xpath=ancestor::details[not(@open)]")
        if folded.count():
            folded.locator("> summary").click()
            clicks += 1
        link.click(timeout=20_000)
        page.wait_for_function(READY, arg=before)
    return clicks, time.perf_counter() - start, page.locator(".verdict, .so-far").inner_text()


def taps(address: str) -> int:
    """A row for each question, on a phone and at a desk; how often one was not answered as it should be."""
    wrong = 0
    with browser() as found:
        pages = [found.new_page(viewport=size) for size in (PHONE, DESK)]
        print("| question | taps | seconds at 390 and 1,280 pixels | answer |\n|---|---|---|---|")
        for talk in (*TRIAL, *TALKS):
            rows = []
            for n, page in enumerate(
                (pages[0], *pages)
            ):  # a worker that has met no act of a book reads its rules first
                try:
                    rows.append(tapped(page, address, talk))
                except Exception as e:
                    rows.append((0, 0.0, str(e).splitlines()[-1]))
                wrong += n > 0 and talk.answer not in rows[-1][2]
            (count, first, answer), (again, second, other) = rows[1:]
            same = "" if (count, answer) == (again, other) else f" (at a desk {again}: {other})"
            name = f"{talk.name} ({talk.sample})" if talk.sample else talk.name
            print(f"| {name} | {count} | {first:.1f}, {second:.1f} | {answer}{same} |", flush=True)
    return wrong


def findings(page: Any) -> list[str]:
    """What axe finds on a page that is shown."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:160]} ({one['nodes'][0]['failureSummary'][:200]})" for one in found
    ]


def axe(address: str) -> int:
    """Each finding of each page, small and wide, light and dark; how many there are."""
    count = 0
    with browser() as found:
        for size, scheme in ((PHONE, "dark"), (DESK, "light")):
            page = found.new_page(viewport=size, color_scheme=scheme, bypass_csp=True)
            for path in PAGES:
                page.goto(address + path)
                page.wait_for_load_state("networkidle")
                wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
                rows = [*findings(page), *(["wider than the screen"] if wide else [])]
                count += len(rows)
                print(
                    "\n".join(f"{path} {size['width']} {scheme}: {row}" for row in rows),
                    end="\n" if rows else "",
                    flush=True,
                )
    print(f"{len(PAGES)} pages, {count} findings")
    return count


def pictures(address: str) -> int:
    """Takes the pictures of docs/pages.md."""
    with browser() as found:
        for name, (path, size, scheme) in PICTURES.items():
            page = found.new_page(viewport=size, color_scheme=scheme)
            page.goto(address + path)
            page.wait_for_load_state("networkidle")
            page.screenshot(path=ROOT / "docs" / "pictures" / f"{name}.png")
    return 0


def main() -> int:
    what, *rest = sys.argv[1:] or ["axe"]
    job = {"taps": taps, "axe": axe, "pictures": pictures}[what]
    if rest:
        return job(rest[0])
    sys.path.insert(0, str(ROOT))
    from tests.served import serving

    with serving() as address:
        return job(address)


if __name__ == "__main__":
    sys.exit(main())
