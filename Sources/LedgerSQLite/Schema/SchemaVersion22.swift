extension Schema {
    /// The condensed purchase histories of accounts, and by which changes of their rows they were made.
    ///
    /// `revision` counts the changes of the rows that an account's histories are made of; standings that were made at
    /// an earlier one are out of date. Triggers count, so that changes by a server of an earlier version, which knows
    /// no standings, count too. The index finds when the store last sent a notification.
    static let version22 = """
        CREATE INDEX notificationsRecorded ON notifications (recordedAt);

        \(unfetchedBundles)

        CREATE TABLE historyRevisions (
            account TEXT NOT NULL PRIMARY KEY REFERENCES accounts,
            revision INTEGER NOT NULL,
            condensed INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE standings (
            account TEXT NOT NULL REFERENCES accounts,
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            history TEXT NOT NULL,
            version TEXT NOT NULL,
            standing TEXT NOT NULL,
            PRIMARY KEY (account, app, environment, history)
        ) STRICT, WITHOUT ROWID;

        CREATE TRIGGER newAccountHasNoHistory AFTER INSERT ON accounts BEGIN
            INSERT INTO historyRevisions (account, revision, condensed) VALUES (NEW.id, 0, 0)
            ON CONFLICT (account) DO NOTHING;
        END;

        CREATE TRIGGER transactionChangesHistories AFTER INSERT ON transactions BEGIN
            \(count("SELECT NEW.creditedTo AS account", concernedBy: "NEW"))
        END;
        CREATE TRIGGER changedTransactionChangesHistories AFTER UPDATE ON transactions BEGIN
            \(count("SELECT NEW.creditedTo AS account UNION SELECT OLD.creditedTo", concernedBy: "NEW", "OLD"))
        END;
        CREATE TRIGGER deletedTransactionChangesHistories AFTER DELETE ON transactions BEGIN
            \(count("SELECT OLD.creditedTo AS account", concernedBy: "OLD"))
        END;
        CREATE TRIGGER lineChangesHistories AFTER UPDATE OF owner, forgottenAt, forgottenMoves ON lines
        WHEN NEW.owner IS NOT OLD.owner OR NEW.forgottenAt IS NOT OLD.forgottenAt
            OR NEW.forgottenMoves IS NOT OLD.forgottenMoves
        BEGIN
            \(count(creditedByOriginalTransaction, concernedBy: "NEW"))
        END;
        CREATE TRIGGER lineMoveChangesHistories AFTER INSERT ON lineMoves BEGIN
            \(count("SELECT NEW.fromAccount AS account", concernedBy: "NEW"))
        END;
        """

    /// The bundles of purchases in Production whose manifest nobody asked for yet, each with its first delivery: one
    /// that has been asked for is not looked at again.
    private static let unfetchedBundles = """
        CREATE TABLE unfetchedBundles (
            account TEXT NOT NULL REFERENCES accounts,
            bundle TEXT NOT NULL,
            app TEXT NOT NULL,
            id TEXT NOT NULL,
            deliveredAt INTEGER NOT NULL,
            PRIMARY KEY (account, bundle)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX unfetchedBundlesFirst ON unfetchedBundles (deliveredAt);
        DROP INDEX deliveriesFirst;
        \(unfetchedBefore)
        """

    /// Finds them in earlier deliveries.
    static let unfetchedBefore = """
        INSERT OR IGNORE INTO unfetchedBundles (account, bundle, app, id, deliveredAt)
            SELECT d.account, b.value, d.app, d.id, d.deliveredAt FROM deliveries d
            CROSS JOIN transactions t ON t.app = d.app AND t.environment = d.environment AND t.id = d.id
            CROSS JOIN lines l
                ON l.app = t.app AND l.environment = t.environment AND l.originalID = t.originalID
            CROSS JOIN terms m ON m.hash = t.terms
            CROSS JOIN json_each(m.product, '$.bundles') b
            WHERE d.environment = 'Production' AND l.owner = d.account AND d.forgottenAt IS NULL
                AND t.forgottenAt IS NULL AND NOT EXISTS (
                    SELECT 1 FROM manifestDeliveries f WHERE f.account = d.account AND f.bundle = b.value)
            ORDER BY d.deliveredAt, d.app, d.id;
        """

    private static let creditedByOriginalTransaction = """
        SELECT OLD.owner AS account
            UNION SELECT creditedTo FROM transactions INDEXED BY transactionsLine
            WHERE app = NEW.app AND environment = NEW.environment AND originalID = NEW.originalID
        """

    /// Counts a change for accounts, and for those that own or owned the original transactions of rows.
    private static func count(_ accounts: String, concernedBy rows: String...) -> String {
        let owners = rows.map { row in
            let isLine = "app = \(row).app AND environment = \(row).environment AND originalID = \(row).originalID"
            return """
                UNION SELECT owner FROM lines WHERE \(isLine)
                        UNION SELECT fromAccount FROM lineMoves WHERE \(isLine)
                """
        }
        return """
            INSERT INTO historyRevisions (account, revision, condensed)
                SELECT account, 1, 0 FROM (
                    \(accounts)
                    \(owners.joined(separator: "\n            "))
                ) WHERE account IS NOT NULL
                ON CONFLICT (account) DO UPDATE SET revision = revision + 1;
            """
    }
}
