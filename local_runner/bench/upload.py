"""Makes benchmarks measure our agent as the bundle that is uploaded, not as the folder submission/."""

from dataclasses import replace
from pathlib import Path

from local_runner.agents.catalogue import SUBMISSION
from local_runner.agents.spec import AgentSpec
from local_runner.upload import bundle


def as_uploaded(spec: AgentSpec, folder: Path) -> AgentSpec:
    """Our agent as its bundle, which is written into `folder`; any other agent as it is.

    Each version of the sources gets a subfolder of its own.
    """
    if spec.path != SUBMISSION:
        return spec
    made = bundle.build()
    path = folder.resolve() / made.package / bundle.MAINS[bundle.JIDI]
    if not path.exists():
        bundle.write(made, path)
    return replace(spec, path=path)
