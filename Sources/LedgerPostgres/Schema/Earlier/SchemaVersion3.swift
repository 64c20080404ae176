/// The date when the App Store last answered a question on an original transaction in an app receipt.
enum SchemaVersion3 {
    static let sql = """
        CREATE TABLE originalTransactionChecks (
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            originalID TEXT COLLATE "C" NOT NULL,
            answeredAt BIGINT NOT NULL,
            PRIMARY KEY (originalID, app, environment)
        );
        """
}
