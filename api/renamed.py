"""Cases that differ in the names of their things alone: one is worked out for all, and each is answered in its own names."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

from api import jobs
from api.work import Work
from kb import registry
from kb.cases import nameless
from kb.cases.nameless import Nameless
from kb.errors import LoopholeError

MOST = 512  # cases of which it is remembered what they are without names


async def answered(work: Work, text: str, media: str, flips: bool, options: jobs.Options) -> tuple[str, bytes, str]:
    """A case's verdict, its proof and its tag. Of cases that differ in names alone, in JSON, one is worked out for all."""
    bare = without_names(text) if media == jobs.JSON else None
    if bare is not None:
        with suppress(LoopholeError):  # what is wrong with a case is told of it as it is written
            verdict, form, tag = await work.do(answer_to_all, bare.text, flips, options, turning=flips)
            return verdict, bare.filled(form), jobs.tag(tag, bare.key)
    return await work.do(jobs.answer, text, media, flips, options, turning=flips)  # type: ignore[no-any-return]


@lru_cache(maxsize=MOST)
def without_names(text: str) -> Nameless | None:
    """A case without the names of its things, where these are nothing but names."""
    try:
        return nameless.nameless(text, registry.vocabulary)
    except LoopholeError:  # what is wrong with it is told when it is asked
        return None


def answer_to_all(text: str, flips: bool, options: jobs.Options) -> tuple[str, bytes, str]:
    """The answer to a case without names, as jobs.answer gives it in JSON, as a form for all cases that differ from it in names alone."""
    verdict, said, known_as = jobs.answer(text, jobs.JSON, flips, options)
    return verdict, nameless.form(said), known_as
