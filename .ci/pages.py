"""The pages in a real browser: taps questions through, looks for what axe finds, takes the pictures of docs/pages.md.

.venv/bin/python .ci/pages.py taps|axe|pictures [ADDRESS]      a server of its own, where no address is given

It wants Debian's chromium, and playwright and axe-playwright-python (the extra `browser`).
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--disable-sync"]
PHONE, DESK, SHOWN = {"width": 390, "height": 844}, {"width": 1280, "height": 900}, {"width": 1080, "height": 720}
READY = "before => location.href !== before && !document.querySelector('[aria-busy]')"


@dataclass(frozen=True)
class Talk:
    """A question tapped from the start page. taps: the words on what is tapped; with `row: word`, in the row that asks so."""

    name: str
    book: str
    taps: tuple[str, ...]
    answer: str


TALKS = (
    Talk("An enemy stands outside: may my squad go in?", "Advanced Squad Leader", ("move", "pillbox", "squad", "squad"), "FORBIDDEN"),
    Talk("May a mortar fire from inside the pillbox at an enemy?", "Advanced Squad Leader", ("fire", "enemy", "is the fire done from a pillbox: Yes", "what is the fire made with: mortar"), "FORBIDDEN"),
    Talk("May a unit in a pillbox Place its DC on an enemy outside?", "Advanced Squad Leader", ("all", "Placed DC attack", "enemy", "Yes"), "FORBIDDEN"),
    Talk("May a squad fire on its friends?", "Advanced Squad Leader", ("fire", "friendly"), "FORBIDDEN"),
    Talk("May a squad advance into a pillbox with an enemy in it, and one outside?", "Advanced Squad Leader", ("advance", "pillbox", "squad", "squad"), "FORBIDDEN"),
    Talk("May a gun go into a trench?", "Valor & Victory", ("taking position", "None of these", "gun", "trench"), "FORBIDDEN"),
    Talk("May a gun go into sandbags?", "Valor & Victory", ("taking position", "None of these", "gun", "sandbags"), "PERMITTED"),
    Talk("May a bunker be put in woods?", "Valor & Victory", ("deployment", "bunker", "No"), "FORBIDDEN"),
    Talk("May a squad in a bunker fire at a target inside its arc?", "Valor & Victory", ("fire", "enemy", "does the fire leave a bunker: Yes", "Yes"), "PERMITTED"),
    Talk("May a squad in a bunker fire at a target outside its arc?", "Valor & Victory", ("fire", "enemy", "does the fire leave a bunker: Yes", "No"), "FORBIDDEN"),
    Talk("May a tank assault a nest?", "Flames of War", ("assault", "nest", "tank"), "FORBIDDEN"),
    Talk("May pioneers gap what they have just moved up to?", "Flames of War", ("gapping", "Street Barricade", "infantry", "No"), "FORBIDDEN"),
    Talk("May a bulldozer gap a barricade that it began its turn at?", "Flames of War", ("gapping", "Street Barricade", "bulldozer", "Yes"), "PERMITTED"),
    Talk("May a fully-tracked bulldozer cross wire without gapping it?", "Flames of War", ("crossing", "Barbed Wire Entanglement", "bulldozer", "Fully-tracked vehicle"), "PERMITTED"),
    Talk("May a bulldozer gap a barricade that it drove up to?", "Flames of War", ("gapping", "Street Barricade", "bulldozer", "No"), "FORBIDDEN"),
)  # fmt: skip
PAGES = (
    "/", "/ask", "/ask?view=yaml", "/ask?book=asl&act=Move", "/ask?book=asl&act=Fire&asks=tem", "/ask?book=asl&act=Move&a=pillbox&a=squad&a=enemy+squad",
    "/ask?book=asl&act=Move&a=pillbox&a=squad&a=enemy+squad&turn=true", "/ask?case=book", "/rules", "/id/rule/asl/B30.4", "/terms?word=pill",
    "/id/term/asl/Pillbox", "/search?q=pillbox+smoke", "/compare?question=mortar-from-inside", "/errata", "/errata/B30.34-att",
    "/coverage?book=vv", "/scope", "/queries", "/queries/beats?rule=B30.42&book=asl", "/sparql", "/when", "/when?act=Gapping&book=fow", "/id/norm/asl/B30.42/nothing",
)  # fmt: skip
PICTURES = {
    "start": ("/", DESK, "light"),
    "answer": ("/ask?book=asl&act=Move&a=pillbox&a=squad&a=enemy+squad&turn=true", SHOWN, "light"),
    "question-phone": ("/ask?book=asl&act=Move&a=pillbox&a=squad", PHONE, "dark"),
    "rule": ("/id/rule/asl/B30.42", DESK, "light"),
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
        if n == 0 or (n == 1 and talk.taps[0] == "all"):
            place = page.locator("main section").filter(has_text=talk.book) if n == 0 else page.locator("main")
        elif row:
            place = page.locator(".more li").filter(has_text=row)
            if page.locator(".more").get_attribute("open") is None:
                page.locator(".more > summary").click()
                clicks += 1
        else:
            place = page.locator(".question")
        link = place.get_by_role("link", name=word, exact=word != "all")
        link.first.click(timeout=40_000)
        page.wait_for_function(READY, arg=before)
    return clicks, time.perf_counter() - start, page.locator(".verdict, .so-far").inner_text()


def taps(address: str) -> int:
    """A row for each question; how many were not answered as they should."""
    wrong = 0
    with browser() as found:
        page = found.new_page(viewport=PHONE)
        print("| question | taps | seconds | answer |\n|---|---|---|---|")
        for talk in TALKS:
            try:
                tapped(page, address, talk)  # a worker that has met no act of a book reads its rules first
                count, seconds, answer = tapped(page, address, talk)
            except Exception as e:
                count, seconds, answer = 0, 0.0, str(e).splitlines()[-1]
            wrong += talk.answer not in answer
            print(f"| {talk.name} | {count} | {seconds:.1f} | {answer} |", flush=True)
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
