/// The payments for deliveries of a bundle, and what was in the way of an answer about a receipt, as in
/// ``LedgerSQLite`` after its version 26.
enum SchemaVersion20 {
    static let sql = """
        ALTER TABLE manifestDeliveries ADD COLUMN app TEXT COLLATE "C", ADD COLUMN paidBy TEXT COLLATE "C";
        \(paidBefore)
        DROP INDEX manifestDeliveriesOpen;
        DROP INDEX manifestDeliveriesFirst;
        CREATE INDEX manifestDeliveriesFirst ON manifestDeliveries (firstAt, id);
        CREATE INDEX manifestDeliveriesBundle ON manifestDeliveries (bundle, firstAt, id);
        CREATE INDEX manifestDeliveriesAccount ON manifestDeliveries (account, firstAt, id);
        CREATE INDEX manifestDeliveriesPaid ON manifestDeliveries (firstAt, id)
            WHERE confirmedAt IS NULL AND paidBy IS NOT NULL;
        CREATE INDEX manifestDeliveriesPaidBundle ON manifestDeliveries (bundle, firstAt, id)
            WHERE confirmedAt IS NULL AND paidBy IS NOT NULL;
        CREATE INDEX manifestDeliveriesPaidApp ON manifestDeliveries (app, firstAt, id)
            WHERE confirmedAt IS NULL AND paidBy IS NOT NULL;
        CREATE INDEX unfetchedBundlesBundle ON unfetchedBundles (bundle, deliveredAt, account);
        CREATE INDEX unfetchedBundlesApp ON unfetchedBundles (app, deliveredAt, account, bundle);

        ALTER TABLE receipts ADD COLUMN trouble TEXT COLLATE "C";
        CREATE INDEX receiptsPendingByApp ON receipts (app, recordedAt, id) WHERE status = 'pending';
        CREATE INDEX receiptsRejectedByApp ON receipts (app, recordedAt, id) WHERE status = 'rejected';
        CREATE INDEX receiptsRejectedByReason ON receipts (rejection, recordedAt, id) WHERE status = 'rejected';
        CREATE INDEX receiptsRejectedByAppAndReason ON receipts (app, rejection, recordedAt, id)
            WHERE status = 'rejected';
        """

    /// Finds what pays for earlier deliveries: the purchase that was delivered last.
    static let paidBefore = """
        UPDATE manifestDeliveries f SET (app, paidBy) = (
            SELECT d.app, d.id FROM deliveries d
            JOIN transactions t ON t.app = d.app AND t.environment = d.environment AND t.id = d.id
            JOIN terms m ON m.hash = t.terms
            CROSS JOIN LATERAL json_array_elements_text(CAST(m.product AS json) -> 'bundles') b
            WHERE d.account = f.account AND d.environment = 'Production' AND b.value = f.bundle
                AND d.forgottenAt IS NULL AND t.forgottenAt IS NULL
            ORDER BY d.deliveredAt DESC, d.id DESC LIMIT 1);
        """
}
