/// Condensed histories in few bytes, and fewer indexes, as in ``LedgerSQLite`` after its version 23.
///
/// A row of a condensed history is replaced with each purchase: the free part of each page has room for the new one
/// beside the old.
enum SchemaVersion17 {
    static let sql = """
        UPDATE historyRevisions SET condensed = -1 WHERE account IN (SELECT account FROM standings);
        DROP TABLE standings;
        CREATE TABLE standings (
            account BYTEA NOT NULL,
            history BYTEA NOT NULL,
            version TEXT COLLATE "C" NOT NULL,
            standing BYTEA NOT NULL,
            PRIMARY KEY (account, history)
        ) WITH (fillfactor = 90);

        DROP INDEX linesOwner;
        DROP INDEX postingsAccount;

        CREATE FUNCTION markChangedOwner() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            NEW.changedOwner = 1;
            RETURN NEW;
        END $$;
        CREATE TRIGGER lineGetsAnotherOwner BEFORE UPDATE OF owner ON lines
        FOR EACH ROW WHEN (NEW.owner IS DISTINCT FROM OLD.owner) EXECUTE FUNCTION markChangedOwner();

        CREATE FUNCTION markLineOfCredits() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            UPDATE lines SET changedOwner = 1
            WHERE app = NEW.app AND environment = NEW.environment AND originalID = NEW.originalID
                AND owner <> NEW.creditedTo AND changedOwner = 0;
            RETURN NULL;
        END $$;
        CREATE TRIGGER transactionCreditsAnother AFTER UPDATE OF creditedTo ON transactions
        FOR EACH ROW WHEN (NEW.creditedTo IS DISTINCT FROM OLD.creditedTo) EXECUTE FUNCTION markLineOfCredits();
        """
}
