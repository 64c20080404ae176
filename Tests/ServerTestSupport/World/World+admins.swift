import Foundation
package import HTTPTypes
package import InAppPurchase
package import Ledger
import NIOCore
import ServerCore
import ServerHTTP
import Testing

extension World {
    /// An administrator; as a ``Player``, so that one way of calling serves for both.
    ///
    /// - Parameter apps: those that the token is for; by default all.
    package func newAdmin(
        _ role: AdminToken.Role = .write, name: String = "alice", for apps: [BundleID] = []
    ) async throws -> Player {
        let token = AccessToken(systemRandomBytes).text
        try await ledger.createAdminToken(
            AdminToken(name: name, role: role, reach: AdminReach(apps), createdAt: clock.now),
            digest: AccessToken.digest(of: token), by: .command(user: "root"))
        return Player(account: "", token: token, recoveryCode: "")
    }

    /// An act on an account; `path` is the part after it.
    package func act(
        _ path: String, _ method: HTTPRequest.Method = .post, on player: Player, _ more: [String: JSONValue] = [:],
        as admin: Player, key: String? = nil
    ) async throws -> Answer {
        let body = ["reason": JSONValue.string("ticket 7")].merging(more) { $1 }
        return try await call(
            method, "/admin/v1/accounts/\(player.account)/\(path)", .object(body), as: admin,
            headers: key.map { HTTPFields.key($0) } ?? [:])
    }

    /// The receipt that the store signs for the player's device now.
    package func freshAppReceipt(of player: Player) async throws -> String {
        try await freshAppReceipt(ofCustomer: player.account)
    }

    package func freshAppReceipt(ofCustomer name: String) async throws -> String {
        let path = "/simulator/v1/customers/\(name)/receipt?bundleID=\(World.app)"
        return try await store.execute(uri: path, method: .get) { response in
            let answer = try JSONDecoder().decode(JSONValue.self, from: Data(response.body.readableBytesView))
            return try #require(answer["appReceipt"].text, "\(answer)")
        }
    }

    package func move(_ originalID: String, to player: Player, as admin: Player) async throws -> Answer {
        try await call(
            .post, "/admin/v1/original-transactions/Production/\(originalID)/transfer",
            ["to": .string(player.account), "reason": "ticket 7"], as: admin)
    }
}
