extension Schema {
    /// The dates by which reports find transactions: columns, which are copies of the facts, and their indexes. The
    /// index of an original transaction has its periods in their order.
    static let version13 = dateColumns + datesOfFacts + dateIndexes

    private static let dateColumns = """
        ALTER TABLE transactions ADD COLUMN purchasedAt INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE transactions ADD COLUMN revokedAt INTEGER;
        ALTER TABLE unclaimedTransactions ADD COLUMN purchasedAt INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE unclaimedTransactions ADD COLUMN revokedAt INTEGER;
        ALTER TABLE unclaimedTransactions ADD COLUMN expiresAt INTEGER;

        """

    private static let dateIndexes = """
        CREATE INDEX transactionsPurchased ON transactions (environment, purchasedAt, app, id);
        CREATE INDEX transactionsRevoked ON transactions (environment, revokedAt, app, id) WHERE revokedAt IS NOT NULL;
        DROP INDEX transactionsLine;
        CREATE INDEX transactionsLine ON transactions (app, environment, originalID, purchasedAt, id);
        CREATE INDEX unclaimedPurchased ON unclaimedTransactions (environment, purchasedAt, app, id);
        CREATE INDEX unclaimedRevoked ON unclaimedTransactions (environment, revokedAt, app, id)
            WHERE revokedAt IS NOT NULL;
        CREATE INDEX unclaimedExpiring ON unclaimedTransactions (expiresAt) WHERE expiresAt IS NOT NULL;
        DROP INDEX unclaimedLine;
        CREATE INDEX unclaimedLine ON unclaimedTransactions (app, environment, originalID, purchasedAt, id);
        """

    /// Copies the dates of earlier records.
    static let datesOfFacts = """
        UPDATE transactions SET purchasedAt = json_extract(facts, '$.purchaseDate'),
            revokedAt = json_extract(facts, '$.revocation.date');
        UPDATE unclaimedTransactions SET purchasedAt = json_extract(facts, '$.purchaseDate'),
            revokedAt = json_extract(facts, '$.revocation.date'), expiresAt = json_extract(facts, '$.expirationDate');

        """
}
