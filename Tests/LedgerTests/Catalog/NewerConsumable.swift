import Consumable
import Foundation
import InAppPurchase

/// The handler of consumables in a later version of the server: its standings have another form.
struct NewerConsumable: CondensingHandler {
    struct Standing: Codable, Hashable {
        var purchases: Int
        var rest: Consumable.Standing
    }

    static let productType = ProductType.consumable
    static let standingVersion = Consumable.standingVersion + 1

    var settings: Consumable

    init(from decoder: any Decoder) throws { settings = try Consumable(from: decoder) }

    func encode(to encoder: any Encoder) throws { try settings.encode(to: encoder) }

    func isRevoked(_ transaction: Transaction) -> Bool { settings.isRevoked(transaction) }

    private static func plain(_ purchase: Purchase<Self>) -> Purchase<Consumable> {
        Purchase(transaction: purchase.transaction, terms: purchase.terms.settings, credits: purchase.credits)
    }

    static func standing(of history: PurchaseHistory<Self>) -> Standing {
        Standing(
            purchases: history.purchases.count,
            rest: Consumable.standing(of: PurchaseHistory(purchases: history.purchases.map(plain))))
    }

    static func standing(_ standing: Standing, adding purchase: Purchase<Self>) -> Standing? {
        Consumable.standing(standing.rest, adding: plain(purchase)).map {
            Standing(purchases: standing.purchases + 1, rest: $0)
        }
    }

    static func access(
        to product: ProductID, given standing: Standing, renewals: [TransactionID: RenewalFacts], at date: Date
    ) -> Access? {
        Consumable.access(to: product, given: standing.rest, renewals: renewals, at: date)
    }
}
