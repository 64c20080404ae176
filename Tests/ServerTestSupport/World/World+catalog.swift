import Foundation
package import HTTPTypes
package import InAppPurchase
package import Ledger
import NIOCore
import QuartermasterServer
package import ServerCore
import ServerHTTP
import TestSupport
import Testing

extension World {
    package static func productPath(_ id: String, app: String = app) -> String {
        "/admin/v1/apps/\(app)/products/\(id)"
    }

    package func put(_ id: String, _ entry: String, as admin: Player, headers: HTTPFields = [:]) async throws -> Answer
    {
        try await send(.put, Self.productPath(id), ByteBuffer(string: entry), as: admin, headers: headers)
    }

    package func remove(_ id: String, as admin: Player, headers: HTTPFields = [:]) async throws -> Answer {
        try await call(.delete, Self.productPath(id), as: admin, headers: headers)
    }

    package func entries(as admin: Player, headers: HTTPFields = [:]) async throws -> Answer {
        try await call(.get, "/admin/v1/apps/\(World.app)/products", as: admin, headers: headers)
    }

    /// The present text of the file.
    package var catalogText: String {
        get throws { try String(contentsOf: folder.appending(path: "products.json"), encoding: .utf8) }
    }
}

extension World {
    package func write(_ products: String) throws {
        try products.write(to: folder.appending(path: "products.json"), atomically: false, encoding: .utf8)
    }

    package func lookAtCatalog(_ seen: inout CatalogWatcher.Seen) async throws {
        let watcher = try #require(assembly.services.compactMap { $0 as? CatalogWatcher }.first)
        await watcher.lookAtCatalog(&seen)
    }

    package func productList(_ query: String = "", headers: HTTPFields = [:]) async throws -> Answer {
        try await call(.get, "/v1/apps/\(World.app)/products\(query)", headers: headers)
    }
}

extension World {
    /// The audit trail's rows about the settings of apps.
    package func appRows() async throws -> [AuditRow] {
        try await ledger.auditRows(after: 0, limit: 1_000).filter { $0.kind.hasPrefix("app.") }
    }

    /// The audit trail's rows about the catalog.
    package func catalogRows() async throws -> [AuditRow] {
        try await ledger.auditRows(after: 0, limit: 1_000)
            .filter { $0.kind.hasPrefix("product.") || $0.kind.hasPrefix("catalog.") }
    }
}

extension AuditRow {
    package var json: JSONValue {
        content.flatMap { try? JSONDecoder().decode(JSONValue.self, from: Data($0.utf8)) } ?? .null
    }
}
