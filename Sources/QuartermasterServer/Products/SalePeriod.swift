import Foundation

/// The time in which a product list stays as it is: no sale begins or ends.
struct SalePeriod: Sendable {
    /// The last beginning or end of a sale before the list was made; `nil` if there was none.
    let from: Date?
    /// The next beginning or end of a sale; `nil` if there is none.
    let until: Date?

    func contains(_ date: Date) -> Bool { (from.map { date >= $0 } ?? true) && (until.map { date < $0 } ?? true) }
}
