extension Schema {
    /// Triggers that count an account's histories as condensed when one of them is stored, which was a statement of its
    /// own for each receipt: whoever stores one has condensed all.
    static let version29 = """
        CREATE TRIGGER newStandingCondensesHistories AFTER INSERT ON standings BEGIN
            \(setCondensed)
        END;
        CREATE TRIGGER changedStandingCondensesHistories AFTER UPDATE ON standings BEGIN
            \(setCondensed)
        END;
        """

    private static let setCondensed = """
        INSERT INTO historyRevisions (account, revision, condensed) VALUES (\(accountOfStanding), 0, 0)
                ON CONFLICT (account) DO UPDATE SET condensed = revision;
        """

    /// The account's UUID as a string.
    private static let accountOfStanding =
        "lower("
        + [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { "substr(hex(NEW.account), \($0.0), \($0.1))" }
        .joined(separator: " || '-' || ") + ")"
}
