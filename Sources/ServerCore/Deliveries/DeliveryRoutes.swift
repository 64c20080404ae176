import Basics
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import ServerHTTP

/// Records that a client has the files of a manifest it was issued.
struct DeliveryRoutes: RouteFeature {
    let ledger: any DeliveryLedger
    let clock: @Sendable () -> Date

    /// Adds the route for players.
    func add(to groups: RouteGroups) {
        let confirm = RouteFacts("confirmDelivery", reads: .json(ConfirmationBody.self))
        groups.player.on(.post, "deliveries/{id}/confirm", confirm) { try await self.confirm($0, $1) }
    }

    private func confirm(_ request: Request, _ context: ServerContext) async throws -> Response {
        struct Confirmed: Encodable {
            var delivery: String
            var confirmed: Date
        }
        let sha256 = try await request.decodedBody(ConfirmationBody.self, context).sha256.lowercased()
        guard sha256.isSHA256 else { throw Problem.invalidRequest("sha256: 64 hexadecimal digits") }
        let id = try context.pathPart("id")
        let outcome = try await ledger.confirmDelivery(id, sha256: sha256, by: try context.account, at: clock())
        switch outcome {
        case .confirmed(let date): return try .json(Confirmed(delivery: id, confirmed: date))
        case .mismatch: throw Problem.deliveryMismatch
        case nil: throw Problem.notFound
        }
    }
}

extension Problem {
    fileprivate static let deliveryMismatch = Problem(
        .unprocessableContent, "delivery_mismatch", "The confirmation does not match the issued manifest",
        detail: "Get the manifest again, and what differs.")
}

/// The hash of the manifest that a client confirms to have.
struct ConfirmationBody: JSONRequestBody { var sha256: String }
