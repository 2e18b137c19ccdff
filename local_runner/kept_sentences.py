"""How games ended, in the language of the user: records and files keep these sentences in English.

A sentence that is not one of these is shown as it was kept. The tests look for every `Fault` here.
"""

import functools
import re

from local_runner.languages import _, marked

PART = "sentence"  # the field of a template that holds such a sentence again
TEMPLATES = (  # the first that fits is taken
    marked("Black could not be loaded: it {sentence}"),
    marked("White could not be loaded: it {sentence}"),
    marked("Black {sentence}"),
    marked("White {sentence}"),
    marked("can no longer be played: {sentence}"),
    marked("{path} has no function my_controller(observation, action_space, is_act_continuous)"),
    marked("has ended"),
    marked("resigns"),
    marked("raised {error}"),
    marked("asked for too much memory: {error}"),
    marked("caught a fault of its own: {error}"),
    marked("exited with code {code}"),
    marked("was killed by signal {number} ({name})"),
    marked("gave no answer within {seconds} s of {limit} s; killed"),
    marked("took {seconds} s of {limit} s ({clock} s on the runner's clock)"),
    marked("used {used} MB of {limit} MB; killed"),
    marked("used {used} MB of {limit} MB"),
    marked("wrote more than {size} MB of files; killed"),
    marked("wrote into the pipe that carries its answers"),
    marked("closed the pipe that carries its answers"),
    marked("forged a reply of the host script"),
    marked("changed the observation, which is the live board on the platform"),
    marked("answered in the wrong form: {sentence}"),
    marked("the answer must be two lists, got {answer}"),
    marked("the row's list must have {n} entries, got {answer}"),
    marked("the column's list must have {n} entries, got {answer}"),
    marked("the row must be a plain list of ints (try .tolist()), got {answer}"),
    marked("the column must be a plain list of ints (try .tolist()), got {answer}"),
    marked("the row's list must hold exactly one 1 and otherwise 0, got {answer}"),
    marked("the column's list must hold exactly one 1 and otherwise 0, got {answer}"),
    marked("played (row, col) = {cell}, which is off the board, whose cells are from (0, 0) to {last}"),
    marked("played (row, col) = {cell}, which holds a stone of Black's; legal: {cells} and {more} more"),
    marked("played (row, col) = {cell}, which holds a stone of Black's; legal: {cells}"),
    marked("played (row, col) = {cell}, which holds a stone of White's; legal: {cells} and {more} more"),
    marked("played (row, col) = {cell}, which holds a stone of White's; legal: {cells}"),
    marked("played (row, col) = {cell}, which turns no disc over; legal: {cells} and {more} more"),
    marked("played (row, col) = {cell}, which turns no disc over; legal: {cells}"),
    marked("{k} in a row from {first} to {last}"),
    marked("{sentence} without a line, which the platform pays to the last mover"),
    marked("full board, {black} to {white}"),
    marked("wipe-out, {black} to {white}"),
    marked("double pass, {black} to {white}"),
    marked("step limit, {black} to {white}"),
    marked("step limit pays nobody"),
    marked("full board"),
    marked("step limit"),
)


def in_words(kept: str) -> str:
    """A kept sentence in the language that is used.

    >>> in_words("Black raised ValueError: no idea")
    'Black raised ValueError: no idea'
    """
    for template, pattern in _patterns():
        if found := pattern.fullmatch(kept):
            fields = found.groupdict()
            if PART in fields:
                fields[PART] = in_words(fields[PART])
            return _(template).format(**fields)
    return kept


@functools.cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    """The templates, and the texts that they fit."""
    fields = {template: re.sub(r"\\{(\w+)\\}", r"(?P<\1>.*)", re.escape(template)) for template in TEMPLATES}
    return [(template, re.compile(pattern, re.DOTALL)) for template, pattern in fields.items()]
