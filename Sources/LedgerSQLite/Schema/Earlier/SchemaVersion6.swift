extension Schema {
    /// Issued manifests, and the accounts that get versions of the beta channel.
    static let version6 = """
        ALTER TABLE accounts ADD COLUMN betaSince INTEGER;

        CREATE TABLE manifestDeliveries (
            id TEXT NOT NULL PRIMARY KEY,
            account TEXT NOT NULL REFERENCES accounts,
            bundle TEXT NOT NULL,
            version TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            firstAt INTEGER NOT NULL,
            lastAt INTEGER NOT NULL,
            count INTEGER NOT NULL,
            confirmedAt INTEGER,
            mismatches INTEGER NOT NULL DEFAULT 0,
            UNIQUE (account, bundle, version)
        ) STRICT;
        CREATE INDEX manifestDeliveriesFirst ON manifestDeliveries (firstAt);
        CREATE INDEX manifestDeliveriesOpen ON manifestDeliveries (firstAt) WHERE confirmedAt IS NULL;
        CREATE INDEX deliveriesFirst ON deliveries (deliveredAt);
        """
}
