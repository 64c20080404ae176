import Foundation
import HTTPTypes
import InAppPurchase
import NIOCore
import Testing

@testable import AdminPages
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

extension World {
    static func productPath(_ id: String, app: String = app) -> String { "/admin/v1/apps/\(app)/products/\(id)" }

    func put(_ id: String, _ entry: String, as admin: Player, headers: HTTPFields = [:]) async throws -> Answer {
        try await send(.put, Self.productPath(id), ByteBuffer(string: entry), as: admin, headers: headers)
    }

    func remove(_ id: String, as admin: Player, headers: HTTPFields = [:]) async throws -> Answer {
        try await call(.delete, Self.productPath(id), as: admin, headers: headers)
    }

    func entries(as admin: Player, headers: HTTPFields = [:]) async throws -> Answer {
        try await call(.get, "/admin/v1/apps/\(World.app)/products", as: admin, headers: headers)
    }

    /// The present text of the file.
    var catalogText: String {
        get throws { try String(contentsOf: folder.appending(path: "products.json"), encoding: .utf8) }
    }
}
