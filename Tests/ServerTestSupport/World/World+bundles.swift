import HTTPTypes
package import InAppPurchase
import ServerHTTP
import Testing

extension World {
    /// A player who bought the product, which is named within the app.
    package func buyer(
        of product: String, _ type: String = "non-consumable", _ more: [String: JSONValue] = [:]
    ) async throws -> Player {
        let player = try await newPlayer()
        let bought = try await buy(product, type, more)
        #expect(try await post(bought.signedTransaction, as: player).status == 200)
        return player
    }

    package func manifest(of bundle: String, _ query: String = "", as player: Player) async throws -> Answer {
        try await call(.get, "/v1/bundles/\(bundle)\(query)", as: player)
    }
}
