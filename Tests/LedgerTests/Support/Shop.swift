import AutoRenewableSubscription
import Consumable
import Foundation
import InAppPurchase
import NonConsumable
import NonRenewingSubscription
import TestSupport

let standardHandlers: [any ProductHandler.Type] = [
    Consumable.self, NonConsumable.self, NonRenewingSubscription.self, AutoRenewableSubscription.self,
]

/// Two apps: `hangman`, closed to the sandbox, and `chess`, open to it.
let shop = #"""
    {"apps": [
      {"bundleID": "hangman", "products": [
       {"id": "hints", "type": "consumable", "credits": {"hints": 10}},
       {"id": "coins", "type": "consumable", "credits": {"coins": 5}, "ownership": "transfer"},
       {"id": "words", "type": "non-consumable", "bundles": ["hard-words"]},
       {"id": "starter", "type": "non-consumable", "credits": {"hints": 3}, "bundles": ["starter"]},
       {"id": "night", "type": "non-renewing", "duration": "P1M", "bundles": ["night-theme"]},
       {"id": "club.month", "type": "auto-renewable", "group": "club", "level": 2, "credits": {"gems": 7}},
       {"id": "club.year", "type": "auto-renewable", "group": "club", "level": 1, "credits": {"gems": 90}}]},
      {"bundleID": "chess", "sandbox": "everyone", "products": [
       {"id": "hints", "type": "consumable", "credits": {"hints": 1}}]}]}
    """#

/// The shop as decoded; `sandbox` replaces that of chess.
func catalog(_ json: String = shop, sandbox: String = #""everyone""#) throws -> Catalog {
    let text = json.replacing(#""sandbox": "everyone""#, with: #""sandbox": \#(sandbox)"#)
    return try JSONDecoder().decode(Catalog.self, from: Data(text.utf8), configuration: standardHandlers)
}

/// The shop with hangman's hints under a policy such as `{"refund": "clamp"}`.
func catalog(hints: String) throws -> Catalog {
    let opening = #""bundleID": "hangman","#
    return try catalog(shop.replacing(opening, with: opening + #" "currencies": {"hints": \#(hints)},"#))
}

/// Midnight (UTC) this many days after 1 January 2026.
func day(_ number: Int) -> Date { Date(milliseconds: 1_767_225_600_000 + number * 86_400_000) }

/// When most tests take place.
let today = day(100)

/// An account's UUID, which differs by its last digit.
func account(_ digit: UInt8) -> AccountID {
    AccountID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, digit)))
}

/// A copy of a purchase made on day 90, signed the day after unless said otherwise.
///
/// - Parameter share: of a refund, in thousandths of a percent.
func bought(
    _ product: ProductID, _ id: TransactionID, original: TransactionID? = nil, app: BundleID = "hangman",
    _ environment: InAppPurchase.Environment = .production, type: ProductType? = nil, on purchaseDate: Date = day(90),
    until end: Date? = nil, quantity: Int = 1, revoked: Date? = nil, share: Int? = nil, upgraded: Bool = false,
    ownershipType: Transaction.OwnershipType = .purchased, token: UInt8? = nil, signed: Date = day(91),
    isSigned: Bool = true, order: String? = nil
) -> Transaction {
    var transaction = Transaction(
        id: id, originalID: original ?? id, app: app, environment: environment, productID: product, productType: type,
        quantity: quantity, purchaseDate: purchaseDate, expirationDate: end,
        revocation: revoked.map { Transaction.Revocation(date: $0, reason: 0, percentage: share) },
        isUpgraded: upgraded, ownershipType: ownershipType, appAccountToken: token.map { account($0).uuid },
        signedDate: signed, isSigned: isSigned)
    guard let order else { return transaction }
    transaction.details = PurchaseDetails()
    transaction.details?.orderID = order
    return transaction
}

/// The receipt that account `digit` sends; the name stands for the bytes.
func receipt(
    _ name: String, by digit: UInt8 = 1, kind: Receipt.Kind = .signedTransaction, id: String? = nil,
    mayTransfer: Bool = true, isForDevice: Bool = false
) -> Receipt {
    Receipt(
        id: id ?? "r_\(name)_\(digit)", account: account(digit), kind: kind, content: name, digest: Data(name.utf8),
        mayTransfer: mayTransfer, isForDevice: isForDevice)
}
