import Foundation
import InAppPurchase
import Ledger

/// A customer's change of a subscription's automatic renewal, as a notification of the App Store said.
struct RenewalChange: Hashable, Sendable {
    /// The rows of the audit trail that are looked at: those of some years of a busy player.
    private static let maximumLookedAt = 2_000
    /// The notifications among them.
    private static let maximumNotifications = 200

    let date: Date
    let isOff: Bool
    let transactions: Set<Transaction.Key>

    /// The changes about an account's subscriptions, newest first. Notifications that came while another account owned
    /// the subscription are in the trail of that one.
    ///
    /// - Parameter reach: the apps of the administrator's token.
    static func newest(
        of account: AccountID, in reach: AdminReach, _ ledger: some AuditLedger
    ) async throws -> [RenewalChange] {
        var filter = AuditFilter(
            kind: AuditEntry.Kind.notificationApplied.rawValue, account: account, lookingAt: maximumLookedAt)
        filter.reach = reach
        let rows = try await ledger.newestAuditRows(matching: filter, before: nil, limit: maximumNotifications).rows
        return rows.compactMap(RenewalChange.init).sorted { $0.date > $1.date }
    }

    /// - Returns: `nil` if the row is about another event, or was erased.
    private init?(_ row: AuditRow) {
        guard let content = row.content,
            let applied = try? JSONDecoder().decode(Applied.self, from: Data(content.utf8)),
            applied.type == "DID_CHANGE_RENEWAL_STATUS", let subtype = applied.subtype,
            let date = Date(rfc3339: applied.signedDate)
        else { return nil }
        self.date = date
        isOff = subtype == "AUTO_RENEW_DISABLED"
        transactions = Set(
            applied.transactions.map { Transaction.Key(app: applied.app, environment: applied.environment, id: $0) })
    }

    /// The content of the row.
    private struct Applied: Decodable {
        var type: String
        var subtype: String?
        var signedDate: String
        var app: BundleID
        var environment: InAppPurchase.Environment
        var transactions: [TransactionID]
    }
}
