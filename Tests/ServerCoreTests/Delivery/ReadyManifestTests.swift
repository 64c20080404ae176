import Basics
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InAppPurchase
import Ledger
import LedgerSQLite
import NIOCore
import ServerTestSupport
import Synchronization
import TestSupport
import Testing

@testable import CommandLine
@testable import Content
@testable import LedgerSQL
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// The answer with a manifest is joined from text made once for each version, and reads the ledger once.
@Suite struct ReadyManifestTests {
    // MARK: The bytes

    /// The answer as its members would be encoded.
    private struct Body: Encodable {
        struct File: Encodable {
            var path: String
            var size: Int
            var sha256: String
            var url: String
            var patches: [Variant]?
            var encodings: [Variant]?
        }

        struct Variant: Encodable {
            var encoding: ContentVariant.Encoding
            var from: String?
            var size: Int
            var sha256: String
            var url: String?
        }

        var bundle: BundleName
        var version: String
        var expires: Date
        var minimumAppVersion: SemanticVersion?
        var maximumAppVersion: SemanticVersion?
        var locale: String?
        var previousVersions: [SemanticVersion]
        var files: [File]
        var signed: String
        var fresh: String?
        var delivery: String?

        init(
            _ signed: SignedManifest, _ variants: [String: [ContentVariant]], expires: Date, _ link: (String) -> String
        ) {
            let manifest = signed.manifest
            bundle = manifest.bundle
            version = manifest.version.description
            self.expires = expires
            minimumAppVersion = manifest.minimumAppVersion
            maximumAppVersion = manifest.maximumAppVersion
            locale = manifest.locale
            previousVersions = manifest.previousVersions
            self.signed = signed.jws
            files = manifest.files.map { file in
                let listed = (variants[file.sha256] ?? []).map { variant in
                    Variant(
                        encoding: variant.encoding, from: variant.from, size: variant.size, sha256: variant.sha256,
                        url: variant.encoding == .patch ? link(variant.sha256) : nil)
                }
                let (patches, encodings) = (
                    listed.filter { $0.encoding == .patch }, listed.filter { $0.encoding != .patch }
                )
                return File(
                    path: file.path, size: file.size, sha256: file.sha256, url: link(file.sha256),
                    patches: patches.isEmpty ? nil : patches, encodings: encodings.isEmpty ? nil : encodings)
            }
        }
    }

    /// The entity tag over all of the answer but its links, the statement that it is the newest, and the delivery.
    private static func tag(
        _ account: AccountID, _ signed: SignedManifest, _ variants: [String: [ContentVariant]]
    ) -> String {
        var lines = [account.text, signed.sha256, "\(signed.key)"]
        for file in signed.manifest.files {
            for variant in variants[file.sha256] ?? [] {
                lines.append("\(file.sha256) \(variant.encoding.rawValue) \(variant.from ?? "") \(variant.sha256)")
            }
        }
        let hash = SHA256.hash(data: Data(lines.map { $0 + "\n" }.joined().utf8))
        return "\"\(Data(hash.prefix(16)).hex)\""
    }

    private static func sha256(_ generator: inout SeededGenerator) -> String {
        Data((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }).hex
    }

    private static func manifest(_ generator: inout SeededGenerator) throws -> Manifest {
        let pieces = ["a", "é", "\"", "\\", "/", "\u{2028}", "😀", "\u{1}", "\n", ".txt", "\u{7f}"]
        let version = "1.\(Int.random(in: 0...9, using: &generator)).0" + generator.pick("", "-beta.1", "+7")
        return Manifest(
            bundle: BundleName(stored: "b" + generator.text(of: pieces, upTo: 3)),
            version: try #require(SemanticVersion(version)),
            files: (0..<Int.random(in: 0...5, using: &generator)).map { number in
                Manifest.File(
                    path: "\(number)" + generator.text(of: pieces, upTo: 4),
                    size: generator.pick(0, 1, 9_007_199_254_740_991), sha256: sha256(&generator))
            }, minimumAppVersion: generator.flip() ? SemanticVersion("2.0.0") : nil,
            maximumAppVersion: generator.flip() ? SemanticVersion("3.0.0") : nil,
            locale: generator.flip() ? "de-AT" + generator.text(of: pieces, upTo: 2) : nil,
            previousVersions: ["1.0.0", "1.1.0-a"].filter { _ in generator.flip() }.compactMap { SemanticVersion($0) })
    }

    private static func variants(
        of manifest: Manifest, _ generator: inout SeededGenerator
    ) -> [String: [ContentVariant]] {
        var variants: [String: [ContentVariant]] = [:]
        for file in manifest.files where generator.flip() {
            variants[file.sha256] = ContentVariant.Encoding.allCases.filter { _ in generator.flip() }.map { encoding in
                ContentVariant(
                    encoding, from: encoding == .patch || encoding == .dcz ? sha256(&generator) : nil, size: 7,
                    sha256: sha256(&generator))
            }
        }
        return variants
    }

    private static func signer(_ number: Int) -> GrantSigner {
        let secret = SymmetricKey(data: Data(repeating: UInt8(clamping: number), count: 32))
        return GrantSigner(
            keys: GrantKeys(newest: GrantKey(number: number, created: .distantPast, secret: secret), previous: nil))
    }

    @Test func `A joined manifest answer is what the encoder would write`() throws {
        var generator = SeededGenerator(seed: 18)
        let key = ManifestKey(
            number: 1, created: World.start,
            secret: try Curve25519.Signing.PrivateKey(rawRepresentation: Data(repeating: 1, count: 32)))
        for round in 0..<300 {
            let manifest = try Self.manifest(&generator)
            let variants = Self.variants(of: manifest, &generator)
            let signed = try SignedManifest(manifest, by: key)
            let ready = ReadyManifest(signed, variants)
            // The same second again, another second, another key, and the first again.
            for (seconds, number) in [(0.0, 1), (0.5, 1), (1, 1), (1, 2), (0, 1)] {
                let (grants, date) = (Self.signer(number), World.start + seconds)
                let expires = GrantSigner.expiry(at: date)
                var body = Body(signed, variants, expires: expires) {
                    "/v1/content/\($0)?grant=\(grants.grant(for: $0, expires: expires, at: date))"
                }
                body.delivery = generator.pick(nil, "d_x", "\"é")
                body.fresh = generator.pick(nil, "a.b.c")
                let parts = ready.body(
                    delivery: body.delivery, expires: expires, fresh: body.fresh, grants: grants, at: date)
                let text = parts.reduce(into: ByteBuffer()) { $0.writeImmutableBuffer($1) }
                #expect(text == (try JSONCoding.encode(body, times: .wholeSeconds)), "round \(round)")
                #expect(text.readableBytes <= ready.byteCount + 1_024)
            }
            let account = AccountID(UUID())
            #expect(ManifestTag(account, ready).text == Self.tag(account, signed, variants))
        }
    }

    // MARK: The ledger

    /// A ledger that counts the transactions of its database.
    private final class Counts: Sendable {
        let transactions = Mutex((reads: 0, writes: 0))
        let draws = Atomic(0)

        func of(_ exchange: () async throws -> Void) async throws -> [Int] {
            let (before, drawn) = (transactions.withLock { $0 }, draws.load(ordering: .relaxed))
            try await exchange()
            let after = transactions.withLock { $0 }
            return [
                after.reads - before.reads, after.writes - before.writes, draws.load(ordering: .relaxed) - drawn,
            ]
        }
    }

    private struct CountedDatabase: SQLDatabase {
        let base: any SQLDatabase
        let counts: Counts

        func write<Value: Sendable>(
            _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
        ) async throws -> Value {
            counts.transactions.withLock { $0.writes += 1 }
            return try await base.write(work)
        }

        func read<Value: Sendable>(
            _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
        ) async throws -> Value {
            counts.transactions.withLock { $0.reads += 1 }
            return try await base.read(work)
        }
    }

    /// Runs a test with only the routes of bundles, whose ledger and random numbers are counted.
    private static func run(
        _ test: @escaping @Sendable (World, Counts, any TestClientProtocol) async throws -> Void
    ) async throws {
        let ledger = try SQLiteLedger.inMemory(handlers: Server.standardHandlers)
        let counts = Counts()
        let counted = SQLLedger(
            CountedDatabase(base: ledger.database, counts: counts), handlers: Server.standardHandlers,
            onCommit: { _ in })
        try await World.run(ledger: ledger) { world in
            var services = world.assembly.routes.services
            services.ledger = counted
            let (router, table) = (
                Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints), RouteTable()
            )
            router.add(
                middleware: ProblemMiddleware(
                    metrics: services.metrics.requests, ids: services.ids, table: table, lines: services.lines))
            BundleRoutes(
                ledger: counted, content: services.content, publications: services.publications,
                grants: services.grants,
                manifests: ManifestSigner(services.manifestKeys), decisions: services.decisions,
                random: { count in
                    counts.draws.add(1, ordering: .relaxed)
                    return systemRandomBytes(count)
                }
            ).add(to: services.groups(of: router, table))
            try await Application(router: router, logger: World.quiet).test(.router) { client in
                try await test(world, counts, client)
            }
        }
    }

    /// Reads, writes and random numbers of each request.
    @Test func `A manifest reads the ledger once`() async throws {
        try await Self.run { world, counts, client in
            let player = try await world.buyer(of: "hardwords")
            func cost(
                _ query: String = "", _ method: HTTPRequest.Method = .get, headers: HTTPFields = [:], status: Int = 200
            ) async throws -> [Int] {
                var headers = headers
                headers[.authorization] = "Bearer \(player.token)"
                return try await counts.of {
                    try await client.execute(uri: "/v1/bundles/hard-words\(query)", method: method, headers: headers) {
                        #expect($0.status.code == status)
                    }
                }
            }
            #expect(try await cost("", .head) == [1, 0, 0])
            #expect(try await cost() == [1, 1, 1], "a delivery is recorded")
            #expect(try await cost() == [1, 0, 0])
            #expect(try await cost("?version=1.0.0") == [1, 0, 0])
            #expect(try await cost("?linkLifetime=3600") == [1, 1, 1], "longer links are recorded")
            #expect(try await cost("?linkLifetime=3600") == [1, 0, 0])
            world.clock.advance(by: ManifestDelivery.quietTime)
            #expect(try await cost() == [1, 1, 1])
            // The refusals, too.
            #expect(try await cost("?version=9.9.9", status: 404) == [1, 0, 0])
            #expect(try await cost("?version=x", status: 404) == [1, 0, 0])
        }
    }

    /// The same length, whether there is already a delivery or not.
    @Test func `A HEAD request announces the length of the manifest`() async throws {
        try await World.run { world in
            let player = try await world.buyer(of: "hardwords")
            func length(_ method: HTTPRequest.Method) async throws -> String? {
                try await world.call(method, "/v1/bundles/hard-words", as: player).headers[.contentLength]
            }
            let lengths = try await [length(.head), length(.get), length(.head)]
            #expect(lengths[0] != nil && Set(lengths).count == 1, "\(lengths)")
            let manifest = try await world.manifest(of: "hard-words", as: player)
            #expect(manifest.json["delivery"].text != Names.noDelivery)
        }
    }

    /// Without a session nothing else is told, whatever is wrong.
    @Test func `A request that is not admitted is told nothing else`() async throws {
        try await World.run { world in
            let (player, admin) = (try await world.buyer(of: "hardwords"), try await world.newAdmin())
            let wrong = [
                ("?version=x", 404), ("?linkLifetime=1", 422),
                ("?appVersion=\(String(repeating: "1", count: 65))", 400),
            ]
            for (query, status) in wrong + [("", 200), ("?version=9.9.9", 404)] {
                #expect(try await world.manifest(of: "hard-words", query, as: player).status == status, "\(query)")
                let path = "/v1/bundles/hard-words\(query)"
                try await world.call(.get, path).expect(.init(401, "unauthenticated"))
                try await world.call(.get, path, headers: [.authorization: "Bearer x"]).expect(
                    .init(401, "unauthenticated"))
            }
            let blocked = try await world.call(
                .post, "/admin/v1/accounts/\(player.account)/block", ["reason": "test"], as: admin)
            #expect(blocked.status < 300, "\(blocked)")
            for (query, _) in wrong + [("", 200)] {
                try await world.manifest(of: "hard-words", query, as: player).expect(
                    .init(403, "account_blocked"))
            }
        }
    }

    // MARK: The cache

    private static func content(_ versions: Int, _ variants: Int) -> ContentState {
        ContentState(versions: versions, variants: variants)
    }

    /// A cached manifest is served as long as the content is the same; then it is compared, and signed again only if it
    /// differs.
    @Test func `A cached manifest is made again when the content changes`() async throws {
        try await World.run { world in
            let signer = ManifestSigner(world.assembly.routes.services.manifestKeys)
            let hash = String(repeating: "a", count: 64)
            let asked = Atomic(0)
            var manifest = Manifest(
                bundle: "words", version: try #require(SemanticVersion("1.0.0")),
                files: [Manifest.File(path: "a", size: 1, sha256: hash)])
            func ready(_ state: ContentState, _ variants: [ContentVariant] = []) async throws -> ReadyManifest {
                try await signer.ready(manifest, state, at: World.start) { _ in
                    asked.add(1, ordering: .relaxed)
                    return variants
                }
            }
            let first = try await ready(Self.content(1, 1))
            #expect(try await ready(Self.content(1, 1)) === first && asked.load(ordering: .relaxed) == 1)
            let variant = ContentVariant(.gzip, size: 1, sha256: hash)
            let second = try await ready(Self.content(1, 2), [variant])
            #expect(
                second !== first && second.variantLines != first.variantLines && second.signed.jws == first.signed.jws)
            manifest.locale = "de"
            #expect(try await ready(Self.content(1, 2), [variant]) === second, "only the state is compared")
            let third = try await ready(Self.content(2, 2), [variant])
            #expect(third.signed.jws != first.signed.jws && third.signed.manifest.locale == "de")
            #expect(asked.load(ordering: .relaxed) == 3)
        }
    }
}
