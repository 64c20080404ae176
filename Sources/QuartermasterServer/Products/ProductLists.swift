import Content
import Foundation
import HTTPTypes
import InAppPurchase
import NIOCore
import Synchronization

/// The product lists, and a cache of them as bytes: each app's whole list, and those that queries narrow. A list is
/// made again when the catalog or the content changes, or when a sale begins or ends.
final class ProductLists: Sendable {
    /// The state of all that product lists are made of.
    struct Revision: Hashable, Sendable {
        var catalog: String
        var content: Int
    }

    private struct Cache {
        var whole: [BundleID: ReadyProductList] = [:]
        var narrowed = NarrowedLists()
        var classes: [BundleID: (revision: Revision, classes: ClientClasses)] = [:]
    }

    private let live: LiveCatalog
    private let content: any ContentRepository
    private let publications: PublicationDates
    private let cache = Mutex(Cache())

    init(_ live: LiveCatalog, _ content: any ContentRepository, _ publications: PublicationDates) {
        self.live = live
        self.content = content
        self.publications = publications
    }

    /// The whole list as of now; `nil` if it is not cached.
    func ready(_ app: BundleID, at date: Date) -> ReadyProductList? {
        let list = cache.withLock { $0.whole[app] }
        return list.flatMap { $0.holds(at: date) && $0.revision == revision(of: live.current) ? $0 : nil }
    }

    /// The whole list as of now.
    ///
    /// - Throws: 404 if there is no such app.
    func list(_ app: BundleID, at date: Date) async throws -> ReadyProductList {
        if let list = ready(app, at: date) { return list }
        let (file, revision) = state
        let offered = try file.offered(app)
        let classes = try await classes(of: offered, revision, at: date)
        let body = try await body(of: offered, in: file, for: ProductListQuery(), at: date)
        let list = try ReadyProductList(body, revision, valid: classes.period(around: date))
        cache.withLock { cache in
            cache.whole = cache.whole.filter { $0.value.revision == revision }
            cache.whole[app] = list
        }
        return list
    }

    /// The list for a query as of now.
    ///
    /// - Throws: 404 if there is no such app, or the app has no such placement.
    func list(_ app: BundleID, for query: ProductListQuery, at date: Date) async throws -> ReadyProductList {
        let (file, revision) = state
        let offered = try file.offered(app)
        let classes = try await classes(of: offered, revision, at: date)
        let key = NarrowedLists.Key(app: app, clients: classes.class(of: query))
        let cached = cache.withLock { $0.narrowed[key] }
        if let cached, cached.revision == revision, cached.holds(at: date),
            query.placement == nil || key.clients.placement != nil
        {
            return cached
        }
        let body = try await body(of: offered, in: file, for: query, at: date)
        let list = try ReadyProductList(body, revision, valid: classes.period(around: date))
        cache.withLock { $0.narrowed.insert(list, for: key) }
        return list
    }

    /// The list for a query at any date, not cached.
    ///
    /// - Throws: 404 if there is no such app, or the app has no such placement.
    func preview(_ app: BundleID, for query: ProductListQuery, at date: Date) async throws -> ProductListBody {
        let file = live.current
        return try await body(of: try file.offered(app), in: file, for: query, at: date)
    }

    /// The catalog, and the revision of it and the content: a list that is made from newer content is made again.
    private var state: (CatalogFile, Revision) {
        let file = live.current
        return (file, revision(of: file))
    }

    private func revision(of file: CatalogFile) -> Revision {
        Revision(catalog: file.revision, content: content.revision)
    }

    private func classes(of app: App, _ revision: Revision, at date: Date) async throws -> ClientClasses {
        if let known = cache.withLock({ $0.classes[app.bundleID] }), known.revision == revision { return known.classes }
        var records: [VersionRecord] = []
        for bundle in Set(app.products.flatMap(\.bundles)) {
            records += try await publications.records(of: bundle, at: date)
        }
        let classes = ClientClasses(app, records)
        cache.withLock { cache in
            cache.classes = cache.classes.filter { $0.value.revision == revision }
            cache.classes[app.bundleID] = (revision, classes)
        }
        return classes
    }

    private func body(
        of app: App, in file: CatalogFile, for query: ProductListQuery, at date: Date
    ) async throws -> ProductListBody {
        let offer = try ProductOffer(app, for: query, at: date)
        var newest: [BundleName: VersionRecord] = [:]
        // Those that are for everybody, since the list is.
        let reader = VersionChoice.Reader(appVersion: query.client.appVersion)
        for bundle in Set(offer.products.flatMap(\.bundles)) {
            newest[bundle] = VersionChoice(try await publications.records(of: bundle, at: date), for: reader).newest
        }
        return ProductListBody(app, file.revision, offer, contents: newest)
    }
}

extension CatalogFile {
    /// - Throws: 404 if there is no such app.
    fileprivate func offered(_ app: BundleID) throws -> App {
        guard let app = catalog.app(app) else { throw Problem.unknownApp }
        return app
    }
}
