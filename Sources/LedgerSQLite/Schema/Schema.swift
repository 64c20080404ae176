import GRDB

/// The tables and their migrations: numbered, forward only, each in a transaction; a released one is never edited.
enum Schema {
    /// The first migration, which every ledger has.
    static let firstVersion = "1"

    /// The first migration with the seals of the audit trail.
    static let versionWithSeals = "2"

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { try $0.execute(sql: accounts + receipts + transactions + credits + audit) }
        migrator.registerMigration("2") { try $0.execute(sql: version2) }
        migrator.registerMigration("3") { try $0.execute(sql: version3) }
        migrator.registerMigration("4") { try $0.execute(sql: version4) }
        migrator.registerMigration("5") { try $0.execute(sql: version5) }
        migrator.registerMigration("6") { try $0.execute(sql: version6) }
        migrator.registerMigration("7") { try $0.execute(sql: version7) }
        migrator.registerMigration("8") { try $0.execute(sql: version8) }
        migrator.registerMigration("9") { try $0.execute(sql: version9) }
        migrator.registerMigration("10") { try $0.execute(sql: version10) }
        migrator.registerMigration("11") { try $0.execute(sql: version11) }
        migrator.registerMigration("12") { try $0.execute(sql: version12) }
        migrator.registerMigration("13") { try $0.execute(sql: version13) }
        migrator.registerMigration("14") { try $0.execute(sql: version14) }
        migrator.registerMigration("15") { try $0.execute(sql: version15) }
        migrator.registerMigration("16") { try $0.execute(sql: version16) }
        migrator.registerMigration("17") { try $0.execute(sql: version17) }
        migrator.registerMigration("18") { try $0.execute(sql: version18) }
        migrator.registerMigration("19") { try $0.execute(sql: version19) }
        migrator.registerMigration("20") { try $0.execute(sql: version20) }
        migrator.registerMigration("21") { try $0.execute(sql: version21) }
        migrator.registerMigration("22") { try $0.execute(sql: version22) }
        migrator.registerMigration("23") { try $0.execute(sql: version23) }
        migrator.registerMigration("24") { try $0.execute(sql: version24) }
        migrator.registerMigration("25") { try $0.execute(sql: version25) }
        migrator.registerMigration("26") { try $0.execute(sql: version26) }
        migrator.registerMigration("27") { try $0.execute(sql: version27) }
        migrator.registerMigration("28") { try $0.execute(sql: version28) }
        migrator.registerMigration("29") { try $0.execute(sql: version29) }
        migrator.registerMigration("30") { try $0.execute(sql: version30) }
        migrator.registerMigration("31") { try $0.execute(sql: version31) }
        migrator.registerMigration("32") { try $0.execute(sql: version32) }
        migrator.registerMigration("33") { try $0.execute(sql: version33) }
        migrator.registerMigration("34") { try $0.execute(sql: version34) }
        migrator.registerMigration("35") { try $0.execute(sql: version35) }
        migrator.registerMigration("36") { try $0.execute(sql: version36) }
        migrator.registerMigration("37") { try $0.execute(sql: version37) }
        migrator.registerMigration("38") { try $0.execute(sql: version38) }
        migrator.registerMigration("39") { try $0.execute(sql: version39) }
        migrator.registerMigration("40") { try $0.execute(sql: version40) }
        migrator.registerMigration("41") { try $0.execute(sql: version41) }
        return migrator
    }

    private static let accounts = """
        CREATE TABLE accounts (
            id TEXT NOT NULL PRIMARY KEY,
            recoveryCode BLOB NOT NULL UNIQUE,
            createdAt INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE sessions (
            token BLOB NOT NULL PRIMARY KEY,
            account TEXT NOT NULL REFERENCES accounts,
            openedAt INTEGER NOT NULL,
            closedAt INTEGER
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE keyValues (
            key TEXT NOT NULL PRIMARY KEY,
            value BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;

        """

    private static let receipts = """
        CREATE TABLE receipts (
            id TEXT NOT NULL PRIMARY KEY,
            account TEXT NOT NULL REFERENCES accounts,
            digest BLOB NOT NULL,
            kind TEXT NOT NULL,
            bundleID TEXT,
            content TEXT NOT NULL,
            status TEXT NOT NULL,
            rejection TEXT,
            attempts INTEGER NOT NULL DEFAULT 0,
            doubtfulAttempts INTEGER NOT NULL DEFAULT 0,
            recordedAt INTEGER NOT NULL,
            answeredAt INTEGER,
            retryAt INTEGER,
            UNIQUE (account, digest)
        ) STRICT;
        CREATE INDEX receiptsDue ON receipts (retryAt) WHERE retryAt IS NOT NULL;
        CREATE INDEX receiptsPending ON receipts (account) WHERE status = 'pending';

        CREATE TABLE receiptTransactions (
            receipt TEXT NOT NULL REFERENCES receipts,
            position INTEGER NOT NULL,
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            id TEXT NOT NULL,
            signedAt INTEGER NOT NULL,
            PRIMARY KEY (receipt, app, environment, id)
        ) STRICT, WITHOUT ROWID;

        """

    private static let transactions = """
        CREATE TABLE terms (
            hash BLOB NOT NULL PRIMARY KEY,
            product TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE lines (
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            originalID TEXT NOT NULL,
            owner TEXT NOT NULL REFERENCES accounts,
            basis TEXT NOT NULL,
            PRIMARY KEY (app, environment, originalID)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX linesOwner ON lines (owner);

        CREATE TABLE lineMoves (
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            originalID TEXT NOT NULL,
            position INTEGER NOT NULL,
            fromAccount TEXT NOT NULL REFERENCES accounts,
            toAccount TEXT NOT NULL REFERENCES accounts,
            movedAt INTEGER NOT NULL,
            PRIMARY KEY (app, environment, originalID, position),
            FOREIGN KEY (app, environment, originalID) REFERENCES lines
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX lineMovesFrom ON lineMoves (fromAccount);

        CREATE TABLE transactions (
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            id TEXT NOT NULL,
            originalID TEXT NOT NULL,
            product TEXT NOT NULL,
            facts TEXT NOT NULL,
            terms BLOB REFERENCES terms,
            creditedTo TEXT NOT NULL REFERENCES accounts,
            PRIMARY KEY (app, environment, id),
            FOREIGN KEY (app, environment, originalID) REFERENCES lines
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX transactionsLine ON transactions (app, environment, originalID);
        CREATE INDEX transactionsCredited ON transactions (creditedTo);
        CREATE INDEX transactionsWithoutTerms ON transactions (app, product) WHERE terms IS NULL;

        CREATE TABLE renewals (
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            originalID TEXT NOT NULL,
            facts TEXT NOT NULL,
            PRIMARY KEY (app, environment, originalID)
        ) STRICT, WITHOUT ROWID;

        """

    private static let credits = """
        CREATE TABLE deliveries (
            account TEXT NOT NULL REFERENCES accounts,
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            id TEXT NOT NULL,
            receipt TEXT REFERENCES receipts,
            deliveredAt INTEGER NOT NULL,
            PRIMARY KEY (account, app, environment, id),
            FOREIGN KEY (app, environment, id) REFERENCES transactions
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE postings (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            account TEXT NOT NULL REFERENCES accounts,
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            currency TEXT NOT NULL,
            amount INTEGER NOT NULL,
            kind TEXT NOT NULL,
            product TEXT,
            cause TEXT,
            postedAt INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX postingsAccount ON postings (account, app, environment, product) WHERE product IS NOT NULL;

        CREATE TABLE balances (
            account TEXT NOT NULL REFERENCES accounts,
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            currency TEXT NOT NULL,
            amount INTEGER NOT NULL,
            PRIMARY KEY (account, app, environment, currency)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE spends (
            account TEXT NOT NULL REFERENCES accounts,
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            idempotencyKey TEXT NOT NULL,
            currency TEXT NOT NULL,
            amount INTEGER NOT NULL,
            balance INTEGER NOT NULL,
            spentAt INTEGER NOT NULL,
            PRIMARY KEY (account, app, environment, idempotencyKey)
        ) STRICT, WITHOUT ROWID;

        """

    // Content may become NULL, so that personal data can be erased while the hashes remain.
    private static let audit = """
        CREATE TABLE audit (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            kind TEXT NOT NULL,
            account TEXT,
            subject TEXT,
            content TEXT,
            contentHash BLOB NOT NULL
        ) STRICT;
        CREATE INDEX auditAccount ON audit (account, sequence);

        CREATE TRIGGER auditIsNotDeleted BEFORE DELETE ON audit BEGIN
            SELECT RAISE(ABORT, 'the audit trail is append-only');
        END;
        CREATE TRIGGER auditIsNotReplaced BEFORE INSERT ON audit
        WHEN EXISTS (SELECT 1 FROM audit WHERE sequence = NEW.sequence) BEGIN
            SELECT RAISE(ABORT, 'the audit trail is append-only');
        END;
        CREATE TRIGGER auditIsNotChanged BEFORE UPDATE ON audit
        WHEN NEW.content IS NOT NULL
            OR NEW.sequence IS NOT OLD.sequence OR NEW.at IS NOT OLD.at OR NEW.kind IS NOT OLD.kind
            OR NEW.account IS NOT OLD.account OR NEW.subject IS NOT OLD.subject
            OR NEW.contentHash IS NOT OLD.contentHash
        BEGIN
            SELECT RAISE(ABORT, 'the audit trail is append-only');
        END;
        """
}
