import Foundation
import InAppPurchase
import TestSupport

/// A consumable bought at ``Foundation/Date/t0``, as JWSTransactionDecodedPayload has it.
let hints: JSONValue = [
    "transactionId": "2000000847061981", "originalTransactionId": "2000000847061981",
    "bundleId": "com.example.hangman", "productId": "com.example.hangman.tenhints", "type": "Consumable",
    "quantity": 2, "purchaseDate": .integer(Date.t0.milliseconds - 1000),
    "originalPurchaseDate": .integer(Date.t0.milliseconds - 2000), "signedDate": .integer(Date.t0.milliseconds),
    "inAppOwnershipType": "PURCHASED", "environment": "Production", "storefront": "DEU", "price": 1990,
    "aMemberYetUnknown": ["nested": [1, 2.5, true]],
]

let subscription = hints.with([
    "type": "Auto-Renewable Subscription", "productId": "com.example.hangman.club.monthly",
    "originalTransactionId": "2000000000000001", "expiresDate": .integer(Date.t0.milliseconds + 86_400_000),
    "subscriptionGroupIdentifier": "20123", "appAccountToken": "0B0E1F6A-3c1d-4a5b-9c8d-7e6f5a4b3c2d", "quantity": nil,
])

let hangman: Set<BundleID> = ["com.example.hangman"]
