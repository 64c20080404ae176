extension Schema {
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
}
