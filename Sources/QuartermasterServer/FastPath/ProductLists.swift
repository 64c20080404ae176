import Foundation
import HTTPTypes
import InAppPurchase
import NIOCore
import Synchronization

/// The product list of each app as bytes, for whoever does not say who they are; made anew when the catalog changes, or
/// when a sale begins or ends.
final class ProductLists: Sendable {
    private let live: LiveCatalog
    private let lists = Mutex<[BundleID: ReadyProductList]>([:])

    init(_ live: LiveCatalog) { self.live = live }

    /// The list as of now, where it was made already.
    func ready(_ app: BundleID, at date: Date) -> ReadyProductList? {
        let list = lists.withLock { $0[app] }
        return list.flatMap { $0.holds(at: date) && $0.revision == live.current.revision ? $0 : nil }
    }

    /// The list as of now.
    ///
    /// - Throws: 404 where there is no such app.
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

/// A product list that is ready to be sent.
struct ReadyProductList: Sendable {
    let revision: String
    let bytes: ByteBuffer
    /// The opaque part of its entity tag.
    let tag: String
    /// The header lines of an answer with it.
    let fields: ByteBuffer
    /// Those of an answer that says that it is the same.
    let validators: ByteBuffer
    /// The first moment of it, where a sale began or ended before it was made.
    private let from: Date?
    /// The first moment after it.
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
