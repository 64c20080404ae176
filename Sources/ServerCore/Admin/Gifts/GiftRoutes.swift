import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
package import ServerHTTP
import StrictJSON

/// Gives each account of a list a product or credits.
struct GiftRoutes: RouteFeature {
    let gifts: Gifts

    func add(to groups: RouteGroups) {
        let facts = RouteFacts("giveToAccounts", reads: .json(GiftRequestBody.self))
        groups.admin.on(.post, "gifts", facts, from: .support, query: ["dryRun"], about: .narrowed) {
            request, context in
            let (isDryRun, key) = (try request.isDryRun, try request.idempotencyKey)
            let body = try await request.decodedBody(GiftRequestBody.self, context)
            let administrator = try context.administrator
            let scope = try gifts.acts.scope(
                bundleID: body.app, environment: body.environment, member: "app", by: administrator)
            return try .adminJSON(
                await gifts.answer(
                    to: Gift(try body.content, in: scope, key: key), for: try AccountList(names: body.accounts),
                    by: administrator, reason: body.reason, isDryRun: isDryRun))
        }
    }
}

/// The accounts, and the product or the credits that each of them is given.
struct GiftRequestBody: JSONRequestBody {
    static let limits = BodyLimits.accounts

    /// The IDs or external IDs; an empty one is passed over.
    var accounts: [String]
    var reason: String
    /// Needed if several apps are served.
    var app: BundleID?
    var environment: String?
    var product: ProductID?
    /// An RFC 3339 time; without it the access does not end.
    var until: String?
    var currency: Currency?
    var amount: Int?

    /// - Throws: 422 unless there is either a product or credits, or if ``until`` is not a time.
    var content: Gift.Content {
        get throws {
            switch (product, currency, amount) {
            case (let product?, nil, nil):
                return .product(product, until: try until.map { try Date(grantEnd: $0) })
            case (nil, let currency?, let amount?) where until == nil: return .credits(currency, amount: amount)
            default: throw Problem.wrongGift
            }
        }
    }
}

extension BodyLimits {
    /// The body with a list of accounts; the limit of members is higher, so that a few lines too many are told apart
    /// from a body that cannot be read.
    package static let accounts = BodyLimits(
        maximumBytes: AccountList.maximumBytes, maximumTime: Limits.smallBodyTime,
        json: JSONLimits(maximumMembers: 2_000))
}

extension Problem {
    package static let wrongGift = Problem(
        .unprocessableContent, "invalid_request", "Each account is given either a product or credits",
        detail: "product: a product, and until when; or else a currency and an amount")
}
