import Foundation
package import InAppPurchase

/// The ledger's rules for recording a verified receipt: merge, claim, deliver. Runs inside one database transaction.
package struct ReceiptRecorder<Rows: LedgerTransaction> {
    let rows: Rows
    let context: RecordingContext

    package init(_ rows: Rows, _ context: RecordingContext) {
        self.rows = rows
        self.context = context
    }

    /// Records new copies of transactions, decides who owns them, and delivers.
    ///
    /// A bare transaction ID neither gives the account an original transaction without an owner nor transfers one:
    /// anyone who learns the ID could present it. Only the receipt's own bytes transfer an original transaction; see
    /// ``Claim``.
    package func record(_ verified: VerifiedReceipt, in receipt: Receipt) throws -> RecordedReceipt {
        // Before anything is taken back: what of a refund is forgiven depends on the balance.
        for scope in Set(verified.transactions.map { Scope(app: $0.app, environment: $0.environment) }) {
            try rows.giveStartingCredits(to: receipt.account, in: scope, context)
        }
        let presentation = receipt.kind == .transactionID ? nil : Presentation(receipt, verified)
        let merged = try merge(addingAppVersion(to: verified, receipt), presented: presentation, cause: receipt.id)
        let shown = verified.transactions.map(\.key).unique
        var recorded = try deliver(
            shown.compactMap { merged.records[$0] }, unclaimed: shown.compactMap { merged.unclaimed[$0] },
            besides: merged.records.values.filter { !shown.contains($0.transaction.key) }, new: merged.new,
            remedies: merged.remedies, changes: merged.written, presentedBy: receipt.account, receipt: receipt.id)
        if let shown = verified.appTransaction {
            let scope = Scope(app: shown.app, environment: shown.environment)
            try rows.giveStartingCredits(to: receipt.account, in: scope, showing: shown.id, context)
            try rows.write(shown, shownBy: receipt.account, at: context.date)
        }
        if merged.changesOriginals || !merged.changed.isEmpty { recorded.changesAnything = true }
        return recorded
    }

    /// Adds the version of the app to a signed transaction, which states none: that of the newest app transaction that
    /// the account showed. Only if the app's entry speaks of versions, since it is a question more for each purchase.
    private func addingAppVersion(to verified: VerifiedReceipt, _ receipt: Receipt) throws -> VerifiedReceipt {
        guard receipt.kind == .signedTransaction, let shown = verified.transactions.first,
            context.catalog.app(shown.app)?.receiptVersions != nil,
            let version = try rows.appVersion(
                shownBy: receipt.account, in: Scope(app: shown.app, environment: shown.environment))
        else { return verified }
        var stated = verified
        for index in stated.transactions.indices {
            var details = stated.transactions[index].details ?? PurchaseDetails()
            details.appVersion = version
            stated.transactions[index].details = details
        }
        return stated
    }

    /// Delivers transactions that were recorded before, by a receipt whose bytes cannot be verified any more. Nothing
    /// is transferred.
    package func presentAgain(
        _ keys: [Transaction.Key], by account: AccountID, receipt: String
    ) throws -> RecordedReceipt {
        let known = try rows.withCopies(rows.transactions(Set(keys)))
        let records = Dictionary(known.map { ($0.transaction.key, $0) }) { first, _ in first }
        let accounts = Set(known.flatMap { [$0.owner, $0.creditedTo] } + [account])
        return try deliver(
            keys.compactMap { records[$0] }, changes: RecordedChanges(standings: rows.standings(of: accounts)),
            presentedBy: account, receipt: receipt)
    }
}

extension RecordingContext {
    /// Returns the product as it is sold now, if its type fits the transaction.
    func terms(for transaction: Transaction) -> Product? {
        catalog.product(transaction.productID, of: transaction.app)
            .flatMap { $0.type.fits(transaction) ? $0 : nil }
    }
}

/// The result of recording a receipt for the account that presented it.
package struct RecordedReceipt: Sendable {
    /// The outcomes of the transactions, in the order of the receipt.
    package var transactions: [TransactionAnswer]
    /// Whether every transaction in it belongs to another account.
    package var isConflict: Bool
    /// Whether anything is recorded that was not before: of a transaction, its owner or a delivery. A receipt that is
    /// presented again mostly changes nothing.
    package var changesAnything: Bool
    /// The account's state after everything was recorded.
    package var state: AccountAnswers
}
