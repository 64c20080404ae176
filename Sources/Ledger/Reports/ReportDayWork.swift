import InAppPurchase

/// The days that a run summed.
package struct ReportDayWork: Equatable, Sendable {
    package private(set) var days = 0
    /// The number of transactions that were counted, once for each of their dates.
    package private(set) var transactions = 0

    mutating func add(_ folds: [ReportDayFold]) {
        days += folds.count
        transactions = folds.reduce(transactions) { $0.saturatingAdding($1.count) }
    }
}
