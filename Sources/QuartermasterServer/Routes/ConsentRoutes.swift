import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase

/// What the player allows: `PUT /v1/accounts/current/consumption-consent`.
///
/// With consent the store may be told what became of a purchase that the player wants the money back for (Apple, "Send
/// Consumption Information"); the app asks its player, and says so here.
struct ConsentRoutes: Sendable {
    let ledger: any Ledger
    let clock: @Sendable () -> Date

    func add(to router: RouterGroup<ServerContext>) {
        router.put("accounts/current/consumption-consent") { request, context in
            let body = try await request.decodedBody(ConsentBody.self, context)
            try await ledger.setConsumptionConsent(body.consents, of: try context.account, at: clock())
            return Response(status: .noContent)
        }
    }
}
