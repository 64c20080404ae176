extension Schema {
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
}
