"""Compiles the rooms where an answer is worked out, when a wheel is built with HATCH_BUILD_HOOKS_ENABLE=true.

The same modules, through mypyc: an answer takes three quarters of the time. It wants a C compiler; without the variable the wheel
is plain Python, as it always is in a checkout.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOMS = (
    "cases/words",
    "cases/things",
    "cases/questions",
    "cases/reader",
    "cases/domains",
    "cases/meaning",
    "cases/completion",
    "reasoner/positions",
    "reasoner/world",
    "reasoner/staging",
    "reasoner/relations",
    "reasoner/memberships",
    "reasoner/situation",
    "reasoner/quantities",
    "reasoner/restrictions",
    "reasoner/evaluate",
    "reasoner/expressions",
    "reasoner/effects",
    "reasoner/defeat",
    "reasoner/decision",
    "reasoner/facts_read",
    "reasoner/asks",
    "reasoner/relevance",
    "reasoner/support",
)
SETUP = """
from mypyc.build import mypycify
from setuptools import setup

setup(ext_modules=mypycify(["--ignore-missing-imports", *{files!r}], opt_level={level!r}, debug_level="0"))
"""


class Compiled(BuildHookInterface[Any]):
    """Adds the compiled rooms to a wheel, which is then for this Python and this machine."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or version == "editable":
            return
        self.work = Path(tempfile.mkdtemp())
        shutil.copytree(Path(self.root, "kb"), self.work / "kb")
        (self.work / "setup.py").write_text(
            SETUP.format(files=[f"kb/{room}.py" for room in ROOMS], level=os.environ.get("MYPYC_OPT_LEVEL", "2")),
            encoding="utf-8",
        )
        made = subprocess.run(
            [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
            cwd=self.work, env={**os.environ, "CFLAGS": "-w"}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        libraries = [f for f in self.work.rglob("*") if f.suffix in (".so", ".pyd") and "build" not in f.parts]
        if made.returncode or len(libraries) != len(ROOMS) + 1:
            raise SystemExit(f"the rooms do not compile:\n{made.stdout}{made.stderr}")
        build_data["force_include"].update({str(f): f.relative_to(self.work).as_posix() for f in libraries})
        build_data["pure_python"], build_data["infer_tag"] = False, True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "work"):
            shutil.rmtree(self.work)
