import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import AdminPages
@testable import CommandLine
@testable import ServerCore

/// The timeline tells in words what happened; what is recorded stands behind *Details*.
@Suite struct TimelineWordsTests {
    /// The page as it is seen before anything is unfolded.
    private static func folded(_ html: String) -> String {
        html.replacing(/<details>.*?<\/details>/.dotMatchesNewlines(), with: "").unescaped
    }

    @Test func `The timeline tells in words what happened to a player`() async throws {
        try await World.run(environment: World.pagesOn, hasServerKey: true) { world in
            try await world.setNotificationURL()
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let other = try await world.newPlayer()
            let (hints, words) = (
                try await world.buy("tenhints", "consumable"), try await world.buy("hardwords", "non-consumable")
            )
            for bought in [hints, words] {
                #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            }
            #expect(try await world.post(words.signedTransaction, as: other).status == 409)
            _ = try await world.act("transactions/\(hints.transactionID)/refund")
            for reported in try await world.signedPayloads() { _ = try await world.receive(reported) }
            let path = "/admin/purchases/Production/\(words.originalID)/transfer?bundleID=\(World.app)"
            let reason = [("reason", "ticket 7: is hers")]
            #expect(try await alice.submit("\(path)&to=\(other.account)", reason).status == 303)
            let html = try await alice.get("/admin/accounts/\(player.account)?before=1000").html
            let told = [
                "Signed transaction (StoreKit 2).", "Genuine; \(World.app).tenhints: given.",
                "+10 hints; bought; \(World.app).tenhints.", "-10 hints; taken back after a refund;",
                "The App Store refunded the purchase.",
                "From this account to \(other.account); its credits stay with this account. Reason: ticket 7: is hers",
            ]
            for words in told { #expect(Self.folded(html).contains(words), "\(words): \(Self.folded(html))") }
            for raw in ["signedDate", "accessGainedBy", "signedTransaction", "unclaimed:", "outcome ", "REFUND"] {
                #expect(!Self.folded(html).contains(raw), "\(raw): \(Self.folded(html))")
            }
            #expect(
                html.contains("accessGainedBy") && html.contains("<summary>Details</summary>"), "it is there, folded")
            let denied = Self.folded(try await alice.get("/admin/accounts/\(other.account)?before=1000").html)
            let conflict = "Another account has it; \(World.app).hardwords: not given: the purchase belongs to another"
            #expect(denied.contains(conflict), "\(denied)")
        }
    }

    /// A type that only a later App Store knows is shown as it is.
    @Test func `Every kind of notification has words`() {
        for type in AppStoreNotification.knownTypes {
            let words = StoreEvent(type: type).words
            #expect(words != type, "\(type): \(words)")
        }
        #expect(StoreEvent(type: "DID_CHANGE_RENEWAL_STATUS", subtype: "AUTO_RENEW_DISABLED").words.hasSuffix("off"))
        #expect(StoreEvent(type: "REFUND", subtype: "LATER").words == StoreEvent(type: "REFUND").words)
        #expect(StoreEvent(type: "LATER", subtype: "STILL").words == "LATER STILL")
    }
}
