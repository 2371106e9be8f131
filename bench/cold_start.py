"""`loophole ask` from a cold start against `python -c "import rdflib, typer"`.

    python bench/cold_start.py [CASE] [--runs N]

Both are run in turn, so that a busy machine slows both; the figure is the ratio of the medians.
Exit code 1 above the bound.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BOUND = 3.0


def seconds(command: list[str]) -> float:
    """Wall time of one run. Stops the measuring where it fails: a crash is not a fast answer."""
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""})
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed with exit code {done.returncode}:\n{done.stderr}")
    return time.perf_counter() - started


def measure(case: Path, runs: int) -> tuple[float, float]:
    """Median seconds of an answer and of the bare imports, taken turn about after one warm-up of each."""
    ask = [str(Path(sys.executable).parent / "loophole"), "ask", str(case)]
    bare = [sys.executable, "-c", "import rdflib, typer"]
    times = [(seconds(ask), seconds(bare)) for _ in range(runs + 1)][1:]
    return statistics.median(a for a, _ in times), statistics.median(b for _, b in times)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", nargs="?", type=Path, default=ROOT / "examples" / "pillbox.yaml")
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    ours, bare = measure(options.case, options.runs)
    print(f"loophole ask {ours * 1e3:.0f} ms, bare imports {bare * 1e3:.0f} ms: ratio {ours / bare:.2f}")
    print(f"bound {BOUND:.0f}: {'held' if ours <= BOUND * bare else 'BROKEN'}")
    return 0 if ours <= BOUND * bare else 1


if __name__ == "__main__":
    sys.exit(main())
