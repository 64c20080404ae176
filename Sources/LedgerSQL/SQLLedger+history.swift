import Foundation
package import InAppPurchase
package import Ledger

extension SQLLedger {
    package func purchases(
        of account: AccountID, in scope: Scope, after position: PurchasePosition?, limit: Int
    ) async throws -> [RecordedTransaction] {
        try await read { rows in try rows.purchases(of: account, in: scope, after: position, limit: limit) }
    }

    package func postings(
        of account: AccountID, in scope: Scope, currency: Currency, after position: Int?, limit: Int
    ) async throws -> PostingPage {
        try await read { rows in
            let scanned = try rows.all(
                "SELECT * FROM postings WHERE account = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?",
                [account.text, position ?? Int.max, PostingPage.maximumScanned])
            var page = PostingPage(postings: [], next: nil)
            for row in scanned {
                let posting = try Posting(row)
                guard posting.scope == scope, posting.currency == currency else { continue }
                page.postings.append(posting)
                guard page.postings.count == limit else { continue }
                page.next = try row["sequence"]
                return page
            }
            if scanned.count == PostingPage.maximumScanned { page.next = try scanned.last?["sequence"] }
            return page
        }
    }
}

extension LedgerRows {
    /// The newest purchases that the account owns or that credited it.
    func purchases(
        of account: AccountID, in scope: Scope, after position: PurchasePosition?, limit: Int
    ) throws -> [RecordedTransaction] {
        let found = try all(
            Self.purchasePage,
            [
                account.text, scope.app, scope.environment.rawValue, position?.date.milliseconds ?? Int.max,
                position?.transaction ?? "", limit,
            ])
        let keys = try found.map {
            Transaction.Key(app: scope.app, environment: scope.environment, id: try $0["id"])
        }
        let records = Dictionary(try transactions(Set(keys)).map { ($0.transaction.key, $0) }) { first, _ in first }
        return keys.compactMap { records[$0] }
    }

    /// The purchases that credited the account, in the order of the index, and those of the few original transactions
    /// that it got from another account.
    private static let purchasePage = """
        SELECT id, purchasedAt FROM (
            SELECT id, purchasedAt FROM (
                SELECT id, purchasedAt FROM transactions
                WHERE creditedTo = ?1 AND app = ?2 AND environment = ?3 AND forgottenAt IS NULL
                    AND (purchasedAt, id) < (?4, ?5)
                ORDER BY purchasedAt DESC, id DESC LIMIT ?6) credited
            UNION
            SELECT id, purchasedAt FROM (
                SELECT t.id, t.purchasedAt FROM lines l JOIN transactions t USING (app, environment, originalID)
                WHERE l.owner = ?1 AND l.changedOwner = 1 AND app = ?2 AND environment = ?3 AND t.forgottenAt IS NULL
                    AND (t.purchasedAt, t.id) < (?4, ?5)
                ORDER BY t.purchasedAt DESC, t.id DESC LIMIT ?6) acquired
        ) found ORDER BY purchasedAt DESC, id DESC LIMIT ?6
        """
}
