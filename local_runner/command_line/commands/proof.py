"""The command `tengen proof`: shows the proof that Black wins gobang."""

PLACE = "lists", 75  # group of commands, and the place in lists
EXAMPLES = ("tengen proof",)


def proof() -> None:
    """Show the proof that Black wins gobang: White's 35 second moves, and the longest line after each.

    The upload has an answer to whatever White does: play White on the page of tengen serve.
    """
    from rich.console import Console
    from rich.text import Text

    from local_runner.formats import proof_page
    from local_runner.language.languages import _
    from local_runner.terminal.drawing import WideTable

    console, lines = Console(), proof_page.proof_lines()
    table = WideTable("", [_("White's second move"), _("prepared moves"), _("stones")])
    for line in lines:
        table.add(line.second, str(line.entries), str(len(line.cells)))
    console.print(table)
    console.print(Text("\n" + _("longest line")))
    for line in lines:
        console.print(Text(line.moves), soft_wrap=True)
