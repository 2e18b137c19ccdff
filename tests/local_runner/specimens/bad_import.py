import a_library_nobody_has  # noqa: F401
