import Foundation
import HTTPTypes
package import Hummingbird
import InAppPurchase
import NIOCore
import NIOFoundationCompat
package import ServerHTTP

/// Reads and edits the entries of the catalog.
///
/// The strong entity tag of every entry is the revision of the whole catalog.
struct CatalogRoutes: RouteFeature {
    let editor: any CatalogEditing
    let live: LiveCatalog
    let clock: @Sendable () -> Date

    func add(to groups: RouteGroups) {
        let products = groups.admin.group("apps/{bundleID}/products")
        products.on(.get, "", RouteFacts("adminListProducts"), about: .appInPath) { try await list($0, $1) }
        products.on(.get, "{id}", RouteFacts("adminGetProduct"), about: .appInPath) { try await entry($0, $1) }
        let query = CatalogEditor.parameters
        let put = RouteFacts("putProduct", reads: .whole(.product))
        products.on(.put, "{id}", put, query: query, about: .appInPath) { try await self.put($0, $1) }
        products.on(.delete, "{id}", RouteFacts("deleteProduct"), query: query, about: .appInPath) {
            try await remove($0, $1)
        }
    }

    private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (file, bundleID) = (live.current, try context.pathPart("bundleID", as: BundleID.self))
        guard let index = file.catalog.apps.firstIndex(where: { $0.bundleID == bundleID }) else {
            throw Problem.unknownApp
        }
        return try await file.answer(to: request) {
            let app = file.catalog.apps[index]
            let terms = Dictionary(app.products.map { ($0.id, $0) }) { first, _ in first }
            let body = AppBody(app: app.bundleID, revision: file.revision, terms: terms)
            return try file.text?.entries(ofApp: index).map { try JSONCoding.encode(body).adding("products", $0) }
        }
    }

    private func entry(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (file, bundleID, id) = (
            live.current, try context.pathPart("bundleID", as: BundleID.self),
            try context.pathPart("id", as: ProductID.self)
        )
        guard let app = file.catalog.apps.firstIndex(where: { $0.bundleID == bundleID }) else {
            throw Problem.unknownApp
        }
        guard let index = file.index(of: id, in: app) else { throw Problem.unknownProduct }
        return try await file.answer(to: request) { file.text?.entry(index).map { ByteBuffer(data: $0) } }
    }

    private func put(_ request: Request, _ context: ServerContext) async throws -> Response {
        let id = try context.pathPart("id", as: ProductID.self)
        let body: ByteBuffer
        do {
            body = try await request.wholeBody(.product, context)
        } catch is BodySizeError {
            throw Problem.requestTooLarge
        }
        return try await editor.answer(
            request, context, at: clock(), to: edit(.put(Data(buffer: body)), of: id, request, context)
        ) { .put($0) }
    }

    private func remove(_ request: Request, _ context: ServerContext) async throws -> Response {
        let id = try context.pathPart("id", as: ProductID.self)
        return try await editor.answer(request, context, at: clock(), to: edit(.remove, of: id, request, context)) {
            .removed($0)
        }
    }

    private func edit(
        _ act: CatalogEdit.Act, of id: ProductID, _ request: Request, _ context: ServerContext
    ) throws -> CatalogEdit {
        CatalogEdit(
            app: try context.pathPart("bundleID", as: BundleID.self), product: id, act: act,
            condition: request.editCondition)
    }
}

extension BodyLimits {
    /// A catalog entry with its metadata.
    package static let product = BodyLimits(
        maximumBytes: ProductEntry.maximumBytes, maximumTime: Limits.smallBodyTime, json: ProductEntry.limits)
}

extension Response {
    /// The entry that an edit added or changed.
    package static func put(_ change: some RecordedChange) -> Response {
        Response(
            status: change.outcome == .added ? .created : .ok,
            headers: change.files.new.headers(contentType: "application/json"),
            body: ResponseBody(byteBuffer: ByteBuffer(data: change.after ?? Data())))
    }

    /// The answer to an edit that removed an entry.
    package static func removed(_ change: some RecordedChange) -> Response {
        Response(status: .noContent, headers: change.files.new.headers())
    }
}

/// The catalog of an app; the entries are added to it unchanged from the file.
private struct AppBody: Encodable {
    var app: BundleID
    var revision: String
    /// The terms that would be stored with a purchase made now: the settings with their defaults.
    var terms: [ProductID: Product]
}
