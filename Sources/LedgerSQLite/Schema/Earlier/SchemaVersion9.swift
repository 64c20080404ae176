extension Schema {
    /// The date when the App Store last answered a question on an original transaction in an app receipt.
    static let version9 = """
        CREATE TABLE originalTransactionChecks (
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            originalID TEXT NOT NULL,
            answeredAt INTEGER NOT NULL,
            PRIMARY KEY (app, environment, originalID)
        ) STRICT, WITHOUT ROWID;
        """
}
