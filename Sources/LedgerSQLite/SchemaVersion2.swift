extension Schema {
    /// Administrators, blocked accounts, and the seals of the audit trail.
    static let version2 = """
        ALTER TABLE accounts ADD COLUMN blockedAt INTEGER;

        CREATE TABLE adminTokens (
            token BLOB NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            role TEXT NOT NULL,
            createdAt INTEGER NOT NULL,
            revokedAt INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX adminTokensInForce ON adminTokens (name) WHERE revokedAt IS NULL;

        ALTER TABLE audit ADD COLUMN actor TEXT;
        DROP TRIGGER auditIsNotChanged;
        CREATE TRIGGER auditIsNotChanged BEFORE UPDATE ON audit
        WHEN NEW.content IS NOT NULL
            OR NEW.sequence IS NOT OLD.sequence OR NEW.at IS NOT OLD.at OR NEW.kind IS NOT OLD.kind
            OR NEW.actor IS NOT OLD.actor OR NEW.account IS NOT OLD.account OR NEW.subject IS NOT OLD.subject
            OR NEW.contentHash IS NOT OLD.contentHash
        BEGIN
            SELECT RAISE(ABORT, 'the audit trail is append-only');
        END;

        """
}
