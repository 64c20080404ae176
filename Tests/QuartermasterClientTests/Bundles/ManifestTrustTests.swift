import Crypto
import Foundation
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import QuartermasterClient

/// Manifests as somebody between the server and the client may change them, and what the client does with them.
@Suite(.enabled(if: ShopServer.isBuilt)) struct ManifestTrustTests {
    /// An answer of the server, as seen by somebody on the way.
    private struct Seen: Sendable {
        var members: [String: JSONValue]

        init(_ world: DownloadWorld) async throws {
            members = try JSONDecoder().decode([String: JSONValue].self, from: await world.manifest())
        }

        /// The answer to a player.
        init(_ world: DownloadWorld, of bundle: String, as session: AccountSession) async throws {
            var request = APIRequest(.get, "v1", "bundles", bundle)
            request.query = [("appVersion", "1.0")]
            members = try JSONDecoder().decode([String: JSONValue].self, from: await session.send(request).body)
        }

        var body: Data { (try? JSONEncoder().encode(members)) ?? Data() }

        func with(_ member: String, _ value: JSONValue?) -> Data {
            var copy = self
            copy.members[member] = value
            return copy.body
        }
    }

    private static func show(_ body: Data, _ world: DownloadWorld) {
        world.proxy.decide { request in request.isManifest ? .answer(status: 200, body: body) : .forward }
    }

    @Test func `Old manifests, and parts of different ones, are refused`() async throws {
        try await DownloadWorld.run { world in
            let device = try world.device()
            let old = try await Seen(world)
            var files = DownloadWorld.files
            files["words.txt"] = Data("other".utf8)
            try await world.publish("1.1.0", files)
            #expect(await device.download().phase == .installed)
            // After it, so that its statement is not older than the one that the device accepted.
            let new = try await Seen(world)
            let tables: [(Data, DownloadError)] = [
                (old.body, .rollback), (old.with("fresh", nil), .rollback), (new.with("fresh", nil), .stale),
                (old.with("fresh", new.members["fresh"]), .signature),
                (new.with("fresh", old.members["fresh"]), .signature),
                (new.with("signed", old.members["fresh"]), .signature),
                (new.with("fresh", new.members["signed"]), .signature),
                (new.with("signed", .string("a.b.c")), .signature),
                (new.with("fresh", .string("")), .signature),
            ]
            for (place, (body, error)) in tables.enumerated() {
                Self.show(body, world)
                #expect(await device.download().phase == .failed(error), "\(place)")
                #expect(await device.store.installedVersions == [DownloadWorld.open: "1.1.0"])
                #expect(world.proxy.contentExchanges.isEmpty)
            }
            #expect(try await device.installed() == files)
            Self.show(new.body, world)
            #expect(await device.download().phase == .installed)

            // A device that was told nothing before cannot know, until a day has passed.
            Self.show(old.body, world)
            #expect(await (try world.device()).download().phase == .installed)
            let tomorrow = try world.device(now: Date() + 86_500)
            #expect(await tomorrow.download().phase == .failed(.stale))
            Self.show(new.body, world)
            let other = try world.device(appVersion: "3.0")
            #expect(await other.download().phase == .failed(.signature))
            world.proxy.decide { _ in .forward }
            #expect(await other.download().phase == .installed)
        }
    }

    @Test func `A device whose clock is days ahead downloads, by the server's time`() async throws {
        try await DownloadWorld.run { world in
            let ahead = try world.device(now: Date() + 2 * 86_400)
            #expect(await ahead.download().phase == .installed)
            #expect(try await ahead.store.update(of: DownloadWorld.open) == nil)

            // An answer without a date is judged by the time that the shop has from another answer.
            let folder = world.folder.appending(path: "phone")
            let phone = try await Device(
                world.server, customer: "ada", folder: folder, at: world.proxy.url, now: Date() + 2 * 86_400)
            #expect(try await phone.shop.buy("words") == .delivered)
            let seen = try await Seen(world, of: DownloadWorld.paid, as: phone.shop.session)
            world.proxy.decide { $0.isManifest ? .answer(status: 200, body: seen.body) : .forward }
            var last: DownloadProgress?
            for await progress in phone.shop.download(DownloadWorld.paid) { last = progress }
            #expect(last?.phase == .installed)
            // Nobody has told this one the time.
            world.proxy.decide { _ in .forward }
            let open = try await Seen(world, of: DownloadWorld.open, as: phone.shop.session)
            world.proxy.decide { $0.isManifest ? .answer(status: 200, body: open.body) : .forward }
            #expect(
                await (try world.device(appVersion: "1.0", now: Date() + 2 * 86_400)).download().phase
                    == .failed(.stale))
            await phone.quit()
        }
    }

    /// The statement in an answer without a body is checked like any other.
    @Test func `An update cannot be hidden by withholding or replaying answers`() async throws {
        try await DownloadWorld.run { world in
            let device = try world.device()
            #expect(await device.download().phase == .installed)
            let old = try await Seen(world)
            try await world.publish("1.1.0", ["a": Data([1])])
            let new = try await Seen(world)
            guard case .string(let fresh)? = new.members["fresh"] else { throw DownloadError.signature }
            world.proxy.decide { _ in .answer(status: 304, headers: [("Quartermaster-Fresh", fresh)]) }
            await #expect(throws: DownloadError.signature) { try await device.store.update(of: DownloadWorld.open) }
            // The statement is withheld together with the update, in an answer without a body and in an old manifest.
            world.proxy.decide { _ in .answer(status: 304) }
            await #expect(throws: DownloadError.stale) { try await device.store.update(of: DownloadWorld.open) }
            world.proxy.decide { $0.isManifest ? .answer(status: 200, body: old.with("fresh", nil)) : .forward }
            await #expect(throws: DownloadError.stale) { try await device.store.update(of: DownloadWorld.open) }
            #expect(await device.download().phase == .failed(.stale))
            // What is installed can be used, whatever is in between, and without a network.
            world.proxy.decide { _ in .drop }
            #expect(try await device.installed() == DownloadWorld.files)
            await #expect(throws: DownloadError.offline) { try await device.store.update(of: DownloadWorld.open) }
            world.proxy.decide { _ in .forward }
            #expect(try await device.store.update(of: DownloadWorld.open) == "1.1.0")
        }
    }

    /// The answer about a version that stays after its subscription has no statement. That is believed of no other
    /// answer.
    @Test func `Only a version that stays after its subscription needs no fresh statement`() async throws {
        try await DownloadWorld.run { world in
            let folder = world.folder.appending(path: "phone")
            let phone = try await Device(world.server, customer: "ada", folder: folder, at: world.proxy.url)
            #expect(try await phone.shop.buy("night") == .delivered)
            #expect(await Self.download(on: phone).phase == .installed)

            // While it runs, the statement has to be there.
            let seen = try await Seen(world, of: DownloadWorld.kept, as: phone.shop.session)
            Self.show(seen.with("fresh", nil), world)
            #expect(await Self.download(on: phone).phase == .failed(.stale))
            world.proxy.decide { $0.isManifest ? .answer(status: 304) : .forward }
            await #expect(throws: DownloadError.stale) { try await phone.shop.update(of: DownloadWorld.kept) }
            world.proxy.decide { .answer(status: $0.isManifest ? 304 : 503) }
            await #expect(throws: DownloadError.offline) { try await phone.shop.update(of: DownloadWorld.kept) }

            world.proxy.decide { _ in .forward }
            try await world.server.advance(days: 62)
            #expect(try await phone.shop.update(of: DownloadWorld.kept) == nil)
            #expect(world.proxy.exchanges.map(\.request.path) == ["/v1/bundles/night-theme", "/v1/entitlements"])
            #expect(await !phone.shop.state.hasAccess(to: "night"))
            let last = await Self.download(on: phone)
            #expect(last.phase == .installed && last.version == "1.0.0")
            // What is known is enough if nobody says more.
            world.proxy.decide { $0.isManifest ? .forward : .answer(status: 503) }
            #expect(try await phone.shop.update(of: DownloadWorld.kept) == nil)
            await phone.quit()
        }
    }

    private static func download(on phone: Device) async -> DownloadProgress {
        var last = DownloadProgress(bundle: DownloadWorld.kept)
        for await progress in phone.shop.download(DownloadWorld.kept) { last = progress }
        return last
    }

    /// Signed by a key that the client trusts, and still refused.
    @Test func `A manifest that is signed but unusable is refused`() async throws {
        try await DownloadWorld.run { world in
            let signer = TestSigner()
            for path in ["../a", "/a", "a/../../b", ".a", "a\\\\b", "a//b", "a\\u0000b"] {
                let files = #"[{"path":"\#(path)","sha256":"\#(ManifestTableTests.hash)","size":1}]"#
                signer.show(files, world)
                let device = try world.device()
                #expect(await device.download().phase == .failed(.unusableManifest), "\(path)")
                #expect(device.names(in: "versions") == [])
            }
            let files = #"[{"path":"a","sha256":"\#(ManifestTableTests.hash)","size":1}]"#
            for type in ["JWT", "quartermaster-freshness"] {
                signer.show(files, type: type, world)
                #expect(await (try world.device()).download().phase == .failed(.signature))
            }
            for header in [#""alg":"none""#, #""alg":"HS256""#, #""alg":"EdDSA","crit":["b64"]"#] {
                signer.show(files, header: header, world)
                #expect(await (try world.device()).download().phase == .failed(.signature))
            }
            signer.show(files, bundle: "other", world)
            #expect(await (try world.device()).download().phase == .failed(.signature))
            // Signed correctly, it fails for want of a link only.
            signer.show(files, world)
            #expect(await (try world.device()).download().phase == .failed(.offline))
        }
    }

    /// An unknown key is asked for, but not for each message that names one.
    @Test func `The keys of the server are asked for once, not for each message`() async throws {
        try await DownloadWorld.run { world in
            let isKeys: @Sendable (DownloadProxy.Exchange) -> Bool = { $0.request.path == "/v1/keys" }
            let start = Date()
            let device = try world.device()
            #expect(await device.download().phase == .installed)
            #expect(world.proxy.exchanges.filter(isKeys).count == 1)
            // For this one no time passes: after a minute it would ask again.
            let again = try world.device(in: device.folder, uptime: { .zero })
            #expect(await again.download().phase == .installed)
            #expect(world.proxy.exchanges.filter(isKeys).count == 1)

            // How old the keys are is unknown after the clock was set back.
            let earlier = try world.device(in: device.folder, now: start - 60)
            #expect(await earlier.download().phase == .installed)
            #expect(world.proxy.exchanges.filter(isKeys).count == 2)

            // Another key, which is not the server's.
            let signer = TestSigner()
            signer.show("[]", keys: false, world)
            for _ in 0..<5 { #expect(await again.download().phase == .failed(.signature)) }
            #expect(world.proxy.exchanges.filter(isKeys).count == 1)

            // The server's key is there, but the app trusts another one.
            world.proxy.decide { _ in .forward }
            #expect(
                await (try world.device(trust: KeyTrust(pinned: [signer.id]))).download().phase == .failed(.signature))
            let key = try await Self.key(of: world)
            #expect(await (try world.device(trust: KeyTrust(pinned: [signer.id, key]))).download().phase == .installed)
        }
    }

    /// For what was accepted before, the keys on disk have no end.
    @Test func `A list of keys that has expired lets nothing in, also if nobody answers with the next one`()
        async throws
    {
        try await DownloadWorld.run { world in
            let (root, signer, start) = (TestSigner(), TestSigner(), Date())
            let list = root.vouching(for: [signer], version: 1, until: start + 10 * 86_400)
            let signed = signer.sign("{}", type: "word")
            let folder = world.folder.appending(path: "keys")
            try ClientFolder.prepare(folder)
            let isVouched: @Sendable (Double) async throws -> Bool = { days in
                var clock = ClientClock.system
                clock.now = { start + days * 86_400 }
                let keys = ManifestKeys(
                    api: API(server: world.proxy.url, transport: HTTPTransport(timeouts: .patient)), folder: folder,
                    clock: clock, time: ServerTime(clock: clock, folder: folder), trust: KeyTrust(roots: [root.x]))
                return try await keys.payload(of: signed, type: "word") == Data("{}".utf8)
            }
            world.proxy.decide { $0.path == "/v1/keys" ? .answer(status: 200, body: list) : .forward }
            #expect(try await isVouched(0))
            world.proxy.decide { $0.path == "/v1/keys" ? .answer(status: 503) : .forward }
            for days in [0.5, 2, 9.9] { #expect(try await isVouched(days), "\(days)") }
            for days in [10, 3_652.0] { await #expect(throws: ServerProblem.self) { try await isVouched(days) } }
            let stored = ManifestKeys.storedPayload(
                of: signed, type: "word", in: folder, trust: KeyTrust(roots: [root.x]))
            #expect(stored == Data("{}".utf8))
        }
    }

    private static func key(of world: DownloadWorld) async throws -> String {
        let answer = try await API(server: world.server.url, transport: HTTPTransport(timeouts: .patient))
            .send(APIRequest(.get, "v1", "keys"))
        let set = try JSONDecoder().decode([String: [[String: String]]].self, from: answer.body)
        return try #require(set["keys"]?.first { $0["purpose"] == "manifests" }?["kid"])
    }
}

extension TestSigner {
    /// Has the proxy show a manifest of these files, with a statement that fits.
    fileprivate func show(
        _ files: String, bundle: String = DownloadWorld.open, type: String = "quartermaster-manifest",
        header: String = #""alg":"EdDSA""#, keys: Bool = true, _ world: DownloadWorld
    ) {
        let payload = #"{"bundle":"\#(bundle)","files":\#(files),"previous":[],"version":"1.0.0"}"#
        let at = Date()
        let statement =
            #"{"appVersion":"2.1","at":"\#(at.formatted(.iso8601))","bundle":"\#(bundle)","channel":"stable","#
            + #""expires":"\#((at + 86_400).formatted(.iso8601))","#
            + #""manifest":"\#(ContentHash(of: Data(payload.utf8)).text)","version":"1.0.0"}"#
        let signed = sign(payload, type: type, header: header)
        let fresh = sign(statement, type: "quartermaster-freshness")
        let body = Data(#"{"signed":"\#(signed)","fresh":"\#(fresh)","files":[]}"#.utf8)
        let set = self.keys
        world.proxy.decide { request in
            if request.isManifest { return .answer(status: 200, body: body) }
            if keys, request.path == "/v1/keys" { return .answer(status: 200, body: set) }
            return .forward
        }
    }
}
