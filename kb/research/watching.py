"""Research while a book is being written: after each save what is new, of the norms that the save has changed."""

from __future__ import annotations

from kb.errors import LoopholeError
from kb.language import norms as m
from kb.research import findings, judged
from kb.research.finding import NOTE, Finding
from kb.research.study import Study


class Watch:
    """Looks at a book again and again, each time only at what has changed since. Raises LoopholeError where it does not read at first."""

    def __init__(self, book: str):
        self.book = book
        study = findings.studied(book)
        self.norms = wordings(study)
        self.told = {f.id for f in findings.of_study(study, set())}

    def again(self) -> list[Finding]:
        """What is found of the norms that are new or read otherwise than at the last look, and was not told yet; nothing where the
        book does not read: that is for the check to tell."""
        findings.forget()
        try:
            study = findings.studied(self.book)
        except LoopholeError:
            return []
        now = wordings(study)
        changed = {name for name, said in now.items() if self.norms.get(name) != said}
        self.norms = now
        decided = judged.of_book(self.book)
        found = [
            f
            for f in findings.of_study(study, changed)
            if f.id not in self.told and f.id not in decided and f.level != NOTE
        ]
        self.told |= {f.id for f in found}
        return found


def wordings(study: Study) -> dict[str, tuple[object, ...]]:
    """What each norm says, by its id, of whichever reading; where it stands in its file is no part of that."""
    return {name: said(norm) for name, norm in study.norms.items()}


def said(norm: m.Norm) -> tuple[object, ...]:
    """All of a norm on which a finding can turn."""
    unless = tuple((u.label, u.condition) for u in norm.unless)
    return norm.head, norm.when, unless, norm.over, norm.lifts, norm.carves, norm.until, norm.excepts
