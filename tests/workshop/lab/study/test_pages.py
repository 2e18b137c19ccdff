"""The pages of the studies: one for each, with its command, existing options, and a section for results."""

import re
from pathlib import Path

import pytest
import typer

from local_runner.commands.shared.command_line import CommandLine
from workshop.lab.study import __main__ as studies
from workshop.lab.study.output import BEGIN, END

PAGES = Path(__file__).parents[4] / "workshop" / "notebook" / "studies"
app = CommandLine("studies")
for each in studies.COMMANDS:
    app.command()(each)
COMMANDS = typer.main.get_command(app).commands


def test_there_is_a_page_for_each_study():
    assert {page.stem for page in PAGES.glob("*.md")} == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_page_says_what_the_command_takes(name):
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    assert f"```bash\npython -m workshop.lab.study {name}\n```" in text
    assert 0 < text.index("## Measured") < text.index(BEGIN) < text.index(END)
    defaults = {option: each.default for each in COMMANDS[name].params for option in each.opts}
    named = re.findall(r"`(--[a-z-]+)(?: ([0-9.]+))?", text)
    assert len(named) > 4
    for option, value in named:
        assert option in defaults, option
        assert not value or float(value) == float(1 if defaults[option] is None else defaults[option]), option
