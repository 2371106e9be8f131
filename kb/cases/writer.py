"""A case written as people write it: the mapping that, read again, gives the same case.

mapping(case) -> book, things, history, ask …      for kb.cases.reader.read, or as YAML by kb.yaml_document
"""

from __future__ import annotations

from typing import Any

from kb.language.case import Case, Facts, Question
from kb.language.english import shown


def mapping(case: Case) -> dict[str, Any]:
    """The mapping of a case. What is only expected of its answer is left out."""
    found: dict[str, Any] = {key: said for key, said in (("name", case.name), ("rule", case.rule)) if said}
    found["book"] = case.book
    if case.edition:
        found["edition"] = case.edition
    if case.modules:
        found["modules"] = list(case.modules)
    if case.elsewhere:
        found["elsewhere"] = "nothing"
    if case.title:
        found["title"] = case.title
    found["things"] = {name: of_thing(facts) for name, facts in case.things.items()}
    if case.nothing_else:
        found["nothing-else"] = True
    if case.history:
        found["history"] = list(case.history)
    found["ask"] = of_question(case.question)
    return found


def of_thing(facts: Facts) -> dict[str, Any]:
    """What is stated of a thing, under the keys of a case."""
    found: dict[str, Any] = {
        key: list(names) for key, names in (("is", facts.is_), ("not", facts.not_), ("unknown", facts.unknown)) if names
    }
    if facts.label:
        found["label"] = facts.label
    for role, names in facts.links.items():
        found[role] = names[0] if len(names) == 1 else list(names)
    found.update({name: shown(number) for name, number in facts.numbers.items()})
    found.update(facts.flags)
    found.update(facts.texts)
    return found


def of_question(question: Question) -> dict[str, Any]:
    """A question, under the keys of `ask`."""
    match question.kind:
        case "is":
            return {"is": [question.thing, str(question.condition)]}
        case "value":
            return {"value": [question.quantity, question.thing]}
        case "which":
            found: dict[str, Any] = {"which": list(question.things) or question.cls}
            if question.role:
                found["as"] = question.role
            return {**found, **(of_question(question.inner) if question.inner is not None else {})}
    return {question.key: question.thing}
