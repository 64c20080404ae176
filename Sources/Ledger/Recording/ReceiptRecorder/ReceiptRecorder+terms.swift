import Foundation
import InAppPurchase

/// A product within an original transaction.
private struct OriginalTransactionProduct: Hashable {
    var original: OriginalTransaction.Key
    var product: ProductID

    init(_ transaction: Transaction) {
        original = transaction.originalTransactionKey
        product = transaction.productID
    }
}

extension ReceiptRecorder {
    /// Returns terms for products that are no longer in the catalog: renewals and restored copies of such a product
    /// inherit the terms of the original transaction's newest purchase of it.
    ///
    /// - Parameter originals: those of the original transactions that are recorded.
    func inheritedTerms(
        _ transactions: [Transaction], _ originals: [OriginalTransaction.Key: OriginalTransaction]
    ) throws -> [Transaction.Key: Product] {
        let removed = transactions.filter { context.catalog.product($0.productID, of: $0.app) == nil }
        let keys = Set(removed.map(\.originalTransactionKey)).intersection(originals.keys)
        let known = try rows.newestTransactions(ofOriginals: keys)
            .sorted { $0.transaction.purchaseDate < $1.transaction.purchaseDate }
        let terms = Dictionary(
            known.compactMap { record in record.terms.map { (OriginalTransactionProduct(record.transaction), $0) } }
        ) { _, newer in newer }
        return removed.reduce(into: [:]) { inherited, transaction in
            guard let earlier = terms[OriginalTransactionProduct(transaction)], earlier.type.fits(transaction) else {
                return
            }
            inherited[transaction.key] = earlier
        }
    }
}
