import Foundation
import HTTPTypes
import InAppPurchase
import NIOCore
import Synchronization

/// A cache of each app's product list as bytes, for requests without client parameters; encoded again when the catalog
/// changes, or when a sale begins or ends.
final class ProductLists: Sendable {
    private let live: LiveCatalog
    private let lists = Mutex<[BundleID: ReadyProductList]>([:])

    init(_ live: LiveCatalog) { self.live = live }

    /// The list as of now; `nil` if it is not cached.
    func ready(_ app: BundleID, at date: Date) -> ReadyProductList? {
        let list = lists.withLock { $0[app] }
        return list.flatMap { $0.holds(at: date) && $0.revision == live.current.revision ? $0 : nil }
    }

    /// The list as of now.
    ///
    /// - Throws: 404 if there is no such app.
    func list(_ app: BundleID, at date: Date) throws -> ReadyProductList {
        if let list = ready(app, at: date) { return list }
        let file = live.current
        guard let offered = file.catalog.app(app) else { throw Problem.unknownApp }
        let list = try ReadyProductList(of: offered, revision: file.revision, at: date)
        lists.withLock { lists in
            lists = lists.filter { $0.value.revision == file.revision }
            lists[app] = list
        }
        return list
    }
}
