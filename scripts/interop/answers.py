"""Reads what the Server API answers page by page, and when it says to come back."""

CLOCK = 1  # second: what a time is rounded by, and clocks may differ


def joined(ask):
    """The pages of what `ask` answers for a revision, the first for None; they end early where an answer is None."""
    revision = None
    while (page := ask(revision)) is not None:
        yield page
        if not page.hasMore:
            return
        revision = page.revision


def seconds_ahead(header, now):
    """Of Apple's `Retry-After`, which is a time in milliseconds and no number of seconds (RFC 9110 has these)."""
    return int(header or 0) / 1_000 - now


def is_as_told(wait, told, answered_within):
    """Whether the wait, counted from before the request, is what the store was told to ask for."""
    return told - CLOCK <= wait <= told + answered_within
