import Foundation
import HTTPTypes
import Hummingbird
import Ledger
import ServerHTTP

/// Records the player's consent: `PUT /v1/accounts/current/consumption-consent`.
///
/// With consent the App Store may be told how far a purchase was consumed if the player requests a refund for it
/// (Apple, "Send Consumption Information"); the app asks its player, and sends the answer here.
struct ConsentRoutes: RouteFeature {
    let ledger: any AccountLedger
    let clock: @Sendable () -> Date

    func add(to groups: RouteGroups) {
        let facts = RouteFacts("setConsumptionConsent", reads: .json(ConsentBody.self))
        groups.player.on(.put, "accounts/current/consumption-consent", facts) { request, context in
            let body = try await request.decodedBody(ConsentBody.self, context)
            try await ledger.setConsumptionConsent(body.consents, of: try context.account, at: clock())
            return Response(status: .noContent)
        }
    }
}

/// The consent of a player.
struct ConsentBody: JSONRequestBody { var consents: Bool }
