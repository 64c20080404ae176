import Foundation
import InAppPurchase
import StoreClient

extension VerifyReceiptAnswer {
    /// The maximum number of transactions. No customer has more: ten years of weekly renewals are 520.
    static let maximumTransactions = 10_000

    /// The result of a response with a good status.
    ///
    /// Entries that cannot be read are left out and counted, so that one of an unknown kind does not spoil the rest; if
    /// none can be read, the response is as good as none, and the request is repeated.
    func facts(from endpoint: Environment, at now: Date) -> VerificationResult<AppStoreAnswer> {
        guard statements(at: now).map(\.entries.count).reduce(0, +) <= Self.maximumTransactions else {
            return .rejected(ReceiptRejection(.malformed, "too many transactions"))
        }
        guard let name = receipt.text("bundle_id") ?? receipt.text("bid") ?? latest.firstText("bid") else {
            return .unavailable(Unavailability(.temporary, "an answer without a bundle ID"))
        }
        let bundleID = BundleID(stored: name)
        let environment: Environment
        do {
            environment = try Environment(signed: top.text("environment") ?? endpoint.rawValue)
        } catch {
            return .rejected(error)
        }
        let (transactions, unreadable) = transactions(of: bundleID, in: environment, at: now)
        guard unreadable == 0 || !transactions.isEmpty else {
            return .unavailable(Unavailability(.temporary, "no entry of the answer can be read"))
        }
        return .verified(
            AppStoreAnswer(
                receipt: VerifiedReceipt(
                    transactions: transactions, renewals: renewals(of: bundleID, in: environment, at: now),
                    appVersion: appVersion(of: bundleID)),
                bundleID: bundleID, appAppleID: appAppleID, environment: environment, unreadableEntries: unreadable))
    }

    private var isUnified: Bool { inApp != nil || receipt.text("bundle_id") != nil }

    /// The number in the App Store; it is 0 or absent in the sandbox.
    private var appAppleID: Int? {
        ["app_item_id", "adam_id"].lazy.compactMap { receipt.integer($0) }.first { $0 > 0 }
    }

    private func appVersion(of app: BundleID) -> AppVersion? {
        (receipt.text("application_version") ?? receipt.text("bvrs")).map {
            AppVersion(app: app, text: $0, externalID: receipt.integer("version_external_identifier"))
        }
    }

    /// The entries, each list with the date at which the App Store stated them.
    private func statements(at now: Date) -> [(entries: [VerifyReceiptEntry], date: Date)] {
        guard isUnified else { return [([receipt] + latest, now)] }
        let request = receipt.date("request_date") ?? now
        return [(inApp ?? [], receipt.date("receipt_creation_date") ?? request), (latest, request)]
    }

    private func transactions(
        of app: BundleID, in environment: Environment, at now: Date
    ) -> (transactions: [Transaction], unreadable: Int) {
        var transactions: [TransactionID: Transaction] = [:]
        var unreadable = 0
        for (entries, date) in statements(at: now) {
            for entry in entries {
                guard var transaction = entry.transaction(of: app, in: environment, stated: date) else {
                    unreadable += 1
                    continue
                }
                transaction.setVersions(of: receipt)
                transactions[transaction.id, default: transaction].merge(transaction)
            }
        }
        let sorted = transactions.values.sorted { ($0.purchaseDate, $0.id) < ($1.purchaseDate, $1.id) }
        return (sorted, unreadable)
    }

    private func renewals(
        of app: BundleID, in environment: Environment, at now: Date
    ) -> [OriginalTransaction.Key: RenewalFacts] {
        var renewals: [OriginalTransaction.Key: RenewalFacts] = [:]
        func add(_ facts: RenewalFacts, to originalID: String?) {
            guard let originalID, originalID.isStoreID else { return }
            let id = TransactionID(stored: originalID)
            renewals[OriginalTransaction.Key(app: app, environment: environment, originalID: id)] = facts
        }
        let request = isUnified ? receipt.date("request_date") ?? now : now
        for entry in pendingRenewals {
            add(entry.renewalFacts(stated: request), to: entry.text("original_transaction_id"))
        }
        if !isUnified, top.flag("auto_renew_status") != nil {
            add(
                top.renewalFacts(stated: now),
                to: receipt.text("original_transaction_id") ?? latest.firstText("original_transaction_id"))
        }
        return renewals
    }
}

extension Transaction {
    /// Sets the versions of the app that the receipt around the transaction states.
    fileprivate mutating func setVersions(of receipt: VerifyReceiptEntry) {
        var details = details ?? PurchaseDetails()
        if let version = receipt.text("application_version") { details.appVersion = version }
        if let version = receipt.text("original_application_version") { details.originalAppVersion = version }
        self.details = details.nonEmpty
    }
}

extension [VerifyReceiptEntry] {
    fileprivate func firstText(_ name: String) -> String? { lazy.compactMap { $0.text(name) }.first }
}
