extension SchemaVersion1 {
    static let credits = """
        CREATE TABLE postings (
            sequence BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            account TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            currency TEXT COLLATE "C" NOT NULL,
            amount BIGINT NOT NULL,
            kind TEXT COLLATE "C" NOT NULL,
            product TEXT COLLATE "C",
            cause TEXT COLLATE "C",
            postedAt BIGINT NOT NULL
        );
        CREATE INDEX postingsAccount ON postings (account, app, environment, product) WHERE product IS NOT NULL;
        CREATE INDEX postingsNewest ON postings (account, sequence);

        CREATE TABLE balances (
            account TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            currency TEXT COLLATE "C" NOT NULL,
            amount BIGINT NOT NULL,
            PRIMARY KEY (account, app, environment, currency)
        );

        CREATE TABLE spends (
            account TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            idempotencyKey TEXT COLLATE "C" NOT NULL,
            currency TEXT COLLATE "C" NOT NULL,
            amount BIGINT NOT NULL,
            balance BIGINT NOT NULL,
            spentAt BIGINT NOT NULL,
            PRIMARY KEY (account, app, environment, idempotencyKey)
        );

        CREATE TABLE adjustments (
            account TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            idempotencyKey TEXT COLLATE "C" NOT NULL,
            currency TEXT COLLATE "C" NOT NULL,
            amount BIGINT NOT NULL,
            balance BIGINT NOT NULL,
            actor TEXT COLLATE "C" NOT NULL,
            reason TEXT COLLATE "C" NOT NULL,
            adjustedAt BIGINT NOT NULL,
            PRIMARY KEY (account, app, environment, idempotencyKey)
        );

        CREATE TABLE refunds (
            account TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            id TEXT COLLATE "C" NOT NULL,
            currency TEXT COLLATE "C" NOT NULL,
            product TEXT COLLATE "C" NOT NULL,
            amount BIGINT NOT NULL,
            forgiven BIGINT NOT NULL,
            PRIMARY KEY (account, app, environment, id, currency)
        );

        """

    // Content may become NULL, so that personal data can be erased while the hashes remain.
    static let audit = """
        CREATE TABLE audit (
            sequence BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            at BIGINT NOT NULL,
            kind TEXT COLLATE "C" NOT NULL,
            actor TEXT COLLATE "C",
            account TEXT COLLATE "C",
            subject TEXT COLLATE "C",
            content TEXT COLLATE "C",
            contentHash BYTEA NOT NULL
        );
        CREATE INDEX auditAccount ON audit (account, sequence);
        CREATE INDEX auditUnreadable ON audit (subject) WHERE kind = 'receipt.unreadable';

        CREATE TABLE auditSeals (
            position BIGINT PRIMARY KEY,
            sequence BIGINT NOT NULL UNIQUE REFERENCES audit,
            hash BYTEA NOT NULL
        );

        CREATE TABLE auditCheckpoints (
            position BIGINT PRIMARY KEY REFERENCES auditSeals,
            hash BYTEA NOT NULL,
            at BIGINT NOT NULL,
            key TEXT COLLATE "C" NOT NULL,
            signature BYTEA NOT NULL
        );

        CREATE FUNCTION auditIsAppendOnly() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'the audit trail is append-only'; END $$;

        CREATE TRIGGER auditIsNotDeleted BEFORE DELETE ON audit
        FOR EACH ROW EXECUTE FUNCTION auditIsAppendOnly();
        CREATE TRIGGER auditIsNotEmptied BEFORE TRUNCATE ON audit
        FOR EACH STATEMENT EXECUTE FUNCTION auditIsAppendOnly();
        CREATE TRIGGER auditIsNotChanged BEFORE UPDATE ON audit
        FOR EACH ROW WHEN (NEW.content IS NOT NULL
            OR NEW.sequence IS DISTINCT FROM OLD.sequence OR NEW.at IS DISTINCT FROM OLD.at
            OR NEW.kind IS DISTINCT FROM OLD.kind OR NEW.actor IS DISTINCT FROM OLD.actor
            OR NEW.account IS DISTINCT FROM OLD.account OR NEW.subject IS DISTINCT FROM OLD.subject
            OR NEW.contentHash IS DISTINCT FROM OLD.contentHash)
        EXECUTE FUNCTION auditIsAppendOnly();

        CREATE TRIGGER auditSealsStay BEFORE DELETE OR UPDATE ON auditSeals
        FOR EACH ROW EXECUTE FUNCTION auditIsAppendOnly();
        CREATE TRIGGER auditSealsAreNotEmptied BEFORE TRUNCATE ON auditSeals
        FOR EACH STATEMENT EXECUTE FUNCTION auditIsAppendOnly();
        CREATE TRIGGER auditCheckpointsStay BEFORE DELETE OR UPDATE ON auditCheckpoints
        FOR EACH ROW EXECUTE FUNCTION auditIsAppendOnly();
        CREATE TRIGGER auditCheckpointsAreNotEmptied BEFORE TRUNCATE ON auditCheckpoints
        FOR EACH STATEMENT EXECUTE FUNCTION auditIsAppendOnly();

        """
}
