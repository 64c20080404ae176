extension Schema {
    /// Administrators, their adjustments to accounts, and the seals of the audit trail.
    ///
    /// Pending receipts are counted at every scrape, also when an outage made them many, so they have an index of their
    /// own: a receipt's columns come after its content, which is long, and all of it would be read.
    static let version2 = """
        ALTER TABLE accounts ADD COLUMN blockedAt INTEGER;

        CREATE TABLE adminTokens (
            token BLOB NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            role TEXT NOT NULL,
            createdAt INTEGER NOT NULL,
            revokedAt INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX adminTokensInForce ON adminTokens (name) WHERE revokedAt IS NULL;

        CREATE TABLE adjustments (
            account TEXT NOT NULL REFERENCES accounts,
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            idempotencyKey TEXT NOT NULL,
            currency TEXT NOT NULL,
            amount INTEGER NOT NULL,
            balance INTEGER NOT NULL,
            actor TEXT NOT NULL,
            reason TEXT NOT NULL,
            adjustedAt INTEGER NOT NULL,
            PRIMARY KEY (account, app, environment, idempotencyKey)
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX sessionsAccount ON sessions (account, openedAt);
        CREATE INDEX receiptsAccount ON receipts (account, recordedAt);
        CREATE INDEX postingsNewest ON postings (account, sequence);
        CREATE INDEX auditUnreadable ON audit (subject) WHERE kind = 'receipt.unreadable';
        CREATE INDEX receiptsWaiting ON receipts (answeredAt, recordedAt) WHERE status = 'pending';

        ALTER TABLE audit ADD COLUMN actor TEXT;
        DROP TRIGGER auditIsNotChanged;
        CREATE TRIGGER auditIsNotChanged BEFORE UPDATE ON audit
        WHEN NEW.content IS NOT NULL
            OR NEW.sequence IS NOT OLD.sequence OR NEW.at IS NOT OLD.at OR NEW.kind IS NOT OLD.kind
            OR NEW.actor IS NOT OLD.actor OR NEW.account IS NOT OLD.account OR NEW.subject IS NOT OLD.subject
            OR NEW.contentHash IS NOT OLD.contentHash
        BEGIN
            SELECT RAISE(ABORT, 'the audit trail is append-only');
        END;

        """ + auditSeals

    private static let auditSeals = """
        CREATE TABLE auditSeals (
            position INTEGER PRIMARY KEY,
            sequence INTEGER NOT NULL UNIQUE REFERENCES audit,
            hash BLOB NOT NULL
        ) STRICT;
        CREATE TABLE auditCheckpoints (
            position INTEGER PRIMARY KEY REFERENCES auditSeals,
            hash BLOB NOT NULL,
            at INTEGER NOT NULL,
            key TEXT NOT NULL,
            signature BLOB NOT NULL
        ) STRICT;

        """ + appendOnly("auditSeals", by: "position = NEW.position OR sequence = NEW.sequence")
        + appendOnly("auditCheckpoints", by: "position = NEW.position")

    /// `REPLACE` does not fire the trigger of deletes, so an insertion that would replace a row is refused.
    private static func appendOnly(_ table: String, by keys: String) -> String {
        """
        CREATE TRIGGER \(table)AreNotDeleted BEFORE DELETE ON \(table) BEGIN
            SELECT RAISE(ABORT, 'the seals of the audit trail are append-only');
        END;
        CREATE TRIGGER \(table)AreNotChanged BEFORE UPDATE ON \(table) BEGIN
            SELECT RAISE(ABORT, 'the seals of the audit trail are append-only');
        END;
        CREATE TRIGGER \(table)AreNotReplaced BEFORE INSERT ON \(table)
        WHEN EXISTS (SELECT 1 FROM \(table) WHERE \(keys)) BEGIN
            SELECT RAISE(ABORT, 'the seals of the audit trail are append-only');
        END;

        """
    }
}
