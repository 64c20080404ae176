import Foundation
import Observation
import TestSupport
import Testing

@testable import QuartermasterClient

@Suite(
    "The model that SwiftUI observes, and accounts of other devices", .enabled(if: ShopServer.isBuilt),
    .timeLimit(.minutes(10)))
struct ShopModelTests {
    private static func folder() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "qm-device-\(UUID().uuidString)")
    }

    @Test @MainActor func `The model shows each change to its observers, also after it was run again`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let phone = try await Device(server, customer: "ada", folder: Self.folder())
        let model = ShopModel(phone.shop)
        #expect(model.state == ShopState())

        let first = Task { await model.run() }
        try await changes(of: model, until: "the products are on sale") { state in
            !state.products.isEmpty && state.products.allSatisfy { $0.state == .available }
        }
        _ = try await phone.shop.buy("hints")
        try await changes(of: model, until: "the credits are there") { $0.balances == ["hints": 30] }
        first.cancel()
        await first.value

        // The model's run has ended, but not the shop.
        _ = try await phone.shop.buy("hints")
        let second = Task { await model.run() }
        try await changes(of: model, until: "the second purchase is there") { $0.balances == ["hints": 40] }
        second.cancel()
        await phone.quit()
        try await server.end()
    }

    @Test func `An account of another device is shown, and opened when the player chooses it`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let shared = Self.folder()
        let phone = try await Device(server, customer: "ada", folder: Self.folder(), sharing: shared)
        #expect(try await phone.shop.buy("words") == .delivered)
        // It made an account of its own before iCloud Keychain was on.
        let folder = Self.folder()
        var tablet = try await Device(server, customer: "eve", folder: folder)
        #expect(try await tablet.shop.buy("hints") == .delivered)
        await tablet.quit()
        tablet = try await Device(server, customer: "eve", folder: folder, sharing: shared)
        let ada = try #require(await phone.shop.state.account.id)
        let eve = try #require(await tablet.shop.state.account.id)

        try await tablet.shop.refresh()
        #expect(await tablet.shop.state.accountsFound == [ada])
        await #expect(throws: NoAccount.self) { try await tablet.shop.signIn(account: UUID()) }
        #expect(await tablet.shop.state.account == .signedIn(eve))

        try await tablet.shop.signIn(account: ada)
        let state = await tablet.shop.state
        #expect(state.account == .signedIn(ada))
        #expect(state.hasAccess(to: "words"))
        #expect(state.balances == ["hints": 20])
        #expect(state.accountsFound == [eve])
        await phone.quit()
        await tablet.quit()
        try await server.end()
    }

    @Test func `An offer is signed only for an account that is eligible for it`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let phone = try await Device(server, customer: "ada", folder: Self.folder())
        await #expect(throws: NoAccount.self) { try await phone.shop.signOffer("back", of: "club") }
        #expect(try await phone.shop.buy("hints") == .delivered)
        let refusal = await #expect(throws: ServerProblem.self) { try await phone.shop.signOffer("back", of: "club") }
        #expect(refusal?.code.rawValue == "not_eligible")

        #expect(try await phone.shop.buy("club") == .delivered)
        let promotional = try payload(of: await phone.shop.signOffer("back", of: "club"))
        #expect(promotional["aud"]?.text == "promotional-offer")
        #expect(promotional["offerIdentifier"]?.text == "back")
        #expect(promotional["productId"]?.text == "club")
        let introductory = try payload(of: await phone.shop.signIntroductoryOffer(of: "club"))
        #expect(introductory["aud"]?.text == "introductory-offer-eligibility")
        #expect(introductory["productId"]?.text == "club")
        await phone.quit()
        try await server.end()
    }

    private func payload(of jws: String) throws -> JSONValue {
        let parts = jws.split(separator: ".")
        try #require(parts.count == 3)
        return try JSONDecoder().decode(JSONValue.self, from: #require(Data(base64URL: parts[1])))
    }

    /// Follows the model as a view does: it looks again when it was told of a change, and only then.
    @MainActor private func changes(of model: ShopModel, until what: String, _ isSo: (ShopState) -> Bool) async throws {
        for _ in 0..<1_000 {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            let state = withObservationTracking {
                model.state
            } onChange: {
                continuation.finish()
            }
            if isSo(state) { return }
            for await _ in stream {}
            // `onChange` is called before the change.
            await Task.yield()
        }
        Issue.record("a thousand changes, and not: \(what)")
    }
}
