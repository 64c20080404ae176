import Crypto
import Foundation
import HTTPTypes
import InAppPurchase
import NIOCore
import Testing

@testable import QuartermasterServer

extension World {
    /// An administrator; as a ``Player``, so that the helpers of requests serve for both.
    func newCatalogAdmin(_ name: String = "alice", _ role: AdminToken.Role = .write) async throws -> Player {
        let token = AccessToken(systemRandomBytes).text
        try await ledger.createAdminToken(
            AdminToken(name: name, role: role, createdAt: clock.now), digest: AccessToken.digest(of: token),
            by: .command(user: "test"))
        return Player(account: "", token: token, recoveryCode: "")
    }

    static func productPath(_ id: String, app: String = app) -> String { "/admin/v1/apps/\(app)/products/\(id)" }

    func put(
        _ id: String, _ entry: String, as admin: Player, headers: HTTPFields = [:]
    ) async throws -> Answer {
        try await send(.put, Self.productPath(id), ByteBuffer(string: entry), as: admin, headers: headers)
    }

    func remove(_ id: String, as admin: Player, headers: HTTPFields = [:]) async throws -> Answer {
        try await call(.delete, Self.productPath(id), as: admin, headers: headers)
    }

    func entries(as admin: Player, headers: HTTPFields = [:]) async throws -> Answer {
        try await call(.get, "/admin/v1/apps/\(World.app)/products", as: admin, headers: headers)
    }

    /// What stands in the file now.
    var catalogText: String {
        get throws { try String(contentsOf: folder.appending(path: "products.json"), encoding: .utf8) }
    }
}
