import LedgerSQL

extension Schema {
    /// The evidence for transfers of a purchase to another account: what its owner has presented, and how a receipt was
    /// sent.
    static let version10 = """
        ALTER TABLE lines ADD COLUMN ownerEvidenceAt INTEGER;
        ALTER TABLE lines ADD COLUMN moveCount INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE receipts ADD COLUMN mayTransfer INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE receipts ADD COLUMN isForDevice INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE receiptTransactions ADD COLUMN remedy TEXT;

        """ + OwnerEvidence.backfill
}
