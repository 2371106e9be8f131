"""The steps of a proof that say what a thing is, each held against the case, the class tree and kb.checker.reference."""

from __future__ import annotations

from kb.checker import reference as j
from kb.checker.base import core, same
from kb.checker.past import Past
from kb.checker.reference import Judge, One
from kb.language import norms as m
from kb.language.vocabulary import ABSENT, CONCLUDED
from kb.reasoner.trace import Outcome, Step

# What a finding of membership leans on, by its reason: the least and most norms tried, and the steps; none otherwise.
MEMBER_PARTS = {
    "counts": (1, 99, 0),
    "counts-not": (1, 99, 0),
    "conflict": (1, 99, 0),
    "effect": (1, 99, 0),
    "stated": (0, 99, 0),
    "disjoint": (0, 1, 0),
    "defined": (0, 99, 1),
}


class Members(Past):
    """Checks memberships, and that what has happened brought them about."""

    def member(self, step: Step, cls: str, x: One, judge: Judge, env: j.Env) -> None:
        """That a thing is of a class, for the reason given."""
        classes = self.theory.vocabulary.classes
        led = [
            q for q in step.parts if isinstance(q, Step) and step.why in ("effect", "disjoint")
        ]  # to the thing, by an effect
        parts = [q for q in step.parts if isinstance(q, Step) and q not in led]
        outs = [q for q in step.parts if isinstance(q, Outcome)]
        says = f"that {x.name} is {'' if step.value else 'not '}{cls}"
        why = step.why
        wanted = MEMBER_PARTS.get(why, (0, 0, 0))
        fits = wanted[0] <= len(outs) <= wanted[1] and len(parts) == wanted[2]
        if why in ("inferred", "open"):  # by the class tree alone or by what is below; any number of things are open
            fits = bool(step.parts) if why == "open" else len(parts) <= 1
        if why == "presumed":  # what does not make it so, for what is presumed in turn
            fits = all(self.could(q, cls) for q in step.parts)
        self.need(
            fits and len(step.parts) == len({id(q) for q in (*outs, *parts, *led)}), 848, f"{says} leans on other parts"
        )
        if why in ("open", "conflict"):
            settled = [q for q in step.parts if q.value is not None]
            self.need((why == "conflict") == bool(settled), 848, f"{says} is called {why}")
        if why in ("counts", "counts-not", "defined", "inferred", "stated", "effect"):
            against = [o for o in outs if o.status is not True]  # what would say otherwise, but for what is presumed
            self.need(all(self.could(o, cls) for o in against), 845, f"{says} leans on what has no say in it")
        if why == "stated":
            self.need(cls in x.facts.is_, 842, f"the case does not state {says}")
        elif why in ("inferred", "staged") and not parts:
            self.need(
                any(cls in classes[c].ancestors for c in (*x.facts.is_, *judge.caused.get(x.name, ()))),
                843,
                f"{says} is not in the class tree",
            )
            made = x.made is not None or x.name not in judge.things  # or stands for what nobody told
            self.need(why == "inferred" or made, 843, f"{x.name} was not made up")
        elif why == "inferred":
            self.need(
                str(parts[0].node) in classes[cls].descendants and parts[0].value is True,
                843,
                f"{says} is not in the class tree",
            )
        elif why == "denied":
            self.need(any(cls in classes[c].descendants for c in x.facts.not_), 842, f"the case does not deny {says}")
        elif why == "disjoint":
            self.need(
                any(cls in classes[c].disjoint for c in (*x.facts.is_, *judge.caused.get(x.name, ()))),
                843,
                f"{says} does not follow from disjointness",
            )
            self.need(
                all(
                    isinstance(o.norm.head, m.Effect) and self.brought(o, o.norm.head.cls, x, judge, led) for o in outs
                ),
                847,
                f"{says} is not for what has happened",
            )
        elif why == "presumed":
            term = classes[cls]
            withdrawn = any(u in term.ancestors for u in x.facts.unknown)
            self.need(
                term.when_unstated in (ABSENT, CONCLUDED) and not withdrawn,
                844,
                f"the ontology does not let anyone presume {says}",
            )
            self.need(step.soft and step.value is False, 844, f"{says} is presumed and does not say so")
        elif why in ("counts", "counts-not"):
            positive = why == "counts"
            for o in outs:
                head = o.norm.head
                if o.status is False:
                    continue
                reach = isinstance(head, m.CountsAs) and head.negated != positive and cls in (
                    classes[head.target].ancestors if positive else classes[head.target].descendants)  # fmt: skip
                self.need(
                    reach and o.status is True and o.focus.name == x.name, 845, f"{o.norm.id} does not say {says}"
                )
            self.need(any(o.status for o in outs), 845, f"no norm says {says}")
        elif why == "defined":
            known = self.theory.definitions.get(cls, ())
            self.need(
                parts and any(same(parts[0].node, core(d)) for d in known) and parts[0].value is step.value,
                846,
                f"no definition says {says}",
            )
        elif why == "effect":
            self.need(
                outs and self.brought(outs[0], cls, x, judge, led),
                847,
                f"nothing that has happened makes {x.name} a {cls}",
            )
            self.need(
                step.soft or not (any(o.soft for o in outs[:1]) or any(s.soft for s in led)),
                833,
                f"{x.name} {cls}: a presumption is hidden",
            )
            return self.rest_of_member(step, cls, x, judge, env, [], parts)
        elif why in ("module", "unknown", "open", "conflict", "circular"):
            derived = bool(classes[cls].derived)
            if why == "module" and derived:
                _, presumed = judge.derived_member(x, cls, env["this"])
                self.need(step.soft >= presumed, 833, f"{x.name} {cls}: a presumption is hidden")
            if why == "circular":
                # What a presumption names may have been found while it leant on itself; that it is not so must hold by itself.
                inside = ("is", x.name, cls) in self.within or (self.leaning(cls) and judge.member(x, cls, x) is False)
                self.need(inside and not step.soft, 848, f"{says} leans on nothing that leans on it")
            self.need(
                derived == (why == "module") or (derived and step.value is None),
                848,
                f"{cls} is not worked out by a module",
            )
            self.need(
                why == "module" or (step.value is None) == (why != "circular"),
                848,
                f"{says} is called {why} and has a value",
            )
        else:
            self.problem(848, f"“{why}” is no reason for {says}")
        self.rest_of_member(step, cls, x, judge, env, outs, parts)

    def leaning(self, cls: str) -> bool:
        """Whether rules make a thing a cls or none, so that it may come to lean on itself."""
        by, term = self.theory, self.theory.vocabulary.classes[cls]
        made = any(c in by.makes or c in by.definitions for c in term.descendants)
        return made or any(c in by.unmakes for c in term.ancestors)

    def could(self, part: object, cls: str) -> bool:
        """Whether a part of a step could have made a thing a cls or none: a norm or an effect on it, a definition, a narrower class."""
        classes = self.theory.vocabulary.classes
        if isinstance(part, Outcome):
            match part.norm.head:
                case m.CountsAs(_, target, _):
                    near = target in classes[cls].descendants or cls in classes[target].descendants
                    return near and part.status is not True
                case m.Effect(made):
                    near = cls in classes[made].ancestors or cls in classes[made].disjoint
                    return near and part.status is not True
            return False
        if not isinstance(part, Step) or part.value is True:
            return False
        below = self.triggers(part.node, cls) or (
            isinstance(part.node, m.Named) and part.node.name in classes[cls].descendants
        )
        return below or any(same(core(d), part.node) for d in self.theory.definitions.get(cls, ()))

    def rest_of_member(
        self, step: Step, cls: str, x: One, judge: Judge, env: j.Env, outs: list[Outcome], parts: list[Step]
    ) -> None:
        """Checks what a membership rests on: the norms that make or unmake it, definitions, narrower classes."""
        self.within.append(("is", x.name, cls))
        for o in outs:
            self.outcome(o, self.at(o, judge))
        for part in parts:
            if self.triggers(part.node, cls):
                self.untriggered(part)
                continue
            known = [d for d in self.theory.definitions.get(cls, ()) if same(core(d), part.node)]
            self.condition(part, known[0] if known else m.Named(str(part.node)), x, {"this": x}, judge)
        self.within.pop()
        self.need(
            step.soft or not any(getattr(q, "soft", False) for q in step.parts) or step.value is None,
            833,
            f"{x.name} {cls}: a presumption is hidden",
        )
