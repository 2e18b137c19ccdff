"""docs/developers/messages.md says what the classes say."""

from workshop.page.message_page import PAGE, page


def test_the_page_is_current():
    assert PAGE.read_text("utf-8") == page(), "run make messages"
