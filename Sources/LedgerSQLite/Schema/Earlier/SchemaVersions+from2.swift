import LedgerSQL

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

    /// App Store Server Notifications, transactions without an owner, and consumption requests.
    static let version3 = """
        CREATE TABLE notifications (
            id TEXT NOT NULL PRIMARY KEY,
            type TEXT NOT NULL,
            subtype TEXT,
            app TEXT,
            environment TEXT,
            signedAt INTEGER NOT NULL,
            recordedAt INTEGER NOT NULL,
            appliedAt INTEGER,
            attempts INTEGER NOT NULL DEFAULT 0,
            doubtfulAttempts INTEGER NOT NULL DEFAULT 0,
            retryAt INTEGER,
            content TEXT NOT NULL
        ) STRICT;
        CREATE INDEX notificationsDue ON notifications (retryAt) WHERE retryAt IS NOT NULL;

        CREATE TABLE unclaimedTransactions (
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            id TEXT NOT NULL,
            originalID TEXT NOT NULL,
            facts TEXT NOT NULL,
            terms BLOB REFERENCES terms,
            PRIMARY KEY (app, environment, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX unclaimedLine ON unclaimedTransactions (app, environment, originalID);

        ALTER TABLE accounts ADD COLUMN consentsSince INTEGER;
        CREATE TABLE consumptionRequests (
            notification TEXT NOT NULL PRIMARY KEY REFERENCES notifications,
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            transactionID TEXT NOT NULL,
            requestedAt INTEGER NOT NULL,
            outcome TEXT,
            retryAt INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX consumptionRequestsDue ON consumptionRequests (retryAt) WHERE retryAt IS NOT NULL;

        """ + expirations

    /// Finds the subscriptions that expired without a notification from the App Store.
    private static let expirations = """
        ALTER TABLE transactions ADD COLUMN expiresAt INTEGER;
        UPDATE transactions SET expiresAt = json_extract(facts, '$.expirationDate');
        CREATE INDEX transactionsExpiring ON transactions (expiresAt) WHERE expiresAt IS NOT NULL;
        """

    /// Credits taken by refunds and the part that was forgiven; sandbox testers, and rows that a reset of their sandbox
    /// forgot.
    ///
    /// A forgotten row is ignored until it is written again. The transfers of an original transaction that come before
    /// `forgottenMoves` are always ignored.
    static let version4 = """
        CREATE TABLE refunds (
            account TEXT NOT NULL REFERENCES accounts,
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            id TEXT NOT NULL,
            currency TEXT NOT NULL,
            product TEXT NOT NULL,
            amount INTEGER NOT NULL,
            forgiven INTEGER NOT NULL,
            PRIMARY KEY (account, app, environment, id, currency)
        ) STRICT, WITHOUT ROWID;

        ALTER TABLE accounts ADD COLUMN testerSince INTEGER;
        ALTER TABLE lines ADD COLUMN forgottenAt INTEGER;
        ALTER TABLE lines ADD COLUMN forgottenMoves INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE transactions ADD COLUMN forgottenAt INTEGER;
        ALTER TABLE deliveries ADD COLUMN forgottenAt INTEGER;

        """ + refundsBefore

    /// Records earlier refunds as debts, as they were then: a setting of today must not forgive them.
    static let refundsBefore = """
        INSERT INTO refunds (account, app, environment, id, currency, product, amount, forgiven)
        SELECT t.creditedTo, t.app, t.environment,
            iif(json_extract(t.facts, '$.expirationDate') IS NULL, t.originalID, t.id), c.key, t.product,
            c.value * min(json_extract(t.facts, '$.quantity'), 1000000), 0
        FROM transactions t JOIN terms m ON m.hash = t.terms JOIN json_each(m.product, '$.credits') c
        WHERE json_extract(t.facts, '$.revocation') IS NOT NULL
            AND json_extract(t.facts, '$.ownershipType') = 'PURCHASED'
            AND (t.id = t.originalID OR json_extract(t.facts, '$.expirationDate') IS NOT NULL OR NOT EXISTS (
                SELECT 1 FROM transactions o
                WHERE o.app = t.app AND o.environment = t.environment AND o.id = t.originalID))
        ON CONFLICT DO NOTHING;

        """

    /// The notification that caused a delivery. Provisional access of pending receipts: the `id` is the purchase's,
    /// which all restored copies share.
    static let version5 = """
        ALTER TABLE deliveries ADD COLUMN notification TEXT;

        CREATE TABLE provisionalPurchases (
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            id TEXT NOT NULL,
            account TEXT NOT NULL REFERENCES accounts,
            receipt TEXT NOT NULL REFERENCES receipts,
            facts TEXT NOT NULL,
            terms BLOB NOT NULL REFERENCES terms,
            PRIMARY KEY (app, environment, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX provisionalPurchasesAccount ON provisionalPurchases (account);
        CREATE INDEX provisionalPurchasesReceipt ON provisionalPurchases (receipt);
        """

    /// Issued manifests, and the accounts that get versions of the beta channel.
    static let version6 = """
        ALTER TABLE accounts ADD COLUMN betaSince INTEGER;

        CREATE TABLE manifestDeliveries (
            id TEXT NOT NULL PRIMARY KEY,
            account TEXT NOT NULL REFERENCES accounts,
            bundle TEXT NOT NULL,
            version TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            firstAt INTEGER NOT NULL,
            lastAt INTEGER NOT NULL,
            count INTEGER NOT NULL,
            confirmedAt INTEGER,
            mismatches INTEGER NOT NULL DEFAULT 0,
            UNIQUE (account, bundle, version)
        ) STRICT;
        CREATE INDEX manifestDeliveriesFirst ON manifestDeliveries (firstAt);
        CREATE INDEX manifestDeliveriesOpen ON manifestDeliveries (firstAt) WHERE confirmedAt IS NULL;
        CREATE INDEX deliveriesFirst ON deliveries (deliveredAt);
        """

    /// The catalog, for servers that do not read it from a file.
    static let version7 = """
        CREATE TABLE catalogRevisions (
            number INTEGER NOT NULL PRIMARY KEY,
            text BLOB NOT NULL,
            actor TEXT,
            addedAt INTEGER NOT NULL
        ) STRICT;
        """

    /// Budgets of stored receipt bytes; `day` counts from 1970-01-01, `subject` is the SHA-256 of an account or an
    /// address. Questions that the App Store called wrong. Indexes for lists of receipts.
    static let version8 = """
        CREATE TABLE receiptBytes (
            subject BLOB NOT NULL,
            kind TEXT NOT NULL,
            day INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            PRIMARY KEY (subject, kind, day)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX receiptBytesDay ON receiptBytes (day);

        ALTER TABLE receipts ADD COLUMN countedAt INTEGER;
        ALTER TABLE receipts ADD COLUMN addressDigest BLOB;
        ALTER TABLE receipts ADD COLUMN badRequestAttempts INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE notifications ADD COLUMN badRequestAttempts INTEGER NOT NULL DEFAULT 0;

        CREATE INDEX receiptsPendingByDate ON receipts (recordedAt, id) WHERE status = 'pending';
        CREATE INDEX receiptsRejectedByDate ON receipts (recordedAt, id) WHERE status = 'rejected';
        """

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

    /// The evidence for transfers of a purchase to another account: what its owner has presented, and how a receipt was
    /// sent.
    static let version10 = """
        ALTER TABLE lines ADD COLUMN ownerEvidenceAt INTEGER;
        ALTER TABLE lines ADD COLUMN moveCount INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE receipts ADD COLUMN mayTransfer INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE receipts ADD COLUMN isForDevice INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE receiptTransactions ADD COLUMN remedy TEXT;

        """ + OwnerEvidence.backfill

    /// The app of a receipt, for a retry queue in which each app has its turn; the index of such a queue.
    static let version11 = """
        ALTER TABLE receipts ADD COLUMN app TEXT NOT NULL DEFAULT '';
        CREATE INDEX receiptsDueByApp ON receipts (app, retryAt, recordedAt) WHERE retryAt IS NOT NULL;
        CREATE INDEX notificationsDueByApp ON notifications (coalesce(app, ''), retryAt, recordedAt)
            WHERE retryAt IS NOT NULL;
        DROP INDEX receiptsDue;
        DROP INDEX notificationsDue;
        """
}
