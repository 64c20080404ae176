import Content
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import NIOCore
import NIOFoundationCompat
import NIOPosix

/// Reads and edits the entries of the catalog.
///
/// The strong entity tag of every entry is the revision of the whole catalog.
struct CatalogRoutes: Sendable {
    let editor: any CatalogEditing
    let live: LiveCatalog
    let clock: @Sendable () -> Date

    func add(to router: AdminRouter) {
        let products = router.group("apps/{bundleID}/products")
        products.get { request, context in try await list(request, context) }
        products.get("{id}") { request, context in try await entry(request, context) }
        products.put("{id}") { request, context in try await put(request, context) }
        products.delete("{id}") { request, context in try await remove(request, context) }
    }

    private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (file, bundleID) = (live.current, try context.pathPart("bundleID", as: BundleID.self))
        guard let place = file.catalog.apps.firstIndex(where: { $0.bundleID == bundleID }) else {
            throw Problem.unknownApp
        }
        return try await answer(request, file) {
            let app = file.catalog.apps[place]
            let terms = Dictionary(app.products.map { ($0.id, $0) }) { first, _ in first }
            let body = AppBody(app: app.bundleID, revision: file.revision, terms: terms)
            return try file.text?.entries(ofApp: place).map { try JSONCoding.encode(body).adding("products", $0) }
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
        guard let place = file.place(of: id, in: app) else { throw Problem.unknownProduct }
        return try await answer(request, file) { file.text?.entry(place).map { ByteBuffer(data: $0) } }
    }

    private func put(_ request: Request, _ context: ServerContext) async throws -> Response {
        let id = try context.pathPart("id", as: ProductID.self)
        let body: ByteBuffer
        do {
            body = try await request.wholeBody(.product, context)
        } catch is BodySizeError {
            throw Problem.requestTooLarge
        }
        let change = try await apply(.put(Data(buffer: body)), to: id, request, context)
        return Response(
            status: change.outcome == .added ? .created : .ok,
            headers: Self.headers(change.files.new, contentType: "application/json"),
            body: ResponseBody(byteBuffer: ByteBuffer(data: change.after ?? Data())))
    }

    private func remove(_ request: Request, _ context: ServerContext) async throws -> Response {
        let change = try await apply(.remove, to: context.pathPart("id", as: ProductID.self), request, context)
        return Response(status: .noContent, headers: Self.headers(change.files.new))
    }

    private func apply(
        _ act: CatalogEdit.Act, to id: ProductID, _ request: Request, _ context: ServerContext
    ) async throws -> CatalogChange {
        let (ifMatch, ifNoneMatch) = (request.headers[.ifMatch], request.headers[.ifNoneMatch])
        let edit = CatalogEdit(app: try context.pathPart("bundleID", as: BundleID.self), product: id, act: act) {
            exists, revision in
            // `*` is a precondition on the product itself (RFC 9110 §13.1.1 and §13.1.2), an entity tag on the
            // revision.
            if ifMatch == "*" || ifNoneMatch == "*" {
                guard exists == (ifMatch == "*") else { return false }
            }
            let tags = Preconditions(
                ifMatch: ifMatch == "*" ? nil : ifMatch, ifNoneMatch: ifNoneMatch == "*" ? nil : ifNoneMatch)
            return tags.outcome(method: request.method.rawValue, etag: revision, size: 0) == .whole
        }
        return try await editor.apply(edit, by: context.actor, at: clock())
    }

    /// - Parameter body: returns `nil` if the file is not UTF-8 and its entries cannot be shown unchanged.
    private func answer(
        _ request: Request, _ file: CatalogFile, _ body: @escaping @Sendable () throws -> ByteBuffer?
    ) async throws -> Response {
        let outcome = Preconditions(request.headers)
            .outcome(method: request.method.rawValue, etag: file.revision, size: 0)
        switch outcome {
        case .notModified: return Response(status: .notModified, headers: Self.headers(file))
        case .preconditionFailed: throw CatalogRefusal.preconditionFailed(revision: file.revision)
        case .whole, .part, .rangeNotSatisfiable:
            guard let bytes = try await NIOThreadPool.singleton.runIfActive(body) else {
                throw CatalogRefusal.invalidCatalog("the file is not in UTF-8")
            }
            return Response(
                status: .ok, headers: Self.headers(file, contentType: "application/json"),
                body: ResponseBody(byteBuffer: bytes))
        }
    }

    private static func headers(_ file: CatalogFile, contentType: String? = nil) -> HTTPFields {
        var headers: HTTPFields = [.eTag: "\"\(file.revision)\"", .cacheControl: "no-store"]
        headers[.contentType] = contentType
        return headers
    }
}

/// The catalog of an app; the entries are added to it unchanged from the file.
private struct AppBody: Encodable {
    var app: BundleID
    var revision: String
    /// The terms that would be stored with a purchase made now: the settings with their defaults.
    var terms: [ProductID: Product]
}

extension ByteBuffer {
    /// The JSON object with one more member, whose value is JSON already.
    fileprivate func adding(_ name: String, _ json: Data) -> ByteBuffer {
        var object = ByteBuffer(string: "{\"\(name)\":")
        object.writeBytes(json)
        object.writeString(",")
        object.writeBytes(readableBytesView.dropFirst())
        return object
    }
}
