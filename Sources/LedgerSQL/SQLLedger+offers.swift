package import InAppPurchase
package import Ledger

extension SQLLedger {
    package func offerEligibility(
        of account: AccountID, for product: Product, in scope: Scope, _ context: RecordingContext
    ) async throws -> OfferEligibility {
        try await read { rows in
            let shown = try rows.one(
                """
                SELECT id FROM appTransactions WHERE account = ? AND app = ? AND environment = ? AND id <> ''
                ORDER BY shownAt DESC LIMIT 1
                """, [account.text, scope.app, scope.environment.rawValue])
            return try ReceiptRecorder(rows, context).state(of: account).offerEligibility(
                for: product, in: scope, appTransactionID: try shown?["id"])
        }
    }
}
