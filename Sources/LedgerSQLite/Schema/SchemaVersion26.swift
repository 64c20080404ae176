extension Schema {
    /// The payments for deliveries of a bundle, in Production, and what was in the way of the store's answer about a
    /// receipt. The indexes are those by which the lists of both are filtered.
    static let version26 = """
        ALTER TABLE manifestDeliveries ADD COLUMN app TEXT;
        ALTER TABLE manifestDeliveries ADD COLUMN paidBy TEXT;
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

        ALTER TABLE receipts ADD COLUMN trouble TEXT;
        CREATE INDEX receiptsPendingByApp ON receipts (app, recordedAt, id) WHERE status = 'pending';
        CREATE INDEX receiptsRejectedByApp ON receipts (app, recordedAt, id) WHERE status = 'rejected';
        CREATE INDEX receiptsRejectedByReason ON receipts (rejection, recordedAt, id) WHERE status = 'rejected';
        CREATE INDEX receiptsRejectedByAppAndReason ON receipts (app, rejection, recordedAt, id)
            WHERE status = 'rejected';
        """

    /// Finds what pays for earlier deliveries: the purchase that was delivered last.
    static let paidBefore = """
        UPDATE manifestDeliveries SET (app, paidBy) = (
            SELECT d.app, d.id FROM deliveries d
            CROSS JOIN transactions t ON t.app = d.app AND t.environment = d.environment AND t.id = d.id
            CROSS JOIN terms m ON m.hash = t.terms
            CROSS JOIN json_each(m.product, '$.bundles') b
            WHERE d.account = manifestDeliveries.account AND d.environment = 'Production'
                AND b.value = manifestDeliveries.bundle AND d.forgottenAt IS NULL AND t.forgottenAt IS NULL
            ORDER BY d.deliveredAt DESC, d.id DESC LIMIT 1);
        """
}
