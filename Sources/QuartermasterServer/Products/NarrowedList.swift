import Foundation

/// A product list that a query narrows, ready to be sent in one content coding; in others it is encoded when it is
/// sent.
struct NarrowedList: Sendable {
    let text: TextRepresentations
    let revision: ProductLists.Revision
    let period: SalePeriod

    /// The size of what is held in memory.
    var byteCount: Int { text.heldBytes }

    func holds(at date: Date) -> Bool { period.contains(date) }
}
