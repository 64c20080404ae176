import Foundation

/// A product list that a query narrows, ready to be sent in one content coding; in others it is made when it is sent.
struct NarrowedList: Sendable {
    let text: TextRepresentations
    let revision: ProductLists.Revision
    /// From the last beginning or end of a sale before the list was made to the next one; `nil` if there is none.
    let period: (from: Date?, until: Date?)

    /// The size of what is held in memory.
    var byteCount: Int { text.heldBytes }

    func holds(at date: Date) -> Bool {
        (period.from.map { date >= $0 } ?? true) && (period.until.map { date < $0 } ?? true)
    }
}
