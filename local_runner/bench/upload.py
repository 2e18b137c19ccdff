"""What of ours is measured: the file that is uploaded, not the folder that it is made from."""

from dataclasses import replace
from pathlib import Path

from local_runner import bundle
from local_runner.agents import SUBMISSION, AgentSpec


def as_uploaded(spec: AgentSpec, folder: Path) -> AgentSpec:
    """Ours as its bundle, which is kept in a folder, once for each state of its sources; others as they are."""
    if spec.path != SUBMISSION:
        return spec
    made = bundle.build()
    path = folder.resolve() / made.package / bundle.MAINS[bundle.JIDI]
    if not path.exists():
        bundle.write(made, path)
    return replace(spec, path=path)
