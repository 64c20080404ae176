import Foundation
import Synchronization
import TestSupport
import Testing

@testable import QuartermasterClient

/// The values for a shop's screens, and the other calls of an app.
@Suite(.enabled(if: ShopServer.isBuilt), .timeLimit(.minutes(10))) struct ShopScreenTests {
    private static let catalog = """
        "startingCredits": {"hints": 20}, "openBundles": ["open-words"],
        "legal": {"privacyPolicy": "https://example.com/privacy", "terms": "https://example.com/terms"}, "products": [
            {"id": "hints", "type": "consumable", "credits": {"hints": 10}},
            {"id": "words", "type": "non-consumable", "bundles": ["hard-words"]},
            {"id": "club", "type": "auto-renewable", "group": "club", "level": 2, "bundles": ["hard-words"],
             "name": {"en": "Club", "de": "Verein"}},
            {"id": "club.gold", "type": "auto-renewable", "group": "club", "level": 1, "bundles": ["night-theme"]}]
        """

    /// A store in another country, that can fail, and in which the player can choose a product.
    private final class Store: PurchaseSource {
        private struct Closed: Error {}

        let simulated: SimulatorSource
        let country = Mutex("DEU")
        let isClosed = Mutex(false)
        let storefrontChanges: AsyncStream<Void>
        let change: AsyncStream<Void>.Continuation
        let promotedPurchases: AsyncStream<String>
        let promotion: AsyncStream<String>.Continuation

        init(_ simulated: SimulatorSource) {
            self.simulated = simulated
            (storefrontChanges, change) = AsyncStream.makeStream()
            (promotedPurchases, promotion) = AsyncStream.makeStream()
        }

        var updates: AsyncStream<SignedTransaction> { simulated.updates }
        func storefront() async -> String? { country.withLock { $0 } }

        func products(_ ids: [String]) async throws -> [SourceProduct] {
            guard !isClosed.withLock({ $0 }) else { throw Closed() }
            return try await simulated.products(ids)
        }
        func purchase(_ id: String, for account: UUID, quantity: Int) async throws -> PurchaseOutcome {
            try await simulated.purchase(id, for: account, quantity: quantity)
        }
        func history() async throws -> [SignedTransaction] { try await simulated.history() }
        func finish(_ id: String) async throws { try await simulated.finish(id) }
        func synchronize() async throws { try await simulated.synchronize() }
        func environment() async -> StoreEnvironment? { await simulated.environment() }
        func deviceVerificationID() async -> UUID? { await simulated.deviceVerificationID() }
    }

    /// The store of a test's device, once it was made.
    private final class Made: Sendable {
        private let made = Mutex<Store?>(nil)

        var store: Store? {
            get { made.withLock { $0 } }
            set { made.withLock { $0 = newValue } }
        }
    }

    /// The events of a shop.
    private final class Told: Sendable {
        let events = Mutex<[ShopEvent]>([])

        var all: [ShopEvent] { events.withLock { $0 } }
    }

    private static func run(
        _ test: @Sendable (ShopServer, DownloadProxy, Device, Store) async throws -> Void
    ) async throws {
        let server = try await ShopServer(catalog: catalog)
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        let made = Made()
        var setup = Device.Setup()
        setup.address = proxy.url
        setup.behaviour = { simulated in
            let store = Store(simulated)
            made.store = store
            return store
        }
        let phone = try await Device(server, customer: "ada", folder: Device.newFolder(), setup)
        let store = try #require(made.store)
        try await phone.waits(for: "the products") { state in
            !state.products.isEmpty && state.products.allSatisfy { $0.state == .available }
        }
        try await test(server, proxy, phone, store)
        await phone.quit()
        try await proxy.stop()
        try await server.end()
    }

    @Test func `A product has its price as a number, its terms and its place in its group`() async throws {
        try await Self.run { server, _, phone, _ async throws in
            let club = """
                {"id": "club", "type": "auto-renewable", "group": "20", "level": 2, "period": "P3M",
                 "displayName": "Club", "price": 4990, "isFamilyShareable": true}
                """
            let products = #"{"bundleID": "\#(ShopServer.app)", "products": [\#(club)]}"#
            try await server.simulate("products", method: .put, products)
            try await phone.shop.refresh()
            let state = await phone.shop.state
            let product = try #require(state.products.first { $0.id == "club" })
            #expect(product.displayName == "Club")
            #expect(product.displayPrice == "$4.99")
            #expect(product.store?.price == Decimal(string: "4.99"))
            #expect(product.store?.currency == "USD")
            #expect(product.store?.isFamilyShareable == true)
            #expect(product.store?.subscription == .init(groupID: "20", level: 2, period: .init(3, .month)))
            #expect(product.group == "club")
            #expect(product.level == 2)
            #expect(product.names == ["en": "Club", "de": "Verein"])
            #expect(state.products.first { $0.id == "hints" }?.group == nil)
            #expect(state.legal?.privacyPolicy?.absoluteString == "https://example.com/privacy")
            #expect(state.legal?.terms?.absoluteString == "https://example.com/terms")
        }
    }

    @Test func `Access to a group is that to one of its products, from a rank on`() async throws {
        try await Self.run { _, _, phone, _ async throws in
            #expect(await !phone.shop.state.hasAccess(toGroup: "club"))
            #expect(try await phone.shop.buy("club") == .delivered)
            var state = await phone.shop.state
            #expect(state.hasAccess(toGroup: "club"))
            #expect(state.hasAccess(toGroup: "club", level: 2))
            #expect(!state.hasAccess(toGroup: "club", level: 1))
            #expect(!state.hasAccess(toGroup: "words"))
            #expect(try await phone.shop.buy("club.gold") == .delivered)
            state = await phone.shop.state
            #expect(state.hasAccess(toGroup: "club", level: 1))
        }
    }

    @Test func `The player's purchases and the changes of a balance are read page by page`() async throws {
        try await Self.run { _, _, phone, _ async throws in
            await #expect(throws: NoAccount.self) { try await phone.shop.purchases() }
            #expect(try await phone.shop.buy("words") == .delivered)
            for _ in 0..<20 { #expect(try await phone.shop.buy("hints") == .delivered) }
            let key = UUID()
            #expect(try await phone.shop.spend(3, of: "hints", key: key) == 217)

            let first = try await phone.shop.purchases()
            #expect(first.items.map(\.product) == Array(repeating: "hints", count: 20))
            #expect(first.next != nil)
            let last = try await phone.shop.purchases(after: first.next)
            #expect(last.items.map(\.product) == ["words"])
            #expect(last.next == nil)
            let words = try #require(last.items.first)
            #expect(UInt64(words.transactionID) != nil)
            #expect(words.originalTransactionID == words.transactionID)
            #expect(words.price == 990)
            #expect(words.currency == "USD")
            #expect(words.state == .bought)

            let newest = try await phone.shop.postings(of: "hints")
            #expect(newest.items.first?.amount == -3)
            #expect(newest.items.first?.kind == .spend)
            #expect(newest.items.first?.key == key.uuidString)
            #expect(newest.items.dropFirst().allSatisfy { $0.kind == .credit && $0.product == "hints" })
            #expect(newest.next != nil)
            let oldest = try await phone.shop.postings(of: "hints", after: newest.next)
            #expect(oldest.items.map(\.kind) == [.credit, .starting])
        }
    }

    @Test func `What the app sells by itself for the shop's account is delivered, once`() async throws {
        try await Self.run { _, _, phone, _ async throws in
            let account = try await phone.shop.account()
            #expect(await phone.shop.state.account == .signedIn(account))
            #expect(try await phone.shop.account() == account)
            guard case .purchased(let sold) = try await phone.source.purchase("hints", for: account, quantity: 1) else {
                Issue.record("nothing was sold")
                return
            }
            #expect(await phone.shop.deliver(sold) == .delivered)
            #expect(await phone.shop.state.balances == ["hints": 30])
            #expect(await phone.shop.deliver(sold) == .alreadyDelivered)
            #expect(await phone.shop.state.balances == ["hints": 30])
        }
    }

    @Test func `The list is asked for in the store's country, and again when that changes`() async throws {
        try await Self.run { _, proxy, phone, store async throws in
            func countries() -> [String] {
                proxy.exchanges.filter { $0.request.path.hasSuffix("/products") }.map { exchange in
                    let query = URLComponents(string: exchange.request.uri)?.queryItems ?? []
                    return query.first { $0.name == "storefront" }?.value ?? ""
                }
            }
            #expect(Set(countries()) == ["DEU"])
            store.country.withLock { $0 = "USA" }
            store.change.yield()
            try await eventually("the list of the other country") { countries().last == "USA" }
            store.promotion.yield("words")
            var chosen = phone.shop.promotedPurchases.makeAsyncIterator()
            #expect(await chosen.next() == "words")
        }
    }

    @Test func `What does not work is told, shown until it works, and has no secret`() async throws {
        try await Self.run { server, proxy, phone, store async throws in
            let told = Told()
            let log = Task { for await event in phone.shop.events() { told.events.withLock { $0.append(event) } } }
            try await eventually("the log is heard") {
                try await phone.shop.refresh()
                return told.all.contains { $0.kind == .refreshed }
            }

            store.isClosed.withLock { $0 = true }
            try await phone.shop.refresh()
            #expect(await phone.shop.state.lastError?.kind == .storeFailed)
            // What the store said before still counts.
            #expect(await phone.state(of: "words") == .available)
            store.isClosed.withLock { $0 = false }
            try await phone.shop.refresh()
            #expect(await phone.shop.state.lastError == nil)

            proxy.decide { $0.path.hasSuffix("/products") ? .answer(status: 500) : .forward }
            await #expect(throws: ServerProblem.self) { try await phone.shop.refresh() }
            #expect(await phone.shop.state.lastError?.kind == .refreshFailed)
            proxy.decide { _ in .forward }

            #expect(try await phone.shop.buy("words") == .delivered)
            await #expect(throws: ServerProblem.self) { try await phone.shop.spend(1_000, of: "hints") }
            for await _ in phone.shop.download("open-words") {}
            for await _ in phone.shop.download("nothing") {}
            try await eventually("all is told") {
                let events = told.all
                let expected: [(ShopEvent.Kind, String, String)] = [
                    (.purchaseAnswered, "words", "delivered"), (.spendFailed, "hints", "insufficient_balance"),
                    (.downloaded, "open-words", "1.0.0"), (.downloadFailed, "nothing", "unknownBundle"),
                ]
                return expected.allSatisfy { kind, subject, reason in
                    events.contains { $0.kind == kind && $0.subject == subject && $0.reason == reason }
                }
            }
            #expect(told.all.first { $0.kind == .spendFailed }?.requestID != nil)
            let account = try #require(try await phone.shop.session.current())
            let secrets = [try #require(account.accessToken), try #require(account.recoveryCode), "eyJ"]
            let words = "\(told.all)"
            for secret in secrets { #expect(!words.contains(secret)) }
            log.cancel()
        }
    }

    @Test func `A product that cannot be bought says why`() async throws {
        let server = try await ShopServer(
            catalog: #""products": [{"id": "hints", "type": "consumable"}, {"id": "hinst", "type": "consumable"}]"#)
        try await server.start()
        let made = Made()
        var setup = Device.Setup()
        setup.builtIn = [ListedProduct(id: "hints", type: .consumable)]
        setup.starts = false
        setup.behaviour = { simulated in
            let store = Store(simulated)
            store.isClosed.withLock { $0 = true }
            made.store = store
            return store
        }
        let phone = try await Device(server, customer: "ada", folder: Device.newFolder(), setup)
        #expect(await phone.state(of: "hints") == .unavailable(.notAsked))
        try await phone.shop.refresh()
        #expect(await phone.state(of: "hints") == .unavailable(.storeNotReached))
        made.store?.isClosed.withLock { $0 = false }
        try await phone.shop.refresh()
        #expect(await phone.state(of: "hints") == .available)
        #expect(await phone.state(of: "hinst") == .unavailable(.unknownToStore))
        #expect(await phone.shop.state.lastError?.kind == .productUnknown)
        #expect(await phone.shop.state.lastError?.subject == "hinst")
        await phone.quit()
        try await server.end()
    }
}

/// Values that an app's views are tried with, without a shop.
@Suite struct PreviewTests {
    @Test @MainActor func `A preview shows its state, and has nothing to buy from`() async {
        var state = ShopState()
        state.products = [
            ShopProduct(
                id: "club", type: .autoRenewable, group: "club", level: 1,
                store: SourceProduct(
                    id: "club", type: .autoRenewable, displayName: "Club", description: "All of it",
                    displayPrice: "$4.99", subscription: .init(groupID: "club", period: .init(1, .month))))
        ]
        var entitlement = Entitlement(product: "club", type: .autoRenewable, until: Date(timeIntervalSince1970: 100))
        entitlement.group = "club"
        state.entitlements = [entitlement]
        state.time = Date(timeIntervalSince1970: 99)
        state.bundles = [BundleStatus(name: "hard-words", version: "1.0.0")]
        let model = ShopModel(preview: state)
        await model.run()
        #expect(model.state == state)
        #expect(model.state.products.first?.displayName == "Club")
        #expect(model.state.hasAccess(toGroup: "club"))
        // Its product was removed from the catalog.
        #expect(model.state.hasAccess(toGroup: "club", level: 1))
        state.entitlements[0].level = 2
        #expect(!state.hasAccess(toGroup: "club", level: 1))
        state.time = Date(timeIntervalSince1970: 100)
        #expect(!state.hasAccess(toGroup: "club"))
        #expect(throws: ShopUnavailable.self) { try model.shop }
    }

    @Test func `A period is read from ISO 8601`() {
        let periods: [(String, SourceProduct.Period?)] = [
            ("P1M", .init(1, .month)), ("P3M", .init(3, .month)), ("P1Y", .init(1, .year)), ("P2W", .init(2, .week)),
            ("P7D", .init(7, .day)), ("P0D", nil), ("P", nil), ("", nil), ("1M", nil), ("P1", nil), ("P1M2D", nil),
            ("PT1M", nil), ("P-1D", nil),
        ]
        for (text, period) in periods { #expect(SourceProduct.Period(text) == period, "\(text)") }
    }
}
