import Foundation
import InAppPurchase
import TestSupport

/// Transactions with any facts that a store may state, each present or absent by chance.
enum RandomFacts {
    static let texts = [
        "", "a", "with \"quotes\"", "back\\slash", "a/b", "\u{7F}", "é", "日本", "😀", "e\u{301}", "\u{2028}", "\u{FEFF}",
        "</script>", "\u{10FFFF}", (UInt8(0)..<0x20).map { String(UnicodeScalar($0)) }.joined(),
    ]

    static func transaction(using random: inout SeededGenerator) -> Transaction {
        func maybe<Value>(_ value: Value, using random: inout SeededGenerator) -> Value? {
            Bool.random(using: &random) ? value : nil
        }
        func text(using random: inout SeededGenerator) -> String { texts.randomElement(using: &random) ?? "" }
        func date(using random: inout SeededGenerator) -> Date {
            Date(milliseconds: Int.random(in: -1_000_000...4_000_000_000_000, using: &random))
        }
        var transaction = Transaction(
            id: TransactionID(stored: text(using: &random)), originalID: TransactionID(stored: text(using: &random)),
            app: BundleID(stored: text(using: &random)), environment: .sandbox,
            productID: ProductID(stored: text(using: &random)),
            productType: maybe(ProductType(rawValue: text(using: &random)), using: &random),
            quantity: Int.random(in: 1...100, using: &random), purchaseDate: date(using: &random),
            originalPurchaseDate: maybe(date(using: &random), using: &random),
            expirationDate: maybe(date(using: &random), using: &random), isUpgraded: Bool.random(using: &random),
            ownershipType: Transaction.OwnershipType(rawValue: text(using: &random)),
            appAccountToken: maybe(account(UInt8.random(in: 0...255, using: &random)).uuid, using: &random),
            subscriptionGroupID: maybe(text(using: &random), using: &random), signedDate: date(using: &random),
            isSigned: Bool.random(using: &random))
        if Bool.random(using: &random) {
            transaction.revocation = Transaction.Revocation(
                date: date(using: &random), reason: maybe(1, using: &random), percentage: maybe(50_000, using: &random))
        }
        guard Bool.random(using: &random) else { return transaction }
        var details = PurchaseDetails()
        details.price = maybe(Int.random(in: -5...5_000, using: &random), using: &random)
        details.isTrialPeriod = maybe(Bool.random(using: &random), using: &random)
        details.isIntroductoryPeriod = maybe(Bool.random(using: &random), using: &random)
        for member: WritableKeyPath<PurchaseDetails, String?> in [
            \.currency, \.storefront, \.storefrontID, \.reason, \.webOrderLineItemID, \.appTransactionID, \.appVersion,
            \.originalAppVersion, \.orderID, \.additionalReason, \.billingPlan,
        ] { details[keyPath: member] = maybe(text(using: &random), using: &random) }
        if Bool.random(using: &random) {
            details.offer = PurchaseOffer(
                type: maybe(1, using: &random), id: maybe(text(using: &random), using: &random),
                discountType: maybe(text(using: &random), using: &random),
                period: maybe(text(using: &random), using: &random))
        }
        if Bool.random(using: &random) {
            details.revocation = RevocationDetails(
                date: date(using: &random), reason: maybe(0, using: &random),
                type: maybe(text(using: &random), using: &random))
        }
        if Bool.random(using: &random) {
            details.seats = SeatDetails(
                invitations: maybe(text(using: &random), using: &random), revoked: maybe(2, using: &random))
        }
        if Bool.random(using: &random) {
            details.commitment = CommitmentDetails(
                period: maybe(3, using: &random), periods: maybe(12, using: &random),
                price: maybe(95_880, using: &random), end: maybe(date(using: &random), using: &random))
        }
        transaction.details = details
        // Two copies that differ leave the dates on which each member was stated.
        guard Bool.random(using: &random) else { return transaction }
        var older = transaction
        older.signedDate = date(using: &random)
        older.revocation = nil
        transaction.merge(older)
        return transaction
    }
}
