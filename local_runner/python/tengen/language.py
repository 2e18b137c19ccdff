"""The language of texts and errors: that of the locale, until `use_language` is called."""

from local_runner.errors import RunnerError
from local_runner.language import languages
from local_runner.language.languages import _
from local_runner.language.suggestions import unknown


def use_language(language: str) -> None:
    """Show texts and errors in a language. Without this call, they are in the language of the locale.

    Args:
        language: `"en"` or `"zh"`.

    Raises:
        TengenError: The language is another one.
    """
    if language not in languages.LANGUAGES:
        raise RunnerError(unknown(_("language"), str(language), languages.LANGUAGES))
    languages.use(language)


languages.use(None)
