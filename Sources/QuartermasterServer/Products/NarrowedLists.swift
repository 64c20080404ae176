import InAppPurchase

/// A cache of product lists that a query narrows, all of one state of catalog and content. It is emptied when it is
/// full, and when that state changes.
struct NarrowedLists {
    /// Enough for the app versions, storefronts and placements that players use at a time.
    static let maximumLists = 1_000
    /// In bytes, in all content codings together.
    static let maximumBytes = 32 << 20

    /// An app, and the class of its clients.
    struct Key: Hashable {
        var app: BundleID
        var clients: ClientClasses.Class
    }

    private var lists: [Key: ReadyProductList] = [:]
    private var revision: ProductLists.Revision?
    private(set) var bytes = 0

    var count: Int { lists.count }

    subscript(_ key: Key) -> ReadyProductList? { lists[key] }

    /// Adds a list, or replaces it; one that is larger than the cache is not added.
    mutating func insert(_ list: ReadyProductList, for key: Key) {
        if revision != list.revision { removeAll() }
        revision = list.revision
        if let old = lists.removeValue(forKey: key) { bytes -= old.byteCount }
        guard list.byteCount <= Self.maximumBytes else { return }
        if lists.count >= Self.maximumLists || bytes + list.byteCount > Self.maximumBytes { removeAll() }
        lists[key] = list
        bytes += list.byteCount
    }

    private mutating func removeAll() { (lists, bytes) = ([:], 0) }
}
