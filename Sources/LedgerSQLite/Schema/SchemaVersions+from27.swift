extension Schema {
    /// The date on which the store sent a notification to the server: those that the server fetched, since they never
    /// arrived, have none.
    ///
    /// For earlier rows it is not known; the newest of each app and environment counts as sent, as it did.
    static let version27 = """
        ALTER TABLE notifications ADD COLUMN deliveredAt INTEGER;
        UPDATE notifications SET deliveredAt = recordedAt WHERE id IN (
            SELECT id FROM (
                SELECT id, row_number() OVER (PARTITION BY app, environment ORDER BY recordedAt DESC, id) AS place
                FROM notifications) AS numbered
            WHERE place = 1);
        CREATE INDEX notificationsDelivered ON notifications (app, environment, deliveredAt)
            WHERE deliveredAt IS NOT NULL;
        """

    /// The sums of reports, by day.
    ///
    /// `changes` counts the changes of what a day's sums are made of, and `folded` is its number when they were made;
    /// the day is due for a server at `dueAt`. `reportChanges` has the dates of each transaction that was added or
    /// changed, before and after, until a server has found the days that they concern. Triggers write it, so that every
    /// change of a transaction is noted, whatever makes it.
    ///
    /// Credits, receipts and downloads are rows with the date of their recording: their sums are final an hour after
    /// the end of the day by the database's clock (`isFinal`). A row that a server whose clock is behind dates earlier
    /// than half an hour ago is noted like a change of a transaction; no transaction takes the other half.
    static let version28 = reportTables + transactionTriggers + otherTriggers + activity

    private static let reportTables = """
        CREATE TABLE reportDays (
            environment TEXT NOT NULL,
            day INTEGER NOT NULL,
            changes INTEGER NOT NULL,
            folded INTEGER,
            foldedAt INTEGER,
            validFrom INTEGER,
            validUntil INTEGER,
            counted INTEGER NOT NULL,
            isFinal INTEGER NOT NULL DEFAULT 0,
            dueAt INTEGER,
            PRIMARY KEY (environment, day)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX reportDaysDue ON reportDays (dueAt) WHERE dueAt IS NOT NULL;

        CREATE TABLE reportSums (
            environment TEXT NOT NULL,
            day INTEGER NOT NULL,
            app TEXT NOT NULL,
            total TEXT NOT NULL,
            products TEXT NOT NULL,
            storefronts TEXT NOT NULL,
            PRIMARY KEY (environment, day, app)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE reportChanges (
            sequence INTEGER PRIMARY KEY,
            environment TEXT NOT NULL,
            app TEXT NOT NULL,
            originalID TEXT NOT NULL,
            id TEXT NOT NULL,
            purchasedAt INTEGER NOT NULL,
            revokedAt INTEGER,
            expiresAt INTEGER
        ) STRICT;

        """

    private static let columns = "environment, app, originalID, id, purchasedAt, revokedAt, expiresAt"

    private static func insertion(of row: String) -> String {
        "INSERT INTO reportChanges (\(columns)) SELECT "
            + columns.split(separator: ", ").map { "\(row).\($0)" }.joined(separator: ", ")
    }

    /// A change of a transaction, which is noted as it was and, if it lies elsewhere now, as it is.
    private static func triggers(on table: String, comparing others: String...) -> String {
        """
        CREATE TRIGGER \(table)ChangeReports AFTER INSERT ON \(table) BEGIN
            \(insertion(of: "NEW"));
        END;
        \(changeTrigger(on: table, comparing: others))
        CREATE TRIGGER \(table)DeletedChangeReports AFTER DELETE ON \(table) BEGIN
            \(insertion(of: "OLD"));
        END;

        """
    }

    static func changeTrigger(on table: String, comparing others: [String]) -> String {
        let dates = ["originalID", "purchasedAt", "revokedAt", "expiresAt"]
        let differs = { (names: [String]) in names.map { "NEW.\($0) IS NOT OLD.\($0)" }.joined(separator: " OR ") }
        return """
            CREATE TRIGGER \(table)ChangedChangeReports AFTER UPDATE OF \((others + dates).joined(separator: ", "))
            ON \(table) WHEN \(differs(others + dates))
            BEGIN
                \(insertion(of: "OLD"));
                \(insertion(of: "NEW")) WHERE \(differs(dates));
            END;
            """
    }

    private static let transactionTriggers =
        triggers(on: "transactions", comparing: "facts", "terms", "forgottenAt")
        + triggers(on: "unclaimedTransactions", comparing: "facts", "terms")

    /// The newest period of a subscription is what a statement about its renewal concerns; what had no owner is counted
    /// no longer when it gets one.
    private static let otherTriggers = """
        CREATE TRIGGER renewalsChangeReports AFTER INSERT ON renewals BEGIN
            \(insertionOfNewest("transactions", "transactionsLine"))
            \(insertionOfNewest("unclaimedTransactions", "unclaimedLine"))
        END;
        CREATE TRIGGER renewalsChangedChangeReports AFTER UPDATE OF facts ON renewals
        WHEN NEW.facts IS NOT OLD.facts
        BEGIN
            \(insertionOfNewest("transactions", "transactionsLine"))
            \(insertionOfNewest("unclaimedTransactions", "unclaimedLine"))
        END;
        CREATE TRIGGER linesChangeReports AFTER INSERT ON lines BEGIN
            INSERT INTO reportChanges (\(columns))
                SELECT \(columns) FROM unclaimedTransactions INDEXED BY unclaimedLine
                WHERE app = NEW.app AND environment = NEW.environment AND originalID = NEW.originalID;
        END;
        """

    private static func insertionOfNewest(_ table: String, _ index: String) -> String {
        """
        INSERT INTO reportChanges (\(columns))
                SELECT \(columns) FROM \(table) INDEXED BY \(index)
                WHERE app = NEW.app AND environment = NEW.environment AND originalID = NEW.originalID
                    \(table == "transactions" ? "AND forgottenAt IS NULL" : "")
                ORDER BY purchasedAt DESC, id DESC LIMIT 1;
        """
    }

    // MARK: Credits, receipts, downloads

    private static let activity = """

        CREATE INDEX postingsPosted ON postings (environment, postedAt);
        CREATE INDEX receiptsAnswered ON receipts (answeredAt, status)
            WHERE answeredAt IS NOT NULL AND status <> 'pending';

        CREATE TRIGGER postingsChangeReports AFTER INSERT ON postings WHEN \(isLate("NEW.postedAt")) BEGIN
            \(insertion("NEW.environment", "NEW.postedAt"))
        END;
        CREATE TRIGGER receiptsChangeReports AFTER INSERT ON receipts
        WHEN NEW.status <> 'pending' AND \(isLate("NEW.answeredAt"))
        BEGIN
            \(insertion("'Production'", "NEW.answeredAt"))
        END;
        CREATE TRIGGER receiptsChangedChangeReports AFTER UPDATE OF status, answeredAt ON receipts
        WHEN (NEW.status IS NOT OLD.status OR NEW.answeredAt IS NOT OLD.answeredAt)
            AND (\(isLate("NEW.answeredAt")) OR \(isLate("OLD.answeredAt")))
        BEGIN
            \(insertion("'Production'", "coalesce(OLD.answeredAt, NEW.answeredAt)"))
            \(insertion("'Production'", "coalesce(NEW.answeredAt, OLD.answeredAt)"))
        END;
        CREATE TRIGGER manifestDeliveriesChangeReports AFTER INSERT ON manifestDeliveries
        WHEN \(isLate("NEW.firstAt"))
        BEGIN
            \(insertion("'Production'", "NEW.firstAt"))
        END;
        """

    private static func isLate(_ date: String) -> String { "\(date) < (unixepoch() - 1800) * 1000" }

    private static func insertion(_ environment: String, _ date: String) -> String {
        "INSERT INTO reportChanges (environment, app, originalID, id, purchasedAt) "
            + "VALUES (\(environment), '', '', '', \(date));"
    }

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

    /// The indexes by which testers are listed, and the products that the store did not know, latest first.
    static let version30 = """
        CREATE INDEX accountsTesters ON accounts (testerSince, id) WHERE testerSince IS NOT NULL;
        CREATE INDEX unavailableProductsDay ON unavailableProducts (day DESC, app, product);
        """

    /// The index by which the notifications of one app are listed, newest first.
    static let version31 = "CREATE INDEX notificationsOfApp ON notifications (app, recordedAt, id);"

    /// The lists of rejected receipts by reason and date alone. Those of all reasons are merged when they are read, and
    /// the few receipts of one millisecond sorted: with IDs, four indexes took a tenth of the room that somebody who
    /// sends garbage can fill.
    static let version32 = """
        DROP INDEX receiptsRejectedByDate;
        DROP INDEX receiptsRejectedByApp;
        DROP INDEX receiptsRejectedByReason;
        DROP INDEX receiptsRejectedByAppAndReason;
        CREATE INDEX receiptsRejectedByReason ON receipts (rejection, recordedAt) WHERE status = 'rejected';
        CREATE INDEX receiptsRejectedByAppAndReason ON receipts (app, rejection, recordedAt)
            WHERE status = 'rejected';
        """

    /// Transaction IDs that wait, by address and apart from receipts: anybody can make them up, and they must not keep
    /// receipts from their turn, nor those of one address those of another.
    static let version33 = """
        DROP INDEX receiptsDueByApp;
        CREATE INDEX receiptsDueByApp ON receipts (app, retryAt, recordedAt, kind)
            WHERE retryAt IS NOT NULL AND kind <> 'transactionID';
        CREATE INDEX transactionIDsDue ON receipts (coalesce(addressDigest, X''), retryAt, recordedAt, kind)
            WHERE retryAt IS NOT NULL AND kind = 'transactionID';
        """

    /// The periods that a customer bought with an offer, whoever owns them, by the ID of the customer's app
    /// transaction; and when an account last showed an app transaction.
    static let version34 = """
        ALTER TABLE appTransactions ADD COLUMN lastShownAt INTEGER;

        CREATE TABLE offerPeriods (
            appTransactionID TEXT NOT NULL,
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            id TEXT NOT NULL,
            PRIMARY KEY (appTransactionID, app, environment, id)
        ) STRICT, WITHOUT ROWID;
        \(offerPeriodsBefore)
        """

    /// Finds them in earlier transactions.
    static let offerPeriodsBefore = ["transactions", "unclaimedTransactions"].map { table in
        """
        INSERT OR IGNORE INTO offerPeriods (appTransactionID, app, environment, id)
            SELECT json_extract(facts, '$.details.appTransactionID'), app, environment, id FROM \(table)
            WHERE json_extract(facts, '$.details.appTransactionID') IS NOT NULL AND (
                json_extract(facts, '$.details.offer') IS NOT NULL OR json_extract(facts, '$.details.isTrialPeriod')
                OR json_extract(facts, '$.details.isIntroductoryPeriod'));
        """
    }.joined(separator: "\n")

    /// The idempotency keys of grants by app: an administrator of one app does not meet the keys of another.
    static let version35 = """
        DROP INDEX productGrantsKey;
        CREATE UNIQUE INDEX productGrantsKey ON productGrants (account, app, idempotencyKey);
        """
}
