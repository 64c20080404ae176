"""Why there is no number."""


class Failure(Exception):
    """Its text is for whoever reads the terminal."""
