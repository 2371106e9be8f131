"""The norms as LegalRuleML 1.0, compact serialisation: statements, their sources, strength, overrides and readings.

A permission, prohibition or obligation is a prescriptive statement, every other norm a constitutive one. A condition is
spelt out in RuleML as far as OWL says it; what stays opaque there is one atom here, whose relation is its text. An
exception that frees the act is a `Naf` in the rule's body: the rule holds unless it is met.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as xml

from kb import registry
from kb.graph.norms import DEONTIC, kind_of
from kb.graph.texts import readings
from kb.language import english, iris, norms as m
from kb.language.parser import terms
from kb.language.vocabulary import Vocabulary
from kb.rulebook.theory import goes_over

LRML, RULEML = "http://docs.oasis-open.org/legalruleml/ns/v1.0/", "http://ruleml.org/spec"
ELEMENTS = {  # the names of LegalRuleML 1.0 and RuleML that are used here
    LRML: {
        "LegalRuleML", "LegalSources", "LegalSource", "Authorities", "Authority", "Associations", "Association",
        "appliesSource", "appliesAuthority", "toTarget", "Alternatives", "hasAlternative", "Statements",
        "PrescriptiveStatement", "ConstitutiveStatement", "OverrideStatement", "Override", "hasStrength",
        "DefeasibleStrength", "Obligation", "Permission", "Prohibition", "Paraphrase", "hasParaphrase",
    },
    RULEML: {"Rule", "if", "then", "And", "Or", "Neg", "Naf", "Atom", "Rel", "Var", "Ind", "Data", "Exists", "Forall", "Implies"},
}  # fmt: skip
MODES = {"Permission": "Permission", "Release": "Permission", "Prohibition": "Prohibition", "Obligation": "Obligation"}
X = "x"


def of_books(book: str = "") -> str:
    """One book, or all of them, as one document. Raises CaseError for a book there is none of."""
    for prefix, namespace in (("lrml", LRML), ("ruleml", RULEML)):
        xml.register_namespace(prefix, namespace)
    root = lrml(None, "LegalRuleML")
    for name in [book] if book else registry.books():
        Writer(registry.book(name), registry.vocabulary(name), root).write()
    order = ["LegalSources", "Authorities", "Alternatives", "Associations", "Statements"]
    root[:] = sorted(root, key=lambda e: order.index(e.tag.partition("}")[2]))
    xml.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(root, encoding="unicode") + "\n"


def lrml(parent: xml.Element | None, tag: str, text: str = "", **attributes: str) -> xml.Element:
    """An element of LegalRuleML."""
    return element(parent, LRML, tag, text, attributes)


def ruleml(parent: xml.Element, tag: str, text: str = "", **attributes: str) -> xml.Element:
    """An element of RuleML."""
    return element(parent, RULEML, tag, text, attributes)


def element(parent: xml.Element | None, space: str, tag: str, text: str, attributes: dict[str, str]) -> xml.Element:
    """An element put below its parent; only those that the schema knows."""
    assert tag in ELEMENTS[space], tag
    made = xml.Element(f"{{{space}}}{tag}", attributes)
    made.text = text or None
    if parent is not None:
        parent.append(made)
    return made


def key(*parts: str) -> str:
    """A key as XML has them: letters, digits, full stops, hyphens; B30.4/out becomes asl-B30.4-out."""
    return re.sub(r"[^\w.-]", "-", "-".join(parts))


class Writer:
    """Writes the statements of one book below the root."""

    def __init__(self, book: m.Book, vocabulary: Vocabulary, root: xml.Element):
        self.book, self.vocabulary, self.root, self.made = book, vocabulary, root, 0
        self.norms = [(n, s) for c in book.chapters for s in c.sections for n in s.norms]

    def write(self) -> None:
        """Writes the whole book: sources, authorities, statements, who beats whom."""
        sources, authorities = lrml(self.root, "LegalSources"), lrml(self.root, "Authorities")
        for chapter in self.book.chapters:
            for section in chapter.sections:
                name, iri = key(self.book.id, "source", section.rule), iris.rule(self.book.id, section.rule)
                lrml(sources, "LegalSource", key=name, sameAs=iri)
        for authority in self.book.policy.authorities:
            iri = iris.of_book(self.book.id, "authority", authority)
            lrml(authorities, "Authority", key=key(self.book.id, "authority", authority), sameAs=iri)
        for dispute, options in readings(self.book):
            group = lrml(self.root, "Alternatives", key=key(self.book.id, "dispute", dispute))
            for option in options:
                for norm, _ in self.norms:
                    if norm.reading == f"{dispute}:{option}":
                        lrml(group, "hasAlternative", keyref=f"#{self.key_of(norm)}")
        associations, statements = lrml(self.root, "Associations"), lrml(self.root, "Statements")
        for norm, section in self.norms:
            self.statement(statements, norm, section)
            row = lrml(associations, "Association")
            lrml(row, "appliesSource", keyref=f"#{key(self.book.id, 'source', norm.rule)}")
            lrml(row, "appliesAuthority", keyref=f"#{key(self.book.id, 'authority', norm.authority)}")
            lrml(row, "toTarget", keyref=f"#{self.key_of(norm)}")
        for norm, _ in self.norms:
            for other, _ in self.norms:
                if other is not norm and goes_over(norm, other):
                    overrides = lrml(statements, "OverrideStatement")
                    lrml(overrides, "Override", over=f"#{self.key_of(norm)}", under=f"#{self.key_of(other)}")

    def key_of(self, norm: m.Norm) -> str:
        """The key of a norm in the document."""
        return key(self.book.id, norm.id)

    def statement(self, parent: xml.Element, norm: m.Norm, section: m.Section) -> None:
        """Writes a norm as a prescriptive or constitutive statement."""
        kind = kind_of(norm.head)
        tag = "PrescriptiveStatement" if kind in DEONTIC.values() else "ConstitutiveStatement"
        made = lrml(parent, tag, key=self.key_of(norm))
        said = " ".join(english.sentence(s.text) for s in section.sentences if s.number in norm.sentences)
        if said:
            lrml(lrml(made, "hasParaphrase"), "Paraphrase", said)
        rule = ruleml(made, "Rule", key=f"{self.key_of(norm)}-rule", closure="universal")
        lrml(lrml(rule, "hasStrength"), "DefeasibleStrength")
        body = ruleml(ruleml(rule, "if"), "And")
        subject = m.subject_of(norm.head)
        if subject:
            self.atom(body, self.iri(subject), X)
        if not isinstance(norm.when, m.Anything):
            self.condition(body, norm.when, X)
        for unless in norm.unless:
            self.condition(ruleml(body, "Naf"), unless.condition, X)
        self.head(ruleml(rule, "then"), norm, kind)

    def head(self, parent: xml.Element, norm: m.Norm, kind: str) -> None:
        """Writes what a norm says. kind: of its statement."""
        head = norm.head
        match head:
            case m.Deontic(_, act):
                duty = lrml(parent, MODES[kind])
                self.atom(ruleml(duty, "Neg") if kind == "Release" else duty, self.iri(act), X)
            case m.CountsAs(_, target, negated):
                self.atom(ruleml(parent, "Neg") if negated else parent, self.iri(target), X)
            case m.Relates(_, role, to, negated):
                inner = ruleml(parent, "Neg") if negated else parent
                self.some(inner, m.Some(m.Role(role), to), X)
            case m.QuantityHead(op, quantity, _, value, bound):
                made = ruleml(parent, "Atom")
                ruleml(made, "Rel", iri=self.iri(quantity))
                ruleml(made, "Var", X)
                ruleml(made, "Data", " ".join(filter(None, (op, bound, str(value)))))
            case m.Effect() | m.Change() | m.Link():
                made = ruleml(ruleml(parent, "Neg") if getattr(head, "ends", False) else parent, "Atom")
                path = head.path
                ruleml(made, "Rel", iri=self.iri(next(terms(head))))
                ruleml(made, "Ind" if path.steps else "Var", str(path) if path.steps else X)
                if isinstance(head, m.Change):
                    ruleml(made, "Data", f"{head.op} {head.value}")
                elif isinstance(head, m.Link) and head.to is not None:
                    ruleml(made, "Ind", str(head.to))

    def condition(self, parent: xml.Element, c: m.Condition, var: str) -> None:
        """A condition on what a variable stands for."""
        match c:
            case m.Named(name):
                self.atom(parent, self.iri(name), var)
            case m.And(parts) | m.Or(parts):
                group = ruleml(parent, "And" if isinstance(c, m.And) else "Or")
                for part in parts:
                    self.condition(group, part, var)
            case m.Not(of):
                self.condition(ruleml(parent, "Neg"), of, var)
            case m.Except(base, carve, _):
                group = ruleml(parent, "And")
                self.condition(group, base, var)
                self.condition(ruleml(group, "Naf"), carve, var)
            case m.Some():
                self.some(parent, c, var)
            case m.Only(role, filler):
                other = self.fresh()
                every = ruleml(parent, "Forall")
                ruleml(every, "Var", other)
                then = ruleml(every, "Implies")
                self.link(ruleml(then, "if"), role, var, other)
                self.condition(ruleml(then, "then"), filler, other)
            case _:
                made = ruleml(parent, "Atom")
                ruleml(made, "Rel", str(c))
                ruleml(made, "Var", var)

    def some(self, parent: xml.Element, c: m.Some, var: str) -> None:
        """Writes `role some filler` of a variable."""
        other = self.fresh()
        exists = ruleml(parent, "Exists")
        ruleml(exists, "Var", other)
        group = ruleml(exists, "And")
        self.link(group, c.role, var, other)
        if not isinstance(c.filler, m.Anything):
            self.condition(group, c.filler, other)

    def link(self, parent: xml.Element, role: m.Role, one: str, other: str) -> None:
        """Writes that one variable is related to another by a role."""
        made = ruleml(parent, "Atom")
        ruleml(made, "Rel", iri=self.iri(role.name))
        for var in (other, one) if role.inverse else (one, other):
            ruleml(made, "Var", var)

    def atom(self, parent: xml.Element, iri: str, var: str) -> None:
        """Writes that a variable is of a class."""
        made = ruleml(parent, "Atom")
        ruleml(made, "Rel", iri=iri)
        ruleml(made, "Var", var)

    def fresh(self) -> str:
        """A variable that is not used yet."""
        self.made += 1
        return f"y{self.made}"

    def iri(self, name: str) -> str:
        """The IRI of a term. Raises KeyError for a name that is none."""
        return self.vocabulary.term(name).iri
