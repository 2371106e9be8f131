"""Reads what is said to tell nothing: all else in order; it is not told whether he is pinned; no enemy is near."""

from __future__ import annotations

import re

from kb.english.each import EachReader
from kb.english.several import PARTS

CLOSED = re.compile(  # how players say that no other rule bears on it
    r"(.*\b)?all else( about \w+( \w+)?)?( is)? in order|(it is )?otherwise (in order|possible)|"
    r"(\w+ )?(\w+ing|the \w+|it) is otherwise (possible|allowed)( to (it|him|them))?|"
    r"((the )?normal )?stacking limits? (is|are) (kept|observed|not exceeded)|no other (bars?|reasons?|obstacles? to it|drm|costs?)|no (other )?(modifiers?|modifications?( of any kind)?|doubling( or halving)?|halving)|"
    r"(the )?(los|range|line of sight)((,| and) (the )?(los|range|line of sight))?( would be| is| are)? in order( otherwise)?|"
    r"(\w+ ){1,4}(is|are) (otherwise )?able to .*\botherwise|(\w+ ){1,4}(is|are) otherwise able to .*|"
    r"all (the )?(other )?conditions?( of .*)? (is|are) met|nothing (else|outside .*) (bars|forbids|prevents|stops) .*|no (other )?rule (outside .* )?(bars|bears on|forbids) .*"
)

UNKNOWN = ("told", "stated", "known", "said", "given")
SAME = tuple(f"{lead}same {time}" for lead in ("", "in the ") for time in ("phase", "turn", "player turn"))
ASIDE = (*SAME, "during a scenario", "during play", "in play", "in a scenario")  # when all that is asked about is

NOBODY_THERE = ("none", "nobody else", "nothing else", "no one else", "nobody", "nothing", "no one")
NOT_SPECIAL = re.compile(
    r"no special (\w+ )?rules? appl(y|ies)|((\w+ ){0,3}(has|have) )?(enough |the |some |sufficient )?(mf|mp|movement points)( left)?( (for|to|and a free hex) .*)?"
    r"|(nothing|nobody|no one) else (?!bars|forbids|prevents|stops|is|has)\w+s( .*)?"
    r"|(nobody|nothing|no other unit|no one|neither of them|he|it) (else )?has (not )?(moved|happened|changed)( in the meantime)? since( then)?"
    r"|(the |its )?(los|line of sight)( to (it|him|the \w+))? (is )?(clear|free|open|unblocked)"
    r"|(\w+ ){1,3}(stops|bars|prevents|keeps) (none of (the|these|them) ?\w*|nobody|nothing)"
    r"|(\w+ ){1,3}((alone|itself|by itself) )?would not (stop|bar|prevent) (it|him|them|the \w+)( from .*)?"
)
SUMMED = re.compile(r"(all )?cumulative( with .*)?")  # as modifiers are anyway
ALLOWED = re.compile(r"(rule )?[a-z]*\d+\.\d+ (itself )?(allows|permits) .*")  # what another rule has to say to it


def tells_nothing(said: str) -> bool:
    """Whether a sentence is one of those by which players say that nothing else bears on it."""
    return any(form.fullmatch(said) for form in (CLOSED, NOT_SPECIAL, SUMMED, ALLOWED))


class SilenceReader(EachReader):
    """Reads silences."""

    def not_told(self) -> bool:
        """It is not told whether he is pinned: that is not known of him."""
        ends = [word.low for word in self.line[-3:]]
        said = [word.low for word in self.line]
        nor = next((n for n in range(3, len(said)) if said[n - 1 : n + 1] == [",", "nor"]), 0)
        ends = said[nor - 4 : nor - 1] if nor else ends
        behind = self.low() == "whether" and ends[:2] == ["is", "not"] and ends[2] in UNKNOWN
        if not behind and not self.take(*(f"it is not {said} whether" for said in UNKNOWN)):
            return False
        self.take("whether")
        mark, whole = self.scene.mark(), self.line
        before = {t: t.facts() for t in self.scene.things}
        self.line = (whole[: nor - 4] if nor else whole[:-3]) if behind else whole
        read = self.fact() and self.over()
        self.line = whole
        new = {t: [f for f in t.facts() if f not in before[t]] for t in self.scene.things if t in before}
        self.scene.back(mark)
        if not read or sum(len(facts) for facts in new.values()) != 1:
            return False
        for thing, facts in new.items():
            thing.untold += facts
        if nor:  # nor how many Firing Slits it has
            self.i = nor + 1
            name = self.quantity(None) if self.take("how many", "how much") else ""
            if (
                not name
                or self.it is None
                or not self.take("it has", "he has", "they have", "it is")
                or not self.over()
            ):
                return False
            self.it.untold.append(name)
        self.i = len(whole)
        return True

    def closed(self) -> bool:
        """All else in order; nothing else bars it: no rule that is not loaded has a say."""
        rest = [word.low for word in self.line[self.i :]]
        short = bool({*rest[:3]} & {"no", "cumulative", "enough"})
        end = next((n for n, low in enumerate(rest) if low == ","), len(rest)) if short else len(rest)
        said = " ".join(rest[:end])
        if said not in ASIDE and not tells_nothing(said):
            return False
        self.scene.elsewhere = self.scene.elsewhere or CLOSED.fullmatch(said) is not None
        self.i += end
        return True

    def rid_of(self) -> bool:
        """`It has eliminated all the infantry in the foxhole`: that nobody is there any more; what is not said is not there."""
        end = next((n for n in range(self.i + 1, len(self.line)) if self.lexicon.brings(self.line[n])), -1)
        after = self.line[end + 1].low if 0 < end < len(self.line) - 1 else ""
        if after not in ("all", "every", "everybody", "the"):
            return False
        mark, whole = self.scene.mark(), self.line
        self.line = [word for word in whole[:end] if word.low not in ("has", "have", "just")]
        doer = self.noun(verbs_stop=True)
        self.line, self.i, there = whole, end + 1, doer is not None and self.over()
        self.take("all", "every")
        gone = self.noun(verbs_stop=True) if there else None
        known = gone is not None and gone in [row[0] for row in mark[0]]
        self.take("that was in it", "that was there", "in it", "there")
        self.scene.back(mark)
        return gone is not None and not known

    def none(self) -> bool:
        """No enemy is in the pillbox: what is not said is not so, and nothing is told; but the words must be understood."""
        mark, known = self.scene.mark(), list(self.scene.things)
        anybody = self.take(*NOBODY_THERE)
        self.take("no", *(f"none of {whose}" for whose in ("his", "her", "its", "the", "their", "these")))
        self.take("other")
        thing = self.scene.new([], "anybody") if anybody else self.newly()
        if thing is None or thing in known:
            return False
        several = "or" in [word.low for word in self.line[self.i :]]
        while self.take("or other", "or any other", "or", *((",",) if several else ())):
            self.take("or")
            other = self.newly()
            if other is None or other in known:
                return False
        if self.take(*PARTS):
            self.in_it()
        elif not self.tried(thing, self.verb_phrase):
            self.tried(thing, self.done_by)
        self.take("is", "are")
        self.take("near", "nearby", "about", "there")
        if anybody and self.line[self.i - 1].low in NOBODY_THERE[0]:
            return False
        if self.low() in ("but", "except", "besides", "save", "other") and not self.over():
            raise self.stuck("what is there besides?")
        self.scene.back(mark)
        return True
