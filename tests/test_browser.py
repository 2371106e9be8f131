"""The pages in a real browser: tapped through on a phone, looked at by axe; a page with a fault is caught. It wants Debian's chromium."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.night import today
from tests.served import serving

pytest.importorskip("playwright", reason="the extra `browser` is not installed")
pytest.importorskip("axe_playwright_python", reason="the extra `browser` is not installed")
pytestmark = pytest.mark.slow


def script() -> ModuleType:
    path = Path(__file__).parent.parent / ".ci" / "pages.py"
    spec = importlib.util.spec_from_file_location("pages_in_a_browser", path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = made
    spec.loader.exec_module(made)
    return made


pages = script()
if not pages.CHROMIUM:
    pytest.skip("no chromium on this machine: apt-get install chromium", allow_module_level=True)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with pages.browser() as found:
        yield found


@pytest.mark.parametrize(
    "talk", today([t for n, t in enumerate(pages.TALKS) if n % 5 in (0, 1)], of=2), ids=lambda t: t.name
)
def test_questions_are_answered_by_tapping(browser: Any, address: str, talk: Any) -> None:
    page = browser.new_page(viewport=pages.PHONE)
    errors: list[str] = []
    page.on("pageerror", lambda e: errors.append(str(e)))
    taps, _, answer = pages.tapped(page, address, talk)
    page.close()
    assert talk.answer in answer and taps <= 8 and errors == []


@pytest.mark.parametrize("path", today(pages.PAGES[:8], of=3))
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(browser: Any, address: str, path: str) -> None:
    page = browser.new_page(viewport=pages.PHONE, color_scheme="dark", bypass_csp=True)
    page.goto(address + path)
    found = pages.findings(page)
    assert found == [] and not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.close()


def test_axe_finds_a_planted_fault(browser: Any) -> None:
    page = browser.new_page()
    page.set_content(
        "<html lang=en><title>t</title><main><h1>x</h1><img src='x.png'><p style='color:#ccc;background:#fff'>pale</p></main>"
    )
    found = " ".join(pages.findings(page))
    assert "image-alt" in found and "color-contrast" in found
    page.close()


def test_space_turns_a_switch_and_back_goes_back(browser: Any, address: str) -> None:
    page = browser.new_page(viewport=pages.PHONE)
    page.goto(address + "/ask?book=asl&act=Move&a=pillbox&a=squad&a=enemy+squad")
    before = page.url
    page.locator(".assumed a[role=switch]").first.focus()
    page.keyboard.press("Space")
    page.wait_for_function(pages.READY, arg=before)
    assert "PERMITTED" in page.locator(".verdict").inner_text()
    page.go_back()
    page.get_by_text("FORBIDDEN").first.wait_for()
    assert page.url == before
    page.close()


def test_words_are_offered_while_a_case_is_typed(browser: Any, address: str) -> None:
    page = browser.new_page()
    page.goto(address + "/ask?view=yaml")
    box = page.locator("#case")
    box.fill("")
    box.press_sequentially("book: asl\nthings:\n  x: {is: Pillb")
    page.get_by_role("button", name="Pillbox", exact=True).click()
    assert box.input_value().endswith("{is: Pillbox")
    page.close()
