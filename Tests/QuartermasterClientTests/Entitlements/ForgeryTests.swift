import Foundation
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import QuartermasterClient

/// Players and others who change what the server says, on its way or on the device, with an app that pins a root key.
@Suite("Entitlements that nobody can forge", .enabled(if: ShopServer.isBuilt), .timeLimit(.minutes(10)))
struct ForgeryTests {
    private static let day: TimeInterval = 86_400
    private static let catalog = ShopServer.catalog.replacingOccurrences(of: "P1M", with: "P1Y")

    /// A server whose keys a root has signed, somebody between it and the devices, and no network.
    private struct World {
        let server: ShopServer
        let proxy: DownloadProxy
        let root: String
        let nowhere: URL

        init() async throws {
            server = try await ShopServer(catalog: ForgeryTests.catalog)
            try await server.start()
            root = try await server.signKeys()
            try await server.restart()
            proxy = try await DownloadProxy.start(upstream: server.url)
            nowhere = try #require(URL(string: "http://127.0.0.1:\(try freePort())"))
        }

        func device(_ folder: URL, isOnline: Bool = true, days: Double = 0) async throws -> Device {
            var setup = Device.Setup()
            (setup.address, setup.rootKeys) = (isOnline ? proxy.url : nowhere, [root])
            if days != 0 { setup.now = Date() + days * ForgeryTests.day }
            return try await Device(server, customer: "ada", folder: folder, setup)
        }

        /// A folder of a device whose player bought words, for good, and night, for a year.
        func paid() async throws -> URL {
            let folder = Device.newFolder()
            let phone = try await device(folder)
            for product in ["words", "night"] { #expect(try await phone.shop.buy(product) == .delivered) }
            try await phone.waits(for: "both") { $0.hasAccess(to: "words") && $0.hasAccess(to: "night") }
            await phone.quit()
            return folder
        }

        func refund(_ product: String) async throws {
            let history = try await server.store(of: "ada").history()
            let bought = try #require(history.first { $0.productID == product })
            try await server.simulate("transactions/\(bought.id)/refund")
        }

        func end() async throws {
            try await proxy.stop()
            try await server.end()
        }
    }

    private static let isEntitlements: @Sendable (DownloadProxy.Request) -> Bool = { $0.path == "/v1/entitlements" }

    @Test func `What is edited on disk opens nothing, and nobody confirms it`() async throws {
        let world = try await World()
        let folder = try await world.paid()
        let file = folder.appending(path: "entitlements.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        let jws = try #require(text.firstMatch(of: /"signed":"([^"]+)"/)).1
        let parts = jws.split(separator: ".").map(String.init)
        let payload = String(decoding: try #require(Data(base64URL: parts[1])), as: UTF8.self)
        // The player's own words, signed by a key of the player's, or by the server for others.
        let forged = payload.replacing("\"night\"", with: "\"club\"")
        #expect(forged != payload)
        let signer = TestSigner()
        let edits = [
            [parts[0], Data(forged.utf8).base64URL, parts[2]].joined(separator: "."),
            signer.sign(forged, type: "quartermaster-entitlements+jwt"), "", parts[0],
        ]
        world.proxy.decide { Self.isEntitlements($0) ? .answer(status: 304) : .forward }
        for edit in edits {
            for isOnline in [false, true] {
                try text.replacing(jws, with: edit).write(to: file, atomically: true, encoding: .utf8)
                let phone = try await world.device(folder, isOnline: isOnline)
                await phone.shop.resume()
                let state = await phone.shop.state
                #expect(!state.hasAccess(to: "club") && !state.hasAccess(to: "words"))
                #expect(state.entitlementRefusal == (isOnline ? .unsigned : .signature))
                await phone.quit()
            }
        }
        // The keys on disk, too, are only those of the root.
        try text.replacing(jws, with: edits[1]).write(to: file, atomically: true, encoding: .utf8)
        let keysFile = folder.appending(path: "keys.json")
        let keys = try String(contentsOf: keysFile, encoding: .utf8)
        let own = keys.replacing(/"answer":"[^"]*"/, with: #""answer":"\#(signer.keys.base64EncodedString())""#)
        #expect(own != keys)
        try own.write(to: keysFile, atomically: true, encoding: .utf8)
        let phone = try await world.device(folder, isOnline: false)
        #expect(await !phone.shop.state.hasAccess(to: "club"))
        await phone.quit()
        try await world.end()
    }

    @Test func `A restored backup opens nothing once the server answers, nor what ends after a week`()
        async throws
    {
        let world = try await World()
        let folder = try await world.paid()
        let backup = Device.newFolder()
        try FileManager.default.copyItem(at: folder, to: backup)
        try await world.refund("night")
        var phone = try await world.device(folder)
        try await phone.waits(for: "the refund") { !$0.hasAccess(to: "night") }
        await phone.quit()

        // Whoever answers that nothing has changed is not asked that.
        world.proxy.decide { Self.isEntitlements($0) ? .answer(status: 304) : .forward }
        phone = try await world.device(backup, days: 7.1)
        await phone.shop.resume()
        #expect(await !phone.shop.state.hasAccess(to: "night"))
        #expect(await phone.shop.state.entitlementRefusal == .unsigned)
        await phone.quit()
        world.proxy.decide { _ in .forward }
        phone = try await world.device(backup)
        try await phone.waits(for: "the server's answer") { $0.isOnline && !$0.hasAccess(to: "night") }
        #expect(await phone.shop.state.hasAccess(to: "words"))
        await phone.quit()
        try await world.end()
    }

    /// With a certificate of the player's own, TLS shows the player's server to the app.
    @Test func `A player's own server opens nothing`() async throws {
        let world = try await World()
        let signer = TestSigner()
        let phone = try await world.device(Device.newFolder())
        #expect(try await phone.shop.buy("words") == .delivered)
        let account = try #require(await phone.shop.state.account.id)
        let entitlement =
            #"{"access":"granted","app":"\#(ShopServer.app)","bundles":["night-theme"],"#
            + #""environment":"Production","product":"club","type":"auto-renewable"}"#
        world.proxy.decide { request in
            guard Self.isEntitlements(request) else {
                return request.path == "/v1/keys" ? .answer(status: 200, body: signer.keys) : .forward
            }
            let nonce = request.headers.first(name: "Quartermaster-Nonce").map { #","nonce":"\#($0)""# } ?? ""
            let payload =
                #"{"account":"\#(account)","at":"\#(Date().formatted(.iso8601))","balances":{"hints":999},"#
                + #""bundleID":"\#(ShopServer.app)","entitlements":[\#(entitlement)],"environment":"Production","#
                + #""freshUntil":"2099-01-01T00:00:00Z"\#(nonce)}"#
            let signed = signer.sign(payload, type: "quartermaster-entitlements+jwt")
            return .answer(status: 200, body: Data(#"{"signed":"\#(signed)","entitlements":[\#(entitlement)]}"#.utf8))
        }
        await #expect(throws: EntitlementRefusal.signature) { try await phone.shop.refresh() }
        var state = await phone.shop.state
        #expect(!state.hasAccess(to: "club") && state.hasAccess(to: "words") && state.balances["hints"] != 999)
        #expect(state.entitlementRefusal == .signature)
        world.proxy.decide { request in
            Self.isEntitlements(request) ? .answer(status: 200, body: Data(#"{"entitlements":[]}"#.utf8)) : .forward
        }
        await #expect(throws: EntitlementRefusal.unsigned) { try await phone.shop.refresh() }
        world.proxy.decide { _ in .forward }
        try await phone.shop.refresh()
        state = await phone.shop.state
        #expect(state.entitlementRefusal == nil && state.hasAccess(to: "words") && !state.hasAccess(to: "club"))
        await phone.quit()
        try await world.end()
    }

    @Test func `Offline a clock opens nothing, and a paying player plays for a week`() async throws {
        let world = try await World()
        let folder = try await world.paid()
        // After a week it is closed, after the year that was paid for it has ended.
        let seen: [(days: Double, hasNight: Bool, refusal: EntitlementRefusal?)] = [
            (-3_652, true, nil), (-2, true, nil), (2, true, nil), (6.9, true, nil), (7.1, false, .expired),
            (-3_652, false, .expired), (3_652, false, nil), (0, false, nil),
        ]
        for (days, hasNight, refusal) in seen {
            let phone = try await world.device(folder, isOnline: false, days: days)
            let state = await phone.shop.state
            #expect(state.hasAccess(to: "night") == hasNight, "\(days)")
            #expect(state.hasAccess(to: "words"), "bought for good")
            #expect(state.entitlementRefusal == refusal && !state.isOnline)
            await phone.quit()
        }
        // The server's word sets the clock right.
        for days in [3_652.0, -3_652] {
            let phone = try await world.device(folder, days: days)
            try await phone.waits(for: "the server's time") { $0.isOnline && $0.hasAccess(to: "night") }
            await phone.quit()
        }
        try await world.end()
    }

    /// The answer that nothing has changed stops no clock.
    @Test func `Access ends after a week of answers that nothing has changed`() async throws {
        let world = try await World()
        let folder = try await world.paid()
        let passed = Passed()
        var setup = Device.Setup()
        (setup.address, setup.rootKeys, setup.clock) = (world.proxy.url, [world.root], passed.clock)
        let phone = try await Device(world.server, customer: "ada", folder: folder, setup)
        try await phone.waits(for: "the first answer") { $0.isOnline && $0.hasAccess(to: "night") }
        try await world.refund("night")
        let at = Date().formatted(.iso8601)
        world.proxy.decide { request in
            guard Self.isEntitlements(request) else { return .forward }
            return .answer(status: 304, headers: [("Quartermaster-At", at)])
        }
        try await phone.shop.refresh()
        #expect(await phone.shop.state.hasAccess(to: "night"))
        passed.set(days: 6.9)
        // More than half of the week is over: it is asked for the signature itself.
        await #expect(throws: EntitlementRefusal.unsigned) { try await phone.shop.refresh() }
        #expect(await phone.shop.state.hasAccess(to: "night"))
        passed.set(days: 7.1)
        await #expect(throws: EntitlementRefusal.unsigned) { try await phone.shop.refresh() }
        #expect(await !phone.shop.state.hasAccess(to: "night"))
        await phone.quit()
        try await world.end()
    }

    @Test func `An answer of yesterday is none to a question of today`() async throws {
        let world = try await World()
        let folder = try await world.paid()
        let api = API(server: world.server.url, transport: HTTPTransport(timeouts: .patient))
        let account = try #require(try FileCredentials(folder.appending(path: "account.json")).load())
        var request = APIRequest(.get, "v1", "entitlements")
        request.headers["Quartermaster-Nonce"] = "yesterday"
        let yesterday = try await api.send(request, token: account.accessToken).body
        request.headers["Quartermaster-Nonce"] = nil
        let plain = try await api.send(request, token: account.accessToken).body
        try await world.refund("night")
        var phone = try await world.device(folder)
        try await phone.waits(for: "the refund") { !$0.hasAccess(to: "night") }
        await phone.quit()
        for body in [yesterday, plain] {
            world.proxy.decide { Self.isEntitlements($0) ? .answer(status: 200, body: body) : .forward }
            phone = try await world.device(folder)
            await phone.shop.resume()
            #expect(await !phone.shop.state.hasAccess(to: "night"))
            #expect(await phone.shop.state.entitlementRefusal == .otherRequest)
            await phone.quit()
        }
        try await world.end()
    }

    /// The widget has the same right to doubt.
    @Test func `A snapshot shows what is signed alone`() async throws {
        let world = try await World()
        let folder = try await world.paid()
        let shown = try ShopSnapshot(folder: folder, rootKeys: [world.root])
        #expect(shown.hasAccess(to: "words") && shown.hasAccess(to: "night"))
        #expect(
            try !ShopSnapshot(folder: folder, rootKeys: [world.root], now: Date() + 8 * Self.day).hasAccess(to: "night")
        )
        #expect(try !ShopSnapshot(folder: folder, rootKeys: [TestSigner().x]).hasAccess(to: "words"))
        try await world.end()
    }
}

/// A device on which as many days pass as the test says.
private final class Passed: Sendable {
    private let days = Mutex(0.0)

    func set(days: Double) { self.days.withLock { $0 = days } }

    var clock: ClientClock {
        var clock = ClientClock.system
        clock.uptime = { ClientClock.system.uptime() + .seconds(self.days.withLock { $0 } * 86_400) }
        return clock
    }
}
