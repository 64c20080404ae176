public import Foundation

/// The ledger's rules for what a verified receipt brings: merge, claim, deliver. Runs inside one database transaction.
public struct ReceiptRecorder<Rows: LedgerTransaction> {
    let rows: Rows
    let context: DecisionContext

    public init(_ rows: Rows, _ context: DecisionContext) { (self.rows, self.context) = (rows, context) }

    /// Records new copies of transactions, settles who owns them, and delivers.
    ///
    /// - Parameter mayClaim: whether showing this receipt gives a line without an owner to the account, or moves one. A
    ///   bare transaction ID does neither: whoever overhears it could show it.
    public func record(
        _ verified: VerifiedReceipt, presentedBy account: AccountID, receipt: String, mayClaim: Bool = true
    ) throws -> RecordedReceipt {
        let taken = try take(verified, claimedBy: mayClaim ? account : nil)
        let shown = verified.transactions.map(\.key).unique
        return try deliver(
            shown.compactMap { taken.records[$0] }, unclaimed: shown.compactMap { taken.unclaimed[$0] },
            besides: taken.records.values.filter { !shown.contains($0.transaction.key) }, presentedBy: account,
            receipt: receipt)
    }

    /// Settles and delivers what was recorded before, as if the same copies came again.
    ///
    /// - Parameter signedDates: when the copies were signed that this receipt holds.
    public func presentAgain(
        _ signedDates: [(key: Transaction.Key, signedDate: Date)], by account: AccountID, receipt: String
    ) throws -> RecordedReceipt {
        let known = try rows.transactions(Set(signedDates.map(\.key)))
        let records = Dictionary(known.map { ($0.transaction.key, $0) }) { first, _ in first }
        let evidence = signedDates.compactMap { copy in
            records[copy.key].map { Evidence(transaction: $0.transaction, signedDate: copy.signedDate) }
        }
        let knownLines = try rows.lines(Set(evidence.map(\.transaction.lineKey)))
        let lines = try claim(evidence, on: knownLines, terms: records.mapValues(\.terms), by: account)
        let current = signedDates.compactMap { copy in
            records[copy.key].map { record in
                var record = record
                record.owner = lines[record.transaction.lineKey]?.owner ?? record.owner
                return record
            }
        }
        return try deliver(current, presentedBy: account, receipt: receipt)
    }
}

/// What a receipt came to for the account that presented it.
public struct RecordedReceipt: Sendable {
    /// In the order of the receipt.
    public var transactions: [TransactionAnswer]
    /// Every transaction in it belongs to another account.
    public var isConflict: Bool
    /// The account's, after all was recorded.
    public var state: AccountState
}

extension DecisionContext {
    /// The product as it is sold now, where it fits what the store says was bought.
    func terms(for transaction: Transaction) -> Product? {
        catalog.product(transaction.productID, of: transaction.app)
            .flatMap { $0.type.fits(transaction) ? $0 : nil }
    }
}
