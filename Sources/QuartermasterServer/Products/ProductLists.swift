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

/// A product list as bytes, ready to be sent.
struct ReadyProductList: Sendable {
    let revision: String
    let bytes: ByteBuffer
    /// The opaque part of its entity tag.
    let tag: String
    /// The header lines of a 200.
    let fields: ByteBuffer
    /// The header lines of a 304.
    let validators: ByteBuffer
    /// The last beginning or end of a sale before the list was made; `nil` if there was none. The list is valid from
    /// then on.
    private let from: Date?
    /// The next beginning or end of a sale; `nil` if there is none. The list is valid until then.
    private let until: Date?

    init(of app: App, revision: String, at date: Date) throws {
        let changes = app.products.flatMap { [$0.availability.from, $0.availability.until] }.compactMap { $0 }
        from = changes.filter { $0 <= date }.max()
        until = changes.filter { $0 > date }.min()
        bytes = try ProductListBody(app, revision, for: Availability.Client(), at: date).encoded()
        self.revision = revision
        tag = bytes.entityTag
        validators = AnswerHead.lines(ProductRoutes.validators(tag))
        fields = AnswerHead.lines(ProductRoutes.headers(tag))
    }

    func holds(at date: Date) -> Bool { (from.map { date >= $0 } ?? true) && (until.map { date < $0 } ?? true) }
}
