import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import NIOCore
import NIOFoundationCompat
package import ServerHTTP

/// Reads and edits the settings of apps: their entries in the catalog without the products.
///
/// The strong entity tag of every entry is the revision of the whole catalog.
struct AppRoutes: RouteFeature {
    let editor: any CatalogEditing
    let live: LiveCatalog
    let clock: @Sendable () -> Date

    func add(to groups: RouteGroups) {
        let router = groups.admin
        router.on(.get, "apps", RouteFacts("listApps"), about: .narrowed) { try await list($0, $1) }
        router.on(.get, "apps/{bundleID}", RouteFacts("getApp"), about: .appInPath) { try await show($0, $1) }
        let query = CatalogEditor.parameters
        let put = RouteFacts("putApp", reads: .whole(.app))
        router.on(.put, "apps/{bundleID}", put, query: query, about: .appInPath) { try await self.put($0, $1) }
        router.on(.delete, "apps/{bundleID}", RouteFacts("deleteApp"), query: query, about: .appInPath) {
            try await remove($0, $1)
        }
    }

    private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (file, reach) = (live.current, try context.administrator.reach)
        return try await file.answer(to: request) { try AppListBody(file, of: reach).map { try JSONCoding.encode($0) } }
    }

    private func show(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (file, bundleID) = (live.current, try context.pathPart("bundleID", as: BundleID.self))
        guard let index = file.catalog.apps.firstIndex(where: { $0.bundleID == bundleID }) else {
            throw Problem.unknownApp
        }
        return try await file.answer(to: request) {
            file.text?.settingsEntry(ofApp: index).map { ByteBuffer(data: $0) }
        }
    }

    private func put(_ request: Request, _ context: ServerContext) async throws -> Response {
        // A path that names nothing is refused before the body is read.
        let app = try context.pathPart("bundleID", as: BundleID.self)
        let body: ByteBuffer
        do {
            body = try await request.wholeBody(.app, context)
        } catch is BodySizeError {
            throw Problem.requestTooLarge
        }
        let edit = AppEdit(app: app, act: .put(Data(buffer: body)), condition: request.editCondition)
        return try await editor.answer(request, context, at: clock(), to: edit) { .put($0) }
    }

    private func remove(_ request: Request, _ context: ServerContext) async throws -> Response {
        let edit = AppEdit(
            app: try context.pathPart("bundleID", as: BundleID.self), act: .remove, condition: request.editCondition)
        return try await editor.answer(request, context, at: clock(), to: edit) { .removed($0) }
    }
}

extension BodyLimits {
    /// The settings of an app.
    package static let app = BodyLimits(
        maximumBytes: AppEntry.maximumBytes, maximumTime: Limits.smallBodyTime, json: ProductEntry.limits)
}
