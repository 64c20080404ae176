"""What the comparisons with Apple's library counted and found."""


class Checks:
    """What was compared, and what was not as it should be."""

    def __init__(self):
        self.count, self.findings = 0, []

    def expect(self, holds, what):
        self.count += 1
        if not holds:
            self.findings.append(what)
        return holds

    def equal(self, found, expected, what):
        return self.expect(found == expected, f"{what}: expected {expected!r}, found {found!r}")

    def succeeds(self, what, call, *arguments):
        """What the call answers; None where it raises, which is a finding."""
        try:
            answer = call(*arguments)
        except Exception as error:  # The library raises whatever its dependencies do.
            self.expect(False, f"{what}: {error!r}")
            return None
        self.count += 1
        return answer
