import Content
import Foundation
import HTTPTypes
import InAppPurchase
import NIOCore
import Synchronization

/// The product lists, and a cache of each app's list as bytes for requests without client parameters: it is encoded
/// again when the catalog or the content changes, or when a sale begins or ends.
final class ProductLists: Sendable {
    /// The state of all that product lists are made of.
    struct Revision: Hashable, Sendable {
        var catalog: String
        var content: Int
    }

    private let live: LiveCatalog
    private let content: any ContentRepository
    private let publications: PublicationDates
    private let lists = Mutex<[BundleID: ReadyProductList]>([:])

    init(_ live: LiveCatalog, _ content: any ContentRepository, _ publications: PublicationDates) {
        self.live = live
        self.content = content
        self.publications = publications
    }

    /// The list as of now; `nil` if it is not cached.
    func ready(_ app: BundleID, at date: Date) -> ReadyProductList? {
        let list = lists.withLock { $0[app] }
        return list.flatMap { $0.holds(at: date) && $0.revision == revision(of: live.current) ? $0 : nil }
    }

    /// The list as of now.
    ///
    /// - Throws: 404 if there is no such app.
    func list(_ app: BundleID, at date: Date) async throws -> ReadyProductList {
        if let list = ready(app, at: date) { return list }
        let file = live.current
        guard let offered = file.catalog.app(app) else { throw Problem.unknownApp }
        // Before the content is read, so that a list of older content is not kept.
        let revision = revision(of: file)
        let body = try await body(offered, of: file, for: Availability.Client(), at: date)
        let list = try ReadyProductList(body, of: offered, revision, at: date)
        lists.withLock { lists in
            lists = lists.filter { $0.value.revision == revision }
            lists[app] = list
        }
        return list
    }

    /// The list for a client.
    ///
    /// - Throws: 404 if there is no such app.
    func list(_ app: BundleID, for client: Availability.Client, at date: Date) async throws -> ProductListBody {
        let file = live.current
        guard let offered = file.catalog.app(app) else { throw Problem.unknownApp }
        return try await body(offered, of: file, for: client, at: date)
    }

    private func revision(of file: CatalogFile) -> Revision {
        Revision(catalog: file.revision, content: content.revision)
    }

    private func body(
        _ app: App, of file: CatalogFile, for client: Availability.Client, at date: Date
    ) async throws -> ProductListBody {
        let offered = app.products.filter { $0.availability.includes(client, at: date) }
        let bundles = Set(offered.flatMap(\.bundles))
        return ProductListBody(
            app, file.revision, offered, contents: try await newest(of: bundles, for: client, at: date))
    }

    /// The newest version of each bundle that the client's app can read and that is for everybody.
    private func newest(
        of bundles: Set<BundleName>, for client: Availability.Client, at date: Date
    ) async throws -> [BundleName: VersionRecord] {
        let reader = VersionChoice.Reader(appVersion: client.appVersion)
        var newest: [BundleName: VersionRecord] = [:]
        for bundle in bundles {
            let records = try await publications.records(of: bundle, at: date)
            newest[bundle] = VersionChoice(records, for: reader).newest
        }
        return newest
    }
}
