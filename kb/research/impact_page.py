"""What a change means, told: as text for a reader, as JSON with every proof in full."""

from __future__ import annotations

import textwrap
from typing import Any

from kb.answers import explain, proof_json as records
from kb.language import norms as m
from kb.reasoner.proof import Proof
from kb.research.impact import Difference, Impact
from kb.research.sides import CHAIN, VALUE, VERDICT
from kb.yaml_document import written


def text(found: Impact, width: int = 100, most: int = 20) -> str:
    """What a change means, for a reader: norms, answers that differ with both proofs in short, the invented case."""
    out = [f"{found.name} ({found.book})", ""]
    out += [f"before: {explain.edition(found.before)}", f"after:  {explain.edition(found.after)}", ""]
    if not found.norms:
        return "\n".join([*out, "NOTHING FLIPS", *wrapped(found.bounds, width)])
    out.append("NORMS")
    for name, old, new in found.norms:
        out.append(f"  {name}: {'added' if old is None else 'taken away' if new is None else 'worded anew'}")
        out += said("before", old, width) + said("after", new, width)
    counts = {k: sum(d.kind == k for d in found.differences) for k in (VERDICT, VALUE, CHAIN)}
    told = ", ".join(f"{n} in {k}" for k, n in counts.items())
    out += ["", f"CASES: {len(found.differences)} of {found.asked} differ ({told})"]
    for d in found.differences[:most]:
        out += [
            f"  {d.name} ({d.kind})",
            *(alike(d, width) if d.kind == CHAIN else proofs(d.before, d.after, width)),
        ]
    if len(found.differences) > most:
        out.append(f"  and {len(found.differences) - most} more (--json tells them all)")
    out += ["", "INVENTED"]
    if found.witness is not None:
        out += wrapped(
            f"a case of {found.witness.size} facts flips it, by {found.witness.norm} ({found.bounds}):", width
        )
        out += ["", *(f"    {line}" for line in written(found.witness.case).splitlines()), ""]
        out += proofs(found.witness.before, found.witness.after, width)
    else:
        out += wrapped(found.bounds, width)
    return "\n".join(out)


def wrapped(said_: str, width: int) -> list[str]:
    """Lines of a text, two spaces in. width: characters."""
    return textwrap.wrap(said_, width, initial_indent="  ", subsequent_indent="  ")


def said(side: str, norm: m.Norm | None, width: int) -> list[str]:
    """A norm as the rule language has it."""
    if norm is None:
        return []
    unless = "".join(f" unless {u.label}: {u.condition}" for u in norm.unless)
    when = "" if isinstance(norm.when, m.Anything) else f" when {norm.when}"
    over = f" over {', '.join(norm.over)}" if norm.over else ""
    return textwrap.wrap(
        f"{side}: {norm.head}{when}{unless}{over}", width, initial_indent="    ", subsequent_indent="      "
    )


def alike(d: Difference, width: int) -> list[str]:
    """The same answer by other words or other rules."""
    words = [", ".join(dict.fromkeys(w.norm.id for w in p.winners[:3])) or "no norm" for p in (d.before, d.after)]
    by = (
        f"by {words[0]}, worded anew or against others"
        if words[0] == words[1]
        else f"by {words[0]}, then by {words[1]}"
    )
    return textwrap.wrap(
        f"still {explain.headline(d.after).partition(':')[0]}, {by}",
        width,
        initial_indent="    ",
        subsequent_indent="      ",
    )


def proofs(one: Proof, other: Proof, width: int) -> list[str]:
    """Both answers, each by its first line and the first reason of its chain."""
    out = []
    for side, proof in (("before", one), ("after", other)):
        out += textwrap.wrap(
            f"{side}: {explain.headline(proof)}", width, initial_indent="    ", subsequent_indent="      "
        )
        for winner in proof.winners[:2]:
            section = proof.theory.sections.get(winner.norm.rule)
            title = f" {section.title}" if section is not None else ""
            out.append(f"      {winner.norm.id}{title}")
        if not proof.winners and proof.scope.says:
            out += textwrap.wrap(proof.scope.says, width, initial_indent="      ", subsequent_indent="      ")
    return out


def to_json(found: Impact) -> dict[str, Any]:
    """The whole impact, every proof in full."""
    flip = found.witness
    return {
        "format": "loophole-impact/1",
        "name": found.name,
        "book": found.book,
        "before": records.in_force(found.before),
        "after": records.in_force(found.after),
        "norms": [
            {"id": name, "before": as_text(old), "after": as_text(new)} for name, old, new in found.norms
        ],
        "asked": found.asked,
        "differences": [
            {"case": d.name, "kind": d.kind, "before": records.to_json(d.before, False), "after": records.to_json(d.after, False)}
            for d in found.differences
        ],
        "invented": None if flip is None else {
            "case": flip.case, "facts": flip.size, "norm": flip.norm,
            "before": records.to_json(flip.before, False), "after": records.to_json(flip.after, False),
        },
        "bounds": found.bounds,
    }  # fmt: skip


def as_text(norm: m.Norm | None) -> str | None:
    """A norm on one line; None for none."""
    return None if norm is None else " ".join(" ".join(said("", norm, 10_000)).split()).removeprefix(": ")
