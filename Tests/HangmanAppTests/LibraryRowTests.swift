import Foundation
import QuartermasterClient
import Testing

@testable import HangmanAppModel

/// Packs, purchases and the account.
@Suite struct LibraryRowTests {
    private func packs(_ phase: DownloadProgress.Phase) -> PackRow {
        var state = ShopState.member
        state.bundles[1].progress?.phase = phase
        return state.packRows[1]
    }

    @Test func `Essential packs come first, and those for other languages only if they are here`() {
        var state = ShopState.member
        #expect(state.packRows.map(\.title) == ["Animals", "Hard words"])
        state.bundles.swapAt(0, 1)
        #expect(state.packRows.map(\.title) == ["Animals", "Hard words"])
        state.bundles[2].installed = "1.0.0"
        #expect(state.packRows.map(\.title) == ["Animals", "Hard words", "Tiere"])
    }

    @Test func `A pack that is not owned names the products that include it`() {
        let row = ShopState.firstLaunch.packRows[1]
        #expect(row.detail == "In: Hard words, Club")
        #expect(row.action == nil)
    }

    @Test func `Each phase of a download has its button`() {
        #expect(packs(.downloading).progress == 0.25)
        #expect(packs(.downloading).action == .pause)
        #expect(packs(.paused).action == .resume)
        #expect(packs(.installing).action == nil)
        #expect(packs(.failed(.noFittingVersion)).action == .download)
        #expect(packs(.failed(.noFittingVersion)).detail == "This needs a newer version of the app.")
        #expect(packs(.failed(.cancelled)).detail == "3.1 MB")
    }

    @Test func `What is installed can be updated or removed, unless the game needs it`() {
        var state = ShopState.firstLaunch
        #expect(state.packRows[0].action == nil)
        state.bundles[0].update = "1.1.0"
        #expect(state.packRows[0].action == .update)
        state.bundles[1].isReadable = true
        #expect(state.packRows[1].action == .download)
        state.bundles[1].installed = "1.0.0"
        #expect(state.packRows[1].action == .remove)
    }

    @Test func `A refund can be asked for what was not refunded`() {
        let rows = ShopState.member.rows(of: ShopState.samplePurchases, ShopRowTests.dates)
        #expect(rows.map(\.title) == ["Hard words", "2 × Ten hints"])
        #expect(rows[0].detail.hasPrefix("Dec 1, 2025, "))
        #expect(rows[0].detail.contains("2.99"))
        #expect(rows[1].detail == "Dec 1, 2025, refunded")
        #expect(rows.map(\.refundable) == [2_000_000_000_000_002, nil])
    }

    @Test func `The account says what the player can do`() {
        var state = ShopState.member
        let id = UUID()
        let texts = [AccountState.none, .signedIn(id), .signedOut(id), .blocked(id), .unavailable].map { account in
            state.account = account
            return state.accountText()
        }
        #expect(Set(texts).count == texts.count)
        state.account = .awaited(until: state.time)
        #expect(state.accountText(ShopRowTests.dates).contains("until Dec 1, 2025."))
    }
}
