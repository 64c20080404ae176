import Content
import Foundation
import InAppPurchase

/// A cache of product lists that a query narrows, all of one state of catalog and content. If it is full, the least
/// recently used ones are removed; it is emptied when that state changes.
struct NarrowedLists {
    /// Enough for the app versions, storefronts and placements that players use at a time.
    static let maximumLists = 1_000
    /// The maximum bytes of all lists together.
    static let maximumBytes = 32 << 20

    /// An app, the class of its clients, and the content coding that they prefer.
    struct Key: Hashable {
        var app: BundleID
        var clients: ClientClasses.Class
        var coding: TextCoding
    }

    private struct Entry {
        let list: NarrowedList
        var lastUse: Int
    }

    private var lists: [Key: Entry] = [:]
    private var revision: ProductLists.Revision?
    private var uses = 0
    private(set) var bytes = 0

    var count: Int { lists.count }

    /// The list; `nil` if it is not cached.
    mutating func list(for key: Key) -> NarrowedList? {
        uses &+= 1
        lists[key]?.lastUse = uses
        return lists[key]?.list
    }

    /// Adds a list, or replaces it; one that is larger than the cache is not added.
    mutating func insert(_ list: NarrowedList, for key: Key) {
        if revision != list.revision { (lists, bytes) = ([:], 0) }
        revision = list.revision
        remove(key)
        guard list.byteCount <= Self.maximumBytes else { return }
        while lists.count >= Self.maximumLists || bytes + list.byteCount > Self.maximumBytes,
            let oldest = lists.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
        { remove(oldest) }
        uses &+= 1
        lists[key] = Entry(list: list, lastUse: uses)
        bytes += list.byteCount
    }

    private mutating func remove(_ key: Key) {
        if let old = lists.removeValue(forKey: key) { bytes -= old.list.byteCount }
    }
}

/// A product list that a query narrows, ready to be sent in one content coding; in others it is encoded when it is
/// sent.
package struct NarrowedList: Sendable {
    let text: TextRepresentations
    let revision: ProductLists.Revision
    let period: SalePeriod

    /// The size of what is held in memory.
    var byteCount: Int { text.heldBytes }

    func holds(at date: Date) -> Bool { period.contains(date) }
}
