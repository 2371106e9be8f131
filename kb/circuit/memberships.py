"""What a thing is, in all lanes at once: stated, concluded by norms, defined, or presumed not to be."""

from __future__ import annotations

from collections.abc import Sequence

from kb.circuit.known import TRUTH
from kb.circuit.seen import Seeing
from kb.circuit.values import One, Tri, union
from kb.language import norms as m
from kb.language.vocabulary import ABSENT, CONCLUDED
from kb.reasoner import builtins

USUAL = (ABSENT, CONCLUDED)  # of which silence says that it is not so
ELSEWHERE = "rules elsewhere"  # by which a class is derived that rules which are not loaded decide
TOLD_OPEN = "whether it is the case that tells what is open"


class Memberships(Seeing):
    """Whether a thing is of a class."""

    def member(self, x: One, cls: str, focus: One, at: int) -> Tri:
        """Whether x is a cls. focus: from whom built-ins see it."""
        if self.vocabulary.classes[cls].derived:
            return self.once(TRUTH, ("is", x, cls, focus), at, lambda lanes: self.worked_out(x, cls, focus, lanes))  # type: ignore[no-any-return]
        is_a, is_no = x.is_a(cls), x.is_no(cls)
        if not at & ~(is_a | is_no):
            return is_a, is_no
        known = self.memo.get(("is", x, cls))
        if known is not None and not at & ~known[0]:
            self.leant |= known[2]
            return known[1]  # type: ignore[no-any-return]
        return self.once(TRUTH, ("is", x, cls), at, lambda lanes: self._member(x, cls, lanes))  # type: ignore[no-any-return]

    def worked_out(self, x: One, cls: str, focus: One, at: int) -> Tri:
        """Whether x is of a class that a built-in works out."""
        derived = self.vocabulary.classes[cls].derived
        self.left |= at if derived == ELSEWHERE else 0
        found = self.seen(at & x.here, lambda view: view.verdict(
            builtins.member(view, derived, cls, view.of(x), view.of(focus))))  # type: ignore[arg-type]  # fmt: skip
        return found.get(True, 0), found.get(False, 0)

    def _member(self, x: One, cls: str, at: int) -> Tri:
        term, theory = self.vocabulary.classes[cls], self.theory
        true, false = x.is_a(cls) & at, (x.is_no(cls) | ~x.here) & at
        rest = at & ~(true | false)
        if not rest:
            return true, false
        taking = [norm for norm in theory.unmakes.get(cls, ()) if rest & self.speaks(x, m.subject_of(norm.head))]
        others, leads = self.makers(cls)
        if taking or rest & x.unsure or (leads and not self.presumes):
            makes = self.tried(theory.makes.get(cls, ()), x, rest)
        else:
            makes = self.tried(others, x, rest) if leads else self.made(others, x, rest)
        unmakes = self.tried(taking, x, rest)
        yes, nay = rest & union(t for _, (t, _) in makes), rest & union(t for _, (t, _) in unmakes)
        undone = rest & union(~(t | f) for _, (t, f) in unmakes)
        making = rest & union(~(t | f) for _, (t, f) in makes)
        if yes or nay:
            won, lost = self.carried(makes, unmakes, yes), self.carried(unmakes, makes, nay)
            lost &= ~won
            self.clash |= yes & nay & ~(won | lost)
            true, false = true | won, false | lost
            rest &= ~(won | lost | yes)
        not_so = 0
        for definition in theory.definitions.get(cls, ()) if rest else ():
            t, f = self.holds(definition, x, {"this": x}, rest)
            true, not_so, making = true | t & ~undone, not_so | f, making | rest & ~(t | f)
            rest &= ~t
        not_so &= ~making  # neither by what it means nor by a norm, and what may take it away does not make it so
        for below in theory.defined_below.get(cls, ()):
            lanes = rest & ~x.is_no(below)
            if lanes:
                t, f = self.member(x, below, x, lanes)
                t &= lanes
                true, making = true | t & ~undone, making | lanes & ~(t | f)
                rest &= ~t
        making &= rest
        open_ = making | undone
        false |= rest & not_so
        rest &= ~not_so & ~x.unknown(term.ancestors)
        if term.when_unstated == CONCLUDED:
            false |= rest & ~open_
        elif term.when_unstated == ABSENT:
            false |= rest & ~making
            if making & rest and (term.unshown or x.blank):
                told = self.words | self.clash
                # What silence alone leaves open is as usual; whether it is silence alone, only the steps of a proof tell.
                self.lose(TOLD_OPEN, rest & making & told)
                false |= rest & making & ~told
        return true, false

    def tried(self, norms: Sequence[m.Norm], x: One, at: int) -> list[tuple[m.Norm, Tri]]:
        """Those of some norms that may apply in some lane, each with where it does."""
        found = []
        for norm in norms:
            if at & self.speaks(x, norm.head.subject):  # type: ignore[union-attr]
                held = self.status(norm, x, at)
                if at & ~held[1]:
                    found.append((norm, held))
        return found

    def made(self, norms: Sequence[m.Norm], x: One, at: int) -> list[tuple[m.Norm, Tri]]:
        """Those of some norms that apply in some lane, and where; not whether they may in others."""
        found = []
        for norm in norms:
            subject = m.subject_of(norm.head)
            some = at & self.speaks(x, subject)
            if some and subject:
                some &= self.member(x, subject, x, some)[0]
            if some and (some := some & self.status(norm, x, some)[0]):
                found.append((norm, (some, at & ~some)))
                at &= ~some
        return found

    def makers(self, cls: str) -> tuple[list[m.Norm], bool]:
        """The norms that may make a thing a cls, where nothing takes that away again; and whether it matters if one of them is open: not
        where silence leaves it open too. What a norm is on is a cls already where it is on something narrower: nothing follows from it
        that does not follow from what made it that."""
        theory, classes = self.theory, self.vocabulary.classes
        found = theory.making.get(cls)
        if found is None:
            leads = classes[cls].when_unstated in USUAL or cls in theory.definitions
            narrower = {
                c for c in classes[cls].descendants if not classes[c].derived
                and not (leads and (classes[c].when_unstated not in USUAL or c in theory.unmakes))
            }  # fmt: skip
            others = [n for n in theory.makes.get(cls, ()) if m.subject_of(n.head) not in narrower]
            found = theory.making[cls] = others, leads
        return found

    def carried(self, ours: list[tuple[m.Norm, Tri]], theirs: list[tuple[m.Norm, Tri]], any_: int) -> int:
        """The lanes in which one of ours applies, and each of theirs that may apply is beaten by one of ours that does."""
        lanes, stronger = any_, self.theory.stronger
        for c, (_, f) in theirs:
            if lanes & ~f:
                lanes &= f | union(t for p, (t, _) in ours if t & lanes and stronger(p, c) is not None)
        return lanes
