"""Questions whether something is forbidden, and which may not: told as those whether somebody may, with one word for what is turned round."""

from __future__ import annotations

import re

from kb.english.idioms import counted_words
from kb.english.lexicon import Lexicon, undone
from kb.english.words import PLAIN, Word

MAY_NOT = "may-not"
BARRED = r"(?:forbidden|prohibited|barred|banned|disallowed|illegal|unlawful|not (?:allowed|permitted)|kept|prevented)"
# who: of whom it is asked; ing: a verb behind `from`; so: of what is told as a noun; which: what stands before the verb in its own order.
FORMS = tuple(
    re.compile(form)
    for form in (
        rf"(?:is|are) it {BARRED}(?: for (?P<who>.+?))? to(?= )",
        rf"(?:is|are) (?P<who>.+?) {BARRED} (?:to|from(?: (?P<ing>\w+ing)|(?P<place>)(?! (?:inside|within|outside|in|out) )))(?= )",
        rf"(?:is|are) (?P<who>(?!(?:it|that|this) ).+?) (?P<so>{BARRED})(?= |$)",
        rf"(?P<which>(?:which|what|who)\b(?:(?! (?:may|can|must) ).)*?) (?:(?:may|can|could|must|shall) (?:not|never)|cannot|can't|(?:is|are) {BARRED} (?:to|from(?: (?P<ing>\w+ing)|(?P<place>))))(?= )",
        r"(?:does|do|must|shall) (?P<who>.+?) (?:(?:have|need) to )?(?P<out>(?:stay|keep|remain) out of)(?= )",
        r"(?P<which>(?:in|on|at|with|from|during|against|to) (?:which|what) (?:\w+ ){1,3}?)(?:may|can) (?P<who>.+?) not(?= )",
    )
)


# What may be used, as a noun without an article, and by whom: is Intensive Fire allowed for a pinned squad.
USED = re.compile(
    r"(?:is|are|(?P<not>may-not)) (?P<what>(?!(?:it|that|this|he|the|an?|my|our|his|its|there|these|those) )(?:(?!(?:at|of|in|on|from|by|to|be|between) )\S+ ){1,3}?)"
    r"(?:be )?(?:allowed|permitted|possible|legal)(?: for (?P<who>.+?))?(?P<rest>(?: (?:from|against|at|during|with|if|when|while) .+)?)$"
)


def used(line: list[Word]) -> list[Word]:
    """A question whether something told as a noun is allowed, as one whether somebody may use it; any other as it is."""
    match = USED.match(" ".join(word.low for word in line))
    if match is None:
        return line
    start, stop = line[0].start, line[0].end
    parts = {name: line[slice(*counted_words(match, name))] if match[name] else [] for name in ("what", "who", "rest")}
    who, what, rest = parts["who"] or [Word("I", start, stop)], parts["what"][:-1], parts["rest"][1:]
    return [Word(MAY_NOT if match["not"] else "may", start, stop), *who, Word("use", start, stop), *what, *rest]


def forbidden(line: list[Word], known: Lexicon, told_before: bool) -> list[Word]:
    """A question what is forbidden as one what may not be done; any other as it is. told_before: whether somebody was told of, whom it then means."""
    said = " ".join(word.low for word in line)
    for form in FORMS:
        match = form.match(said)
        if match is None:
            continue
        start, stop = line[0].start, line[match[0].count(" ")].end
        told = match.groupdict()

        def part(name: str, match: re.Match[str] = match, told: dict[str, str | None] = told) -> list[Word]:
            first, last = counted_words(match, match.re.groupindex[name]) if told.get(name) else (0, 0)
            return line[first : last - (told.get(name) or "").endswith(" ")]

        found = [*part("which"), Word(MAY_NOT, start, stop)]
        found += part("who") or ([] if told.get("which") else [Word("it" if told_before else "I", start, stop)])
        if told.get("ing"):
            found.append(Word(verb(str(told["ing"]), known), start, stop))
        elif told.get("place") is not None:
            found += [Word("be", start, stop), Word("in", start, stop)]
        elif told.get("out"):
            found += [Word("move", start, stop), Word("into", start, stop)]
        elif told.get("so"):
            found += [Word("be", start, stop), Word("allowed", start, stop)]
        return [*found, *line[match[0].count(" ") + 1 :]]
    return line


def verb(gerund: str, known: Lexicon) -> str:
    """The verb that a form in -ing is of: an act of the book, or else a word of English."""
    bases = [*undone(gerund)]
    acts = (b for b in bases if (m := known.meaning([Word(b, 0, 0)])) is not None and any(s.verb for s in m.senses))
    return next(acts, "") or max((b for b in bases if b in PLAIN), key=len, default=(bases or [gerund])[0])
