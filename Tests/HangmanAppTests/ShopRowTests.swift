import Foundation
import QuartermasterClient
import Testing

@testable import HangmanAppModel

/// The shop's rows as SwiftUI's previews draw them, without a shop and without SwiftUI.
@Suite @MainActor struct ShopRowTests {
    nonisolated static let dates = Date.FormatStyle(
        date: .abbreviated, time: .omitted, locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt)

    private func rows(_ state: ShopState) -> [ProductRow] { ShopModel(preview: state).state.productRows(Self.dates) }

    @Test func `Before anything was bought each product has its price and can be bought`() {
        let rows = rows(.firstLaunch)
        #expect(rows.map(\.name) == ["Ten hints", "Hard words", "Night theme, a month"])
        #expect(rows.map(\.button) == ["$0.99", "$2.99", "$0.99"])
        #expect(rows.allSatisfy { $0.isEnabled && !$0.extends })
        #expect(ShopState.firstLaunch.hintsLeft == 20)
        #expect(ShopState.firstLaunch.statusLine == nil)
    }

    @Test func `What waits says for what, and a theme that runs can be extended`() {
        let rows = rows(.member)
        #expect(rows.map(\.button) == ["Ask again", "Paid", "$0.99"])
        #expect(rows.map(\.isEnabled) == [true, false, true])
        #expect(rows.map(\.extends) == [false, false, true])
        #expect(rows[0].detail == "Somebody has to approve it. Then it is there by itself.")
        #expect(rows[1].detail == "It is paid, and comes by itself.")
        #expect(rows[2].detail == "Until Dec 31, 2025")
    }

    @Test func `What is owned for good cannot be bought`() {
        var state = ShopState.firstLaunch
        state.products[1].state = .owned(until: nil)
        #expect(rows(state)[1].button == "Owned")
        #expect(!rows(state)[1].isEnabled)
    }

    @Test func `A gift that ends is no time to extend`() {
        var state = ShopState.firstLaunch
        state.products[1].state = .owned(until: state.time)
        #expect(rows(state)[1].detail == "Until Dec 1, 2025")
        #expect(!rows(state)[1].isEnabled)
        #expect(!rows(state)[1].extends)
    }

    @Test func `Without the store nothing can be bought, and the line says why`() {
        let rows = rows(.offline)
        #expect(rows.map(\.button) == ["Unavailable", "Unavailable", "Unavailable"])
        #expect(rows.map(\.detail) == Array(repeating: "The App Store does not answer.", count: 3))
        #expect(rows.allSatisfy { !$0.isEnabled })
        #expect(ShopState.offline.statusLine == "The shop cannot be reached. What you own is here.")
    }

    @Test func `A product that the store does not know says so`() {
        var state = ShopState.firstLaunch
        state.products[0].store = nil
        state.products[0].state = .unavailable(.unknownToStore)
        #expect(rows(state)[0].name == "com.example.hangman.tenhints")
        #expect(rows(state)[0].detail == "The App Store does not sell it here.")
        #expect(!rows(state)[0].isEnabled)
    }

    @Test func `Where payments are forbidden every button is off`() {
        var state = ShopState.member
        state.canMakePayments = false
        #expect(rows(state).allSatisfy { !$0.isEnabled })
        #expect(state.clubOffers.allSatisfy { !$0.isEnabled })
        #expect(state.statusLine == "Purchases are not allowed on this device.")
    }

    @Test func `What did not work is said once, with the request's ID`() {
        var state = ShopState.firstLaunch
        state.lastError = ShopEvent(.refreshFailed, at: state.time, reason: "busy", requestID: "r-1")
        #expect(state.statusLine == "The shop cannot be reached. What you own is here. (r-1)")
        state.lastError = ShopEvent(.purchaseFailed, at: state.time)
        #expect(state.statusLine == nil)
        state.lastError = ShopEvent(.downloadFailed, at: state.time, subject: "hard-words")
        #expect(state.statusLine == "A download did not arrive: Hard words")
    }

    @Test func `Each result of a purchase has its words, and a cancelled one none`() {
        let name = "Club"
        #expect(PurchaseResult.cancelled.text(about: name) == nil)
        #expect(PurchaseResult.delivered.text(about: name) == "Club: it is there.")
        #expect(
            PurchaseResult.denied(reason: .ownedByAnotherAccount, remedy: .recoveryCode).text(about: name)
                == "Club: it belongs to another account. Enter that account's recovery code.")
        #expect(
            PurchaseResult.denied(reason: .sandbox, remedy: nil).text(about: name)
                == "Club: nothing was given for it (sandbox). Please write to support.")
    }

    @Test func `In a preview a purchase says that it is one`() async {
        let model = ShopModel(preview: .firstLaunch)
        let error = await #expect(throws: ShopUnavailable.self) { try await model.shop.buy("tenhints") }
        #expect(error.map(text) == "This is a preview.")
        await model.run()
        #expect(model.state == .firstLaunch)
    }
}
