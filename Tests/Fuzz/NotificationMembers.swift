import Foundation
import InAppPurchase

@testable import AppStoreService
@testable import CommandLine
@testable import ServerHTTP

/// The payload of a notification, which the store signs: what is read before the chain is verified, and what is read in
/// it.
struct NotificationMembers: FuzzTarget {
    let signed: SignedData
    private let genuine: Set<TransactionID>

    init(_ signed: SignedData) {
        self.signed = signed
        genuine = Set([signed.verified(signed.transaction)?.id].compactMap(\.self))
    }

    func test(_ input: Data) {
        guard let notification = signed.verified(notification: input) else { return }
        // A signature on a notification is none on the transaction in it.
        precondition(
            notification.facts.transactions.allSatisfy { genuine.contains($0.id) }, "a transaction that nobody signed")
    }
}
