extension Schema {
    /// The decisions that owners follow from, and the transfers that were payments. The histories of
    /// accounts that an original transaction was transferred from are condensed anew: they tell when own periods ended.
    static let version37 = """
        ALTER TABLE lines ADD COLUMN owners BLOB;
        ALTER TABLE lineMoves ADD COLUMN isPayment INTEGER NOT NULL DEFAULT 0;
        UPDATE historyRevisions SET condensed = -1 WHERE account IN (SELECT fromAccount FROM lineMoves);
        """
}
