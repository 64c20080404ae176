package import Basics
package import Content
package import Foundation
import HTTPTypes
package import InAppPurchase
import NIOCore
import NIOPosix
import ServerHTTP
import Synchronization

/// The product lists, and a cache of them as bytes: each app's whole list, and those that queries narrow. A list is
/// made again when the catalog or the content changes, or when a sale begins or ends: once, however many clients ask
/// for it, and one list after the other, so that a client that asks for many different ones costs one processor at
/// most.
package final class ProductLists: Sendable {
    /// The state of everything that product lists are made from.
    package struct Revision: Hashable, Sendable {
        package var catalog: String
        package var content: Int
    }

    private struct Cache {
        var whole: [BundleID: ReadyProductList] = [:]
        var narrowed = NarrowedLists()
        var prepared: [BundleID: PreparedProducts] = [:]
    }

    private let live: LiveCatalog
    private let content: any ContentRepository
    private let publications: PublicationDates
    private let cache = Mutex(Cache())
    // Three, since each waits for the next: a whole list does not wait for narrowed ones.
    private let (preparing, making) = (SerialQueue(), SerialQueue())
    private let narrowing: SerialQueue

    /// - Parameter narrowing: the queue in which narrowed lists are made.
    package init(
        _ live: LiveCatalog, _ content: any ContentRepository, _ publications: PublicationDates,
        narrowing: SerialQueue = SerialQueue()
    ) {
        self.narrowing = narrowing
        self.live = live
        self.content = content
        self.publications = publications
    }

    /// The whole list as of now; `nil` if it is not cached.
    package func ready(_ app: BundleID, at date: Date) -> ReadyProductList? {
        cache.withLock { $0.whole[app] }.flatMap { isCurrent($0, at: date) ? $0 : nil }
    }

    /// Whether the list is the one that would be made now.
    package func isCurrent(_ list: ReadyProductList, at date: Date) -> Bool {
        list.holds(at: date) && list.revision == revision(of: live.current)
    }

    /// The whole list as of now.
    ///
    /// - Throws: 404 if there is no such app.
    package func list(_ app: BundleID, at date: Date) async throws -> ReadyProductList {
        if let list = ready(app, at: date) { return list }
        return try await making.runIfPossible { [self] in
            if let list = ready(app, at: date) { return list }
            let prepared = try await prepared(app, at: date)
            let list = try await NIOThreadPool.singleton.runIfActive { try prepared.wholeList(at: date) }
            cache.withLock { cache in
                cache.whole = cache.whole.filter { $0.value.revision == list.revision }
                cache.whole[app] = list
            }
            return list
        }
    }

    /// The list for a query as of now, ready in the content coding that the client prefers.
    ///
    /// - Throws: 404 if there is no such app, or the app has no such placement; 503 if too many different lists are
    ///   being made.
    package func list(
        _ app: BundleID, for query: ProductListQuery, acceptEncoding: String?, at date: Date
    ) async throws -> NarrowedList {
        let prepared = try await prepared(app, at: date)
        let clients = prepared.classes.class(of: query)
        guard query.placement == nil || clients.placement != nil else { throw Problem.unknownPlacement }
        let key = NarrowedLists.Key(app: app, clients: clients, coding: TextCoding(acceptEncoding: acceptEncoding))
        if let list = narrowed(key, prepared.revision, at: date) { return list }
        do {
            return try await narrowing.run { [self] in
                if let list = narrowed(key, prepared.revision, at: date) { return list }
                let list = try await NIOThreadPool.singleton.runIfActive {
                    try prepared.narrowedList(for: query, acceptEncoding: acceptEncoding, at: date)
                }
                cache.withLock { $0.narrowed.insert(list, for: key) }
                return list
            }
        } catch is SerialQueue.Unavailable { throw Problem.tooManyLists }
    }

    private func narrowed(_ key: NarrowedLists.Key, _ revision: Revision, at date: Date) -> NarrowedList? {
        let list = cache.withLock { $0.narrowed.list(for: key) }
        return list.flatMap { $0.revision == revision && $0.holds(at: date) ? $0 : nil }
    }

    /// The list for a query at any date, not cached.
    ///
    /// - Throws: 404 if there is no such app, or the app has no such placement.
    package func preview(_ app: BundleID, for query: ProductListQuery, at date: Date) async throws -> ProductListBody {
        let file = live.current
        let offered = try file.offered(app)
        let offer = try ProductOffer(offered, for: query, at: date)
        // Only versions for everybody, since the list is for everybody.
        let reader = VersionChoice.Reader(appVersion: query.client.appVersion)
        var newest: [BundleName: VersionRecord] = [:]
        for bundle in Set(offered.openBundles + offer.indices.flatMap { offered.products[$0].bundles }) {
            newest[bundle] = VersionChoice(try await publications.records(of: bundle, at: date), for: reader).newest
        }
        return ProductListBody(offered, file.revision, offer, contents: newest)
    }

    private func revision(of file: CatalogFile) -> Revision {
        Revision(catalog: file.revision, content: content.revision)
    }

    /// - Throws: 404 if there is no such app.
    private func prepared(_ app: BundleID, at date: Date) async throws -> PreparedProducts {
        if let known = knownPreparation(of: app) { return known }
        // A request for an unknown app does not wait for others.
        _ = try live.current.offered(app)
        return try await preparing.runIfPossible { [self] in
            if let known = knownPreparation(of: app) { return known }
            let file = live.current
            // Read before the content, so that what is made from newer content is made again.
            let (offered, revision) = (try file.offered(app), revision(of: file))
            var records: [BundleName: [VersionRecord]] = [:]
            for bundle in Set(offered.openBundles + offered.products.flatMap(\.bundles)) {
                records[bundle] = try await publications.records(of: bundle, at: date)
            }
            let prepared = try await NIOThreadPool.singleton.runIfActive { [records] in
                PreparedProducts(
                    revision: revision, app: offered, classes: ClientClasses(offered, records.values.flatMap(\.self)),
                    texts: try ProductTexts(offered, revision.catalog, records))
            }
            cache.withLock { cache in
                cache.prepared = cache.prepared.filter { $0.value.revision == revision }
                cache.prepared[app] = prepared
            }
            return prepared
        }
    }

    private func knownPreparation(of app: BundleID) -> PreparedProducts? {
        let revision = revision(of: live.current)
        return cache.withLock { $0.prepared[app] }.flatMap { $0.revision == revision ? $0 : nil }
    }
}

extension SerialQueue {
    /// Runs `body` in its turn; at once if too many wait already, since all of them wait for the same.
    fileprivate nonisolated func runIfPossible<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        do { return try await run(body) } catch is Unavailable { return try await body() }
    }
}

extension Problem {
    fileprivate static let tooManyLists = Problem(
        .serviceUnavailable, "busy", "Too many different product lists are being made", detail: "Ask again.",
        retryAfter: 5)
}

extension CatalogFile {
    /// - Throws: 404 if there is no such app.
    fileprivate func offered(_ app: BundleID) throws -> App {
        guard let app = catalog.app(app) else { throw Problem.unknownApp }
        return app
    }
}

/// Everything that the product lists of an app are made from, in one state of catalog and content.
struct PreparedProducts: Sendable {
    let revision: ProductLists.Revision
    let app: App
    let classes: ClientClasses
    let texts: ProductTexts

    /// The list of everything that is on sale, in each content coding.
    func wholeList(at date: Date) throws -> ReadyProductList {
        try ReadyProductList(try text(for: ProductListQuery(), at: date), revision, valid: classes.period(around: date))
    }

    /// The list for a query, in the content coding that the client prefers.
    ///
    /// - Throws: 404 if the app has no such placement.
    func narrowedList(for query: ProductListQuery, acceptEncoding: String?, at date: Date) throws -> NarrowedList {
        let text = TextRepresentations(try text(for: query, at: date), ProductRoutes.type)
        let ready = try text.prepared(text.coding(acceptEncoding: acceptEncoding)) { [self] in
            try self.text(for: query, at: date)
        }
        return NarrowedList(text: ready, revision: revision, period: classes.period(around: date))
    }

    private func text(for query: ProductListQuery, at date: Date) throws -> ByteBuffer {
        let offer = try ProductOffer(app, for: query, at: date)
        return ByteBuffer(bytes: try texts.list(offer, appVersion: query.client.appVersion))
    }
}
