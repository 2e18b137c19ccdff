"""A program of a script, for the tests of the managers' sides of protocols."""

from hypothesis import strategies

from local_runner.agents.opponents.program import EngineAnswer, EngineEnded


def answers(words):
    """Lines of some of the words."""
    line = strategies.lists(strategies.sampled_from(words), min_size=1, max_size=5).map(" ".join)
    return strategies.lists(line, max_size=20)


class Script:
    """A program that answers with given lines, and keeps what it is sent.

    `{}` is the number of the command; None stands for a line that does not come in time.
    """

    def __init__(self, *answers):
        self.answers, self.sent = list(answers), []

    def send(self, line):
        self.sent.append(line)

    def line(self, until=None):
        if not self.answers:
            raise EngineEnded("no more lines")
        answer = self.answers.pop(0)
        assert answer is not None or until is not None
        return answer and answer.replace("{}", self.sent[-1].split()[0])

    def refused(self, answer, why=""):
        return EngineAnswer(f"{self.sent[-1]} | {answer} | {why}")

    def end(self, farewell):
        self.sent.append(farewell)
