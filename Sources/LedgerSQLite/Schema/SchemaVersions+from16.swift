extension Schema {
    /// The products that the store did not know, as apps reported: by day, and by the keyed hash of the address.
    static let version16 = """
        CREATE TABLE unavailableProducts (
            day INTEGER NOT NULL,
            app TEXT NOT NULL,
            product TEXT NOT NULL,
            address BLOB NOT NULL,
            PRIMARY KEY (day, app, product, address)
        ) STRICT, WITHOUT ROWID;
        """

    /// The lifetime of the links that were issued with a manifest, if an app asked for one.
    static let version17 = "ALTER TABLE manifestDeliveries ADD COLUMN linkLifetime INTEGER;"

    /// The transactions of the orders that the store was asked about.
    static let version18 = """
        CREATE TABLE orderTransactions (
            orderID TEXT NOT NULL,
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            id TEXT NOT NULL,
            PRIMARY KEY (orderID, app, environment, id)
        ) STRICT, WITHOUT ROWID;
        """

    /// The indexes by which the history of a player is read, newest first; original transactions that had another
    /// owner.
    static let version19 = """
        DROP INDEX transactionsCredited;
        CREATE INDEX transactionsCredited ON transactions (creditedTo, app, environment, purchasedAt, id);
        ALTER TABLE lines ADD COLUMN changedOwner INTEGER NOT NULL DEFAULT 0;
        UPDATE lines SET changedOwner = 1
        FROM transactions t
        WHERE lines.app = t.app AND lines.environment = t.environment AND lines.originalID = t.originalID
            AND lines.owner <> t.creditedTo;
        CREATE INDEX linesChangedOwner ON lines (owner) WHERE changedOwner = 1;
        """

    /// The idempotency keys of requests for new accounts, as SHA-256.
    static let version20 = """
        CREATE TABLE accountKeys (
            key BLOB NOT NULL PRIMARY KEY,
            account TEXT NOT NULL REFERENCES accounts,
            createdAt INTEGER NOT NULL,
            repeats INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX accountKeysCreated ON accountKeys (createdAt);
        """

    /// The headers of signed transactions, whose certificates are the same for all that one key signed, and what is
    /// left of the transactions without them.
    static let version21 = """
        CREATE TABLE receiptHeaders (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            digest BLOB NOT NULL UNIQUE,
            content TEXT NOT NULL
        ) STRICT;
        ALTER TABLE receipts ADD COLUMN packed BLOB;
        ALTER TABLE receipts ADD COLUMN header INTEGER REFERENCES receiptHeaders;
        """

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

    /// Condensed histories in few bytes, under the 16 bytes of the account's UUID: earlier ones no longer count, and
    /// the next purchase of an account stores them again. Fewer indexes: what an account owns credits it, or has
    /// `changedOwner`, which is set even by a statement that somebody runs by hand; the postings of an account are
    /// found by one index.
    static let version23 = """
        UPDATE historyRevisions SET condensed = -1 WHERE account IN (SELECT account FROM standings);
        DROP TABLE standings;
        CREATE TABLE standings (
            account BLOB NOT NULL,
            history BLOB NOT NULL,
            version TEXT NOT NULL,
            standing BLOB NOT NULL,
            PRIMARY KEY (account, history)
        ) STRICT, WITHOUT ROWID;

        DROP INDEX linesOwner;
        DROP INDEX postingsAccount;

        CREATE TRIGGER lineGetsAnotherOwner AFTER UPDATE OF owner ON lines
        WHEN NEW.owner IS NOT OLD.owner AND NEW.changedOwner = 0
        BEGIN
            UPDATE lines SET changedOwner = 1
            WHERE app = NEW.app AND environment = NEW.environment AND originalID = NEW.originalID;
        END;
        CREATE TRIGGER transactionCreditsAnother AFTER UPDATE OF creditedTo ON transactions
        WHEN NEW.creditedTo IS NOT OLD.creditedTo
        BEGIN
            UPDATE lines SET changedOwner = 1
            WHERE app = NEW.app AND environment = NEW.environment AND originalID = NEW.originalID
                AND owner <> NEW.creditedTo AND changedOwner = 0;
        END;

        """ + historyTriggers

    /// Without a sorted list of the accounts, which cost more than all that a purchase counts.
    private static let historyTriggers = """
        DROP TRIGGER transactionChangesHistories;
        CREATE TRIGGER transactionChangesHistories AFTER INSERT ON transactions BEGIN
            INSERT INTO historyRevisions (account, revision, condensed) VALUES (NEW.creditedTo, 1, 0)
                ON CONFLICT (account) DO UPDATE SET revision = revision + 1;
            INSERT INTO historyRevisions (account, revision, condensed)
                SELECT owner, 1, 0 FROM lines
                WHERE app = NEW.app AND environment = NEW.environment AND originalID = NEW.originalID
                    AND owner <> NEW.creditedTo
                ON CONFLICT (account) DO UPDATE SET revision = revision + 1;
            INSERT INTO historyRevisions (account, revision, condensed)
                SELECT fromAccount, 1, 0 FROM lineMoves
                WHERE app = NEW.app AND environment = NEW.environment AND originalID = NEW.originalID
                ON CONFLICT (account) DO UPDATE SET revision = revision + 1;
        END;
        """

    /// Access to products without a purchase, which administrators gave. One that stands was not taken back and has not
    /// ended; the number in its index is the end of one that has none. The last index finds the newest accounts.
    static let version24 = """
        CREATE TABLE productGrants (
            account TEXT NOT NULL REFERENCES accounts,
            id TEXT NOT NULL,
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            product TEXT NOT NULL,
            terms BLOB REFERENCES terms,
            endsAt INTEGER,
            idempotencyKey TEXT NOT NULL,
            actor TEXT NOT NULL,
            reason TEXT NOT NULL,
            grantedAt INTEGER NOT NULL,
            revokedAt INTEGER,
            PRIMARY KEY (account, id)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX productGrantsKey ON productGrants (account, idempotencyKey);
        CREATE INDEX productGrantsGiven ON productGrants (account, grantedAt);
        CREATE INDEX productGrantsStanding ON productGrants (account, (coalesce(endsAt, 9223372036854775807)))
            WHERE revokedAt IS NULL;

        CREATE INDEX accountsCreated ON accounts (createdAt, id);
        """

    /// The apps that an admin token is for, in the order of their names, a line each; `NULL` for everything.
    static let version25 = "ALTER TABLE adminTokens ADD COLUMN apps TEXT;"

    /// The payments for deliveries of a bundle, in Production, and what was in the way of the store's answer about a
    /// receipt. The indexes are those by which the lists of both are filtered.
    static let version26 = """
        ALTER TABLE manifestDeliveries ADD COLUMN app TEXT;
        ALTER TABLE manifestDeliveries ADD COLUMN paidBy TEXT;
        \(paidBefore)
        DROP INDEX manifestDeliveriesOpen;
        DROP INDEX manifestDeliveriesFirst;
        CREATE INDEX manifestDeliveriesFirst ON manifestDeliveries (firstAt, id);
        CREATE INDEX manifestDeliveriesBundle ON manifestDeliveries (bundle, firstAt, id);
        CREATE INDEX manifestDeliveriesAccount ON manifestDeliveries (account, firstAt, id);
        CREATE INDEX manifestDeliveriesPaid ON manifestDeliveries (firstAt, id)
            WHERE confirmedAt IS NULL AND paidBy IS NOT NULL;
        CREATE INDEX manifestDeliveriesPaidBundle ON manifestDeliveries (bundle, firstAt, id)
            WHERE confirmedAt IS NULL AND paidBy IS NOT NULL;
        CREATE INDEX manifestDeliveriesPaidApp ON manifestDeliveries (app, firstAt, id)
            WHERE confirmedAt IS NULL AND paidBy IS NOT NULL;
        CREATE INDEX unfetchedBundlesBundle ON unfetchedBundles (bundle, deliveredAt, account);
        CREATE INDEX unfetchedBundlesApp ON unfetchedBundles (app, deliveredAt, account, bundle);

        ALTER TABLE receipts ADD COLUMN trouble TEXT;
        CREATE INDEX receiptsPendingByApp ON receipts (app, recordedAt, id) WHERE status = 'pending';
        CREATE INDEX receiptsRejectedByApp ON receipts (app, recordedAt, id) WHERE status = 'rejected';
        CREATE INDEX receiptsRejectedByReason ON receipts (rejection, recordedAt, id) WHERE status = 'rejected';
        CREATE INDEX receiptsRejectedByAppAndReason ON receipts (app, rejection, recordedAt, id)
            WHERE status = 'rejected';
        """

    /// Finds what pays for earlier deliveries: the purchase that was delivered last.
    static let paidBefore = """
        UPDATE manifestDeliveries SET (app, paidBy) = (
            SELECT d.app, d.id FROM deliveries d
            CROSS JOIN transactions t ON t.app = d.app AND t.environment = d.environment AND t.id = d.id
            CROSS JOIN terms m ON m.hash = t.terms
            CROSS JOIN json_each(m.product, '$.bundles') b
            WHERE d.account = manifestDeliveries.account AND d.environment = 'Production'
                AND b.value = manifestDeliveries.bundle AND d.forgottenAt IS NULL AND t.forgottenAt IS NULL
            ORDER BY d.deliveredAt DESC, d.id DESC LIMIT 1);
        """
}
