extension Schema {
    /// The periods whose credits are posted when they begin, and the original transactions that are another one, since
    /// one period is of both. The credits of periods that an earlier version credited ahead of their beginning stay
    /// posted.
    static let version38 = """
        ALTER TABLE transactions ADD COLUMN creditsFrom INTEGER;
        CREATE INDEX transactionsCreditsFrom ON transactions (creditsFrom)
            WHERE creditsFrom IS NOT NULL AND forgottenAt IS NULL;
        CREATE TABLE joinedLines (
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            originalID TEXT NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (app, environment, originalID)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX joinedLinesName ON joinedLines (app, environment, name);
        """
}
