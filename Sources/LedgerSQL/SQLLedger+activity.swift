package import Ledger

extension SQLLedger {
    package func activity() async throws -> LedgerActivity {
        try await read { rows in
            let row = try rows.one(
                """
                SELECT (SELECT purchasedAt FROM transactions WHERE environment = 'Production'
                        ORDER BY purchasedAt DESC LIMIT 1) AS purchase,
                    (SELECT max(recordedAt) FROM notifications) AS notification,
                    (SELECT at FROM audit WHERE sequence > coalesce((SELECT max(sequence) FROM auditSeals), 0)
                        ORDER BY sequence LIMIT 1) AS unsealed
                """, [])
            return LedgerActivity(
                newestPurchase: try row?.dateIfAny("purchase"), newestNotification: try row?.dateIfAny("notification"),
                oldestUnsealed: try row?.dateIfAny("unsealed"))
        }
    }

    package func missingProducts() async throws -> [MissingProduct] {
        let purchases = try await read { rows in
            // Of a refund of a part the player still paid the rest.
            let percentage = rows.db.dialect.member("percentage", in: "revocation", of: "facts")
            return try rows.all(
                """
                SELECT app, product, purchasedAt FROM transactions
                WHERE terms IS NULL AND environment = 'Production' AND forgottenAt IS NULL
                    AND (revokedAt IS NULL OR CAST(\(percentage) AS BIGINT) < \(RefundShare.whole))
                LIMIT \(MissingProduct.maximumPurchases)
                """, []
            ).map { row in
                MissingProduct(
                    app: try row["app"], product: try row["product"], purchases: 1, oldest: try row.date("purchasedAt"))
            }
        }
        return MissingProduct.sums(of: purchases)
    }
}
