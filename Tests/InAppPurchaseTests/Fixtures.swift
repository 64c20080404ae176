import Foundation
import InAppPurchase
import TestSupport

/// Midnight (UTC) so many days after 1 January 2026.
func day(_ number: Int) -> Date { Date(milliseconds: 1_767_225_600_000 + number * 86_400_000) }

/// An account's UUID, told apart by its last digit.
func account(_ digit: UInt8) -> UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, digit)) }

func purchase(
    _ productID: ProductID = "hints", id: TransactionID = "1", originalID: TransactionID? = nil,
    productType: ProductType? = nil, quantity: Int = 1, on purchaseDate: Date = day(0), expirationDate: Date? = nil,
    revocation: Transaction.Revocation? = nil, isUpgraded: Bool = false,
    ownershipType: Transaction.OwnershipType = .purchased, appAccountToken: UUID? = nil, signedDate: Date = day(0),
    isSigned: Bool = true
) -> Transaction {
    Transaction(
        id: id, originalID: originalID ?? id, app: "com.example.hangman", environment: .production,
        productID: productID, productType: productType, quantity: quantity, purchaseDate: purchaseDate,
        expirationDate: expirationDate, revocation: revocation, isUpgraded: isUpgraded, ownershipType: ownershipType,
        appAccountToken: appAccountToken, signedDate: signedDate, isSigned: isSigned)
}

extension Transaction {
    func merged(with other: Transaction) -> Transaction {
        var merged = self
        merged.merge(other)
        return merged
    }
}
