/// The condensed purchase histories of accounts, as in ``LedgerSQLite`` after its version 22.
///
/// Rows of both tables are replaced with each purchase: the free part of each page keeps the new ones beside the old.
enum SchemaVersion16 {
    static let sql = tables + functions + triggers

    private static let tables = """
        CREATE INDEX notificationsRecorded ON notifications (recordedAt);

        \(unfetchedBundles)

        CREATE TABLE historyRevisions (
            account TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES accounts,
            revision BIGINT NOT NULL,
            condensed BIGINT NOT NULL
        ) WITH (fillfactor = 50);

        CREATE TABLE standings (
            account TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            history TEXT COLLATE "C" NOT NULL,
            version TEXT COLLATE "C" NOT NULL,
            standing TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (account, app, environment, history)
        ) WITH (fillfactor = 50);

        """

    /// The same table as in ``LedgerSQLite``.
    private static let unfetchedBundles = """
        CREATE TABLE unfetchedBundles (
            account TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            bundle TEXT COLLATE "C" NOT NULL,
            app TEXT COLLATE "C" NOT NULL,
            id TEXT COLLATE "C" NOT NULL,
            deliveredAt BIGINT NOT NULL,
            PRIMARY KEY (account, bundle)
        );
        CREATE INDEX unfetchedBundlesFirst ON unfetchedBundles (deliveredAt);
        DROP INDEX deliveriesFirst;
        \(unfetchedBefore)
        """

    /// Finds them in earlier deliveries.
    static let unfetchedBefore = """
        INSERT INTO unfetchedBundles (account, bundle, app, id, deliveredAt)
            SELECT d.account, b.value, d.app, d.id, d.deliveredAt FROM deliveries d
            JOIN transactions t ON t.app = d.app AND t.environment = d.environment AND t.id = d.id
            JOIN lines l ON l.app = t.app AND l.environment = t.environment AND l.originalID = t.originalID
            JOIN terms m ON m.hash = t.terms
            CROSS JOIN LATERAL json_array_elements_text(CAST(m.product AS json) -> 'bundles') b
            WHERE d.environment = 'Production' AND l.owner = d.account AND d.forgottenAt IS NULL
                AND t.forgottenAt IS NULL AND NOT EXISTS (
                    SELECT 1 FROM manifestDeliveries f WHERE f.account = d.account AND f.bundle = b.value)
            ORDER BY d.deliveredAt, d.app, d.id
            ON CONFLICT DO NOTHING;
        """

    private static let functions = """
        CREATE FUNCTION beginHistory() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO historyRevisions (account, revision, condensed) VALUES (NEW.id, 0, 0)
            ON CONFLICT (account) DO NOTHING;
            RETURN NULL;
        END $$;

        CREATE FUNCTION countNewTransaction() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            \(count("SELECT NEW.creditedTo AS account", concernedBy: "NEW"))
            RETURN NULL;
        END $$;

        CREATE FUNCTION countChangedTransaction() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            \(count("SELECT NEW.creditedTo AS account UNION SELECT OLD.creditedTo", concernedBy: "NEW", "OLD"))
            RETURN NULL;
        END $$;

        CREATE FUNCTION countDeletedTransaction() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            \(count("SELECT OLD.creditedTo AS account", concernedBy: "OLD"))
            RETURN NULL;
        END $$;

        CREATE FUNCTION countChangedLine() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            \(count(creditedByOriginalTransaction, concernedBy: "NEW"))
            RETURN NULL;
        END $$;

        CREATE FUNCTION countLineMove() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            \(count("SELECT NEW.fromAccount AS account", concernedBy: "NEW"))
            RETURN NULL;
        END $$;

        """

    private static let triggers = """
        CREATE TRIGGER newAccountHasNoHistory AFTER INSERT ON accounts
        FOR EACH ROW EXECUTE FUNCTION beginHistory();
        CREATE TRIGGER transactionChangesHistories AFTER INSERT ON transactions
        FOR EACH ROW EXECUTE FUNCTION countNewTransaction();
        CREATE TRIGGER changedTransactionChangesHistories AFTER UPDATE ON transactions
        FOR EACH ROW EXECUTE FUNCTION countChangedTransaction();
        CREATE TRIGGER deletedTransactionChangesHistories AFTER DELETE ON transactions
        FOR EACH ROW EXECUTE FUNCTION countDeletedTransaction();
        CREATE TRIGGER lineChangesHistories AFTER UPDATE OF owner, forgottenAt, forgottenMoves ON lines
        FOR EACH ROW WHEN (NEW.owner IS DISTINCT FROM OLD.owner OR NEW.forgottenAt IS DISTINCT FROM OLD.forgottenAt
            OR NEW.forgottenMoves IS DISTINCT FROM OLD.forgottenMoves)
        EXECUTE FUNCTION countChangedLine();
        CREATE TRIGGER lineMoveChangesHistories AFTER INSERT ON lineMoves
        FOR EACH ROW EXECUTE FUNCTION countLineMove();
        """

    private static let creditedByOriginalTransaction = """
        SELECT OLD.owner AS account
            UNION SELECT t.creditedTo FROM transactions t
            WHERE t.app = NEW.app AND t.environment = NEW.environment AND t.originalID = NEW.originalID
        """

    /// Counts a change for accounts, and for those that own or owned the original transactions of rows. In a fixed
    /// order, so that two writes never wait for each other.
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
                ) concerned ORDER BY account
                ON CONFLICT (account) DO UPDATE SET revision = historyRevisions.revision + 1;
            """
    }
}
