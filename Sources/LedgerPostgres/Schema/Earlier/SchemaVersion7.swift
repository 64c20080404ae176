/// The dates by which reports find transactions, as in ``LedgerSQLite`` after its version 13.
enum SchemaVersion7 {
    static let sql = dateColumns + datesOfFacts + dateIndexes

    private static let dateColumns = """
        ALTER TABLE transactions ADD COLUMN purchasedAt BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE transactions ADD COLUMN revokedAt BIGINT;
        ALTER TABLE unclaimedTransactions ADD COLUMN purchasedAt BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE unclaimedTransactions ADD COLUMN revokedAt BIGINT;
        ALTER TABLE unclaimedTransactions ADD COLUMN expiresAt BIGINT;

        """

    private static let dateIndexes = """
        CREATE INDEX transactionsPurchased ON transactions (environment, purchasedAt, app, id);
        CREATE INDEX transactionsRevoked ON transactions (environment, revokedAt, app, id) WHERE revokedAt IS NOT NULL;
        DROP INDEX transactionsLine;
        CREATE INDEX transactionsLine ON transactions (originalID, app, environment, purchasedAt, id);
        CREATE INDEX unclaimedPurchased ON unclaimedTransactions (environment, purchasedAt, app, id);
        CREATE INDEX unclaimedRevoked ON unclaimedTransactions (environment, revokedAt, app, id)
            WHERE revokedAt IS NOT NULL;
        CREATE INDEX unclaimedExpiring ON unclaimedTransactions (expiresAt) WHERE expiresAt IS NOT NULL;
        DROP INDEX unclaimedLine;
        CREATE INDEX unclaimedLine ON unclaimedTransactions (originalID, app, environment, purchasedAt, id);
        """

    /// Copies the dates of earlier records.
    static let datesOfFacts = """
        UPDATE transactions SET purchasedAt = CAST(CAST(facts AS json) ->> 'purchaseDate' AS BIGINT),
            revokedAt = CAST(CAST(facts AS json) #>> '{revocation,date}' AS BIGINT);
        UPDATE unclaimedTransactions SET purchasedAt = CAST(CAST(facts AS json) ->> 'purchaseDate' AS BIGINT),
            revokedAt = CAST(CAST(facts AS json) #>> '{revocation,date}' AS BIGINT),
            expiresAt = CAST(CAST(facts AS json) ->> 'expirationDate' AS BIGINT);

        """
}
