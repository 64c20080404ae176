extension SchemaVersion1 {
    // Keys begin with the most selective column. Without statistics PostgreSQL's planner considers the first columns of
    // an index as good as all of them, and most rows have the same app and environment.
    static let transactions = """
        CREATE TABLE terms (
            hash BYTEA NOT NULL PRIMARY KEY,
            product TEXT COLLATE "C" NOT NULL
        );

        CREATE TABLE lines (
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            originalID TEXT COLLATE "C" NOT NULL,
            owner TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            basis TEXT COLLATE "C" NOT NULL,
            forgottenAt BIGINT,
            forgottenMoves BIGINT NOT NULL DEFAULT 0,
            PRIMARY KEY (originalID, app, environment)
        );
        CREATE INDEX linesOwner ON lines (owner);

        CREATE TABLE lineMoves (
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            originalID TEXT COLLATE "C" NOT NULL,
            position BIGINT NOT NULL,
            fromAccount TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            toAccount TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            movedAt BIGINT NOT NULL,
            PRIMARY KEY (originalID, app, environment, position),
            FOREIGN KEY (app, environment, originalID) REFERENCES lines (app, environment, originalID)
        );
        CREATE INDEX lineMovesFrom ON lineMoves (fromAccount);

        CREATE TABLE transactions (
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            id TEXT COLLATE "C" NOT NULL,
            originalID TEXT COLLATE "C" NOT NULL,
            product TEXT COLLATE "C" NOT NULL,
            facts TEXT COLLATE "C" NOT NULL,
            terms BYTEA REFERENCES terms,
            creditedTo TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            expiresAt BIGINT,
            forgottenAt BIGINT,
            PRIMARY KEY (id, app, environment),
            FOREIGN KEY (app, environment, originalID) REFERENCES lines (app, environment, originalID)
        );
        CREATE INDEX transactionsLine ON transactions (originalID, app, environment);
        CREATE INDEX transactionsCredited ON transactions (creditedTo);
        CREATE INDEX transactionsWithoutTerms ON transactions (app, product) WHERE terms IS NULL;
        CREATE INDEX transactionsExpiring ON transactions (expiresAt) WHERE expiresAt IS NOT NULL;

        CREATE TABLE unclaimedTransactions (
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            id TEXT COLLATE "C" NOT NULL,
            originalID TEXT COLLATE "C" NOT NULL,
            facts TEXT COLLATE "C" NOT NULL,
            terms BYTEA REFERENCES terms,
            PRIMARY KEY (id, app, environment)
        );
        CREATE INDEX unclaimedLine ON unclaimedTransactions (originalID, app, environment);

        CREATE TABLE provisionalPurchases (
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            id TEXT COLLATE "C" NOT NULL,
            account TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            receipt TEXT COLLATE "C" NOT NULL REFERENCES receipts,
            facts TEXT COLLATE "C" NOT NULL,
            terms BYTEA NOT NULL REFERENCES terms,
            PRIMARY KEY (id, app, environment)
        );
        CREATE INDEX provisionalPurchasesAccount ON provisionalPurchases (account);
        CREATE INDEX provisionalPurchasesReceipt ON provisionalPurchases (receipt);

        CREATE TABLE renewals (
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            originalID TEXT COLLATE "C" NOT NULL,
            facts TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (originalID, app, environment)
        );

        """

    static let deliveries = """
        CREATE TABLE deliveries (
            account TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            id TEXT COLLATE "C" NOT NULL,
            receipt TEXT COLLATE "C" REFERENCES receipts,
            deliveredAt BIGINT NOT NULL,
            forgottenAt BIGINT,
            notification TEXT COLLATE "C",
            PRIMARY KEY (account, app, environment, id),
            FOREIGN KEY (app, environment, id) REFERENCES transactions (app, environment, id)
        );
        CREATE INDEX deliveriesFirst ON deliveries (deliveredAt);

        CREATE TABLE manifestDeliveries (
            id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
            account TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            bundle TEXT COLLATE "C" NOT NULL,
            version TEXT COLLATE "C" NOT NULL,
            sha256 TEXT COLLATE "C" NOT NULL,
            firstAt BIGINT NOT NULL,
            lastAt BIGINT NOT NULL,
            count BIGINT NOT NULL,
            confirmedAt BIGINT,
            mismatches BIGINT NOT NULL DEFAULT 0,
            UNIQUE (account, bundle, version)
        );
        CREATE INDEX manifestDeliveriesFirst ON manifestDeliveries (firstAt);
        CREATE INDEX manifestDeliveriesOpen ON manifestDeliveries (firstAt) WHERE confirmedAt IS NULL;

        """
}
