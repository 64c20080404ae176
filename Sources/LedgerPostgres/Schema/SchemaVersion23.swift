/// Stored histories count as condensed, as in ``LedgerSQLite`` after its version 29.
enum SchemaVersion23 {
    static let sql = """
        CREATE FUNCTION setCondensed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO historyRevisions (account, revision, condensed)
                VALUES (CAST(CAST(encode(NEW.account, 'hex') AS UUID) AS TEXT), 0, 0)
                ON CONFLICT (account) DO UPDATE SET condensed = historyRevisions.revision;
            RETURN NULL;
        END $$;
        CREATE TRIGGER standingCondensesHistories AFTER INSERT OR UPDATE ON standings
        FOR EACH ROW EXECUTE FUNCTION setCondensed();
        """
}
