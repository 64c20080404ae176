import Foundation

/// A product within a line.
private struct LineProduct: Hashable {
    var line: Line.Key
    var product: ProductID

    init(_ transaction: Transaction) { (line, product) = (transaction.lineKey, transaction.productID) }
}

extension ReceiptRecorder {
    /// What is no longer sold goes on for those who have it: renewals and restored copies of a product that the catalog
    /// does not have any more get the terms of the line's newest purchase of it.
    ///
    /// - Parameter lines: those of the transactions that are recorded.
    func inheritedTerms(
        _ transactions: [Transaction], _ lines: [Line.Key: Line]
    ) throws -> [Transaction.Key: Product] {
        let removed = transactions.filter { context.catalog.product($0.productID, of: $0.app) == nil }
        let owners = Set(removed.compactMap { lines[$0.lineKey]?.owner })
        let known = try owners.flatMap { try rows.transactions(of: $0) }
            .sorted { $0.transaction.purchaseDate < $1.transaction.purchaseDate }
        let terms = Dictionary(
            known.compactMap { record in record.terms.map { (LineProduct(record.transaction), $0) } }
        ) { _, newer in newer }
        return removed.reduce(into: [:]) { inherited, transaction in
            guard let earlier = terms[LineProduct(transaction)], earlier.type.fits(transaction) else {
                return
            }
            inherited[transaction.key] = earlier
        }
    }
}
