import LedgerSQL

/// The evidence for transfers of a purchase to another account, as in ``LedgerSQLite`` after its version 10.
enum SchemaVersion4 {
    static let sql = """
        ALTER TABLE lines ADD COLUMN ownerEvidenceAt BIGINT;
        ALTER TABLE lines ADD COLUMN moveCount BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE receipts ADD COLUMN mayTransfer BIGINT NOT NULL DEFAULT 1;
        ALTER TABLE receipts ADD COLUMN isForDevice BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE receiptTransactions ADD COLUMN remedy TEXT COLLATE "C";

        """ + OwnerEvidence.backfill
}
