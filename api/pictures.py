"""Pictures as SVG, each with its text: the situation of a case."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from api import drawing
from kb.answers import scene as scenes
from kb.asking import Proof

FILLS = {
    "woods": "#b9cfa2", "orchard": "#cfdcae", "brush": "#dbe0b5", "building": "#d9c6ae", "rubble": "#cfcac0",
    "marsh": "#bcd2c6", "water": "#b5d3e6", "sand": "#efe3b8", "gully": "#dccfae", "grain": "#ecdf9e", "hill": "#e0cfa8",
    "road": "#ded8cc",
}  # fmt: skip
# What is drawn on a counter, from its centre: the usual signs of units, simplified.
SIGNS = {
    "infantry": "M-9,-6 L9,6 M-9,6 L9,-6",
    "leader": "M0,-7 L2,-2 L7,-2 L3,1.5 L4.5,7 L0,3.6 L-4.5,7 L-3,1.5 L-7,-2 L-2,-2 Z",
    "tank": "M-5,-5 L5,-5 A5,5 0 0 1 5,5 L-5,5 A5,5 0 0 1 -5,-5 Z M-2,0 L9,-3",
    "vehicle": "M-9,-5 H9 V3 H-9 Z M-6,3 A2,2 0 1 0 -5.9,3 M6,3 A2,2 0 1 0 6.1,3",
    "gun": "M0,7 V-7 M-4,-3 L0,-7 L4,-3 M-5,5 H5",
    "mortar": "M0,7 V-7 M-4,-3 L0,-7 L4,-3 M-3,6 A3,3 0 1 0 3,6",
    "machinegun": "M0,7 V-7 M-4,2 H4 M-4,-1 H4",
    "flame": "M0,7 C-6,2 -2,-2 0,-8 C2,-2 6,2 0,7 Z",
    "weapon": "M-8,3 L8,-3 M-8,3 L-5,6",
    "aircraft": "M-9,0 H9 M0,-6 V6 M-3,6 H3",
    "animal": "M-8,6 L8,-6",
}


def environment() -> Environment:
    """What reads templates, of pages too: it escapes everything, and knows no name that it was not given."""
    return Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip


@lru_cache
def templates() -> Environment:
    """The templates of pictures."""
    made = environment()
    made.globals["sign"] = sign
    made.globals["fills"] = FILLS
    return made


def sign(name: str) -> Markup:
    """The sign of a counter."""
    if name not in SIGNS:
        return Markup("")
    return Markup('<path d="{}" class="sign" fill="none" stroke="#1c1b19" stroke-width="1.4"/>').format(SIGNS[name])


def situation(proof: Proof, title: str, standalone: bool = True) -> str:
    """The situation of a case; standalone: as a file of its own, with a ground."""
    drawn = drawing.of_scene(scenes.scene(proof.case, proof.theory.vocabulary))
    return templates().get_template("scene.svg").render(d=drawn, title=title, standalone=standalone)
