import Foundation
import HTTPTypes
import InAppPurchase
import Logging
import NIOCore
import ServerTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Basics
@testable import CommandLine
@testable import Content
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// Product lists are joined from texts that are made once.
@Suite struct ProductTextsTests {
    private static let odd = ["", "é", "\u{2028}", "\"\\", "a/b", "😀", "\n\u{1}", "x"]
    private static let versions = ["1.0", "1.5", "2.0", "2.0.1", "3"]
    private static let places = ["DEU", "FRA", "USA"]
    private static let platforms = ["ios", "macOS", "tvOS"]

    // MARK: Random catalogs and content

    private static func metadata(_ generator: inout SeededGenerator, depth: Int = 0) -> JSONValue {
        switch Int.random(in: 0..<(depth < 2 ? 8 : 6), using: &generator) {
        case 0: .null
        case 1: .bool(generator.flip())
        case 2: .integer(Int.random(in: Int.min...Int.max, using: &generator))
        case 3: .number(generator.pick(0.5, -1e-9, 1e21, 3.25))
        case 4, 5: .string(generator.text(of: odd, upTo: 3))
        case 6: .array((0..<3).map { _ in metadata(&generator, depth: depth + 1) })
        default:
            .object(
                Dictionary(
                    (0..<3).map { _ in (generator.text(of: odd, upTo: 2), metadata(&generator, depth: depth + 1)) }
                ) {
                    first, _ in first
                })
        }
    }

    private static func conditions(_ generator: inout SeededGenerator) -> [String: JSONValue] {
        var conditions: [String: JSONValue] = [:]
        if generator.flip(), generator.flip() {
            conditions["minimumAppVersion"] = .string(versions.randomElement(using: &generator) ?? "")
        }
        if generator.flip(), generator.flip() {
            conditions["storefronts"] = .array([.string(places.randomElement(using: &generator) ?? "")])
        }
        if generator.flip(), generator.flip() {
            conditions["platforms"] = .array([.string(platforms.randomElement(using: &generator) ?? "")])
        }
        if generator.flip(), generator.flip() { conditions["availableFrom"] = "2026-11-21T00:00:00Z" }
        if generator.flip(), generator.flip() { conditions["availableUntil"] = "2026-12-21T00:00:00Z" }
        return conditions
    }

    private static func app(_ generator: inout SeededGenerator) throws -> App {
        var entry: [String: JSONValue] = ["bundleID": "com.example.app"]
        let count = Int.random(in: 0...12, using: &generator)
        let ids = (0..<count).map { "p\($0)" + generator.pick("", "é", "\"\\", "/") }
        entry["products"] = .array(
            ids.map { id in
                var product = conditions(&generator)
                product["id"] = .string(id)
                product["type"] = .string(generator.pick("consumable", "non-consumable"))
                if generator.flip() {
                    product["bundles"] = .array(["words", "theme"].filter { _ in generator.flip() })
                }
                if generator.flip() {
                    product["name"] = ["en": .string("N" + generator.pick("", "é", "\"\\", "a/b")), "de-AT": "N"]
                }
                if generator.flip() { product["metadata"] = .object(["m": metadata(&generator)]) }
                return .object(product)
            })
        if generator.flip() { entry["notice"] = .string("n" + generator.text(of: odd, upTo: 3)) }
        if generator.flip() { entry["minimumAppVersion"] = "1.5" }
        if generator.flip() { entry["openBundles"] = ["theme"] }
        if generator.flip() { entry["startingCredits"] = ["hints": 3, "coins": 10] }
        let shop: [JSONValue] =
            ["p0", "p1", "gone"] + ids.reversed().map { .string($0) }.filter { !["p0", "p1"].contains($0) }
        entry["placements"] = .object([
            "all": .array(shop),
            "some": .array([
                .object(["products": .array(Array(shop.prefix(4))), "when": .object(conditions(&generator))]),
                .object(["products": .array(Array(shop.suffix(2))), "metadata": .object(["m": metadata(&generator)])]),
            ]),
        ])
        let text = try JSONEncoder().encode(JSONValue.object(["apps": .array([.object(entry)])]))
        let file = try CatalogFile(text, bundles: ["words", "theme"], handlers: Server.standardHandlers)
        return try #require(file.catalog.apps.first)
    }

    private static func records(_ generator: inout SeededGenerator, _ bundle: BundleName) -> [VersionRecord] {
        (0..<Int.random(in: 0...4, using: &generator)).compactMap { number in
            let text = "1.\(number).0" + generator.pick("", "", "-beta.1")
            guard let version = SemanticVersion(text) else { return nil }
            let file = Manifest.File(path: "f", size: number, sha256: String(repeating: "a", count: 64))
            return VersionRecord(
                manifest: Manifest(
                    bundle: bundle, version: version, files: [file, file],
                    minimumAppVersion: generator.flip() ? SemanticVersion("1.5.0") : nil,
                    maximumAppVersion: generator.flip() ? SemanticVersion("2.0.0") : nil,
                    isEssential: generator.flip(), languages: generator.pick([], ["en"], ["de", "zh-Hant"])),
                state: generator.pick(.published, .yanked, .draft), publishedAt: World.start,
                channel: generator.pick(nil, .beta, .stable))
        }
    }

    private static func query(_ generator: inout SeededGenerator) -> ProductListQuery {
        var query = ProductListQuery()
        query.client = Availability.Client(
            appVersion: generator.pick(nil, "1.4", "1.5", "2.0", "2.0.0", "4", "x"),
            platform: generator.pick(nil, "iOS", "macos", "other"), storefront: generator.pick(nil, "deu", "USA", "ITA")
        )
        query.placement = generator.pick(nil, "all", "some")
        query.bucket = Int.random(in: 0...99, using: &generator)
        return query
    }

    /// The list from the encoder, which knows nothing of texts.
    private static func encoded(
        _ app: App, _ records: [BundleName: [VersionRecord]], _ query: ProductListQuery, at date: Date
    ) throws -> String {
        let reader = VersionChoice.Reader(appVersion: query.client.appVersion)
        let newest = records.compactMapValues { VersionChoice($0, for: reader).newest }
        let body = ProductListBody(app, "r1", try ProductOffer(app, for: query, at: date), contents: newest)
        return String(buffer: try JSONCoding.encode(body))
    }

    @Test func `A joined product list is what the encoder would write`() throws {
        var (generator, kinds) = (SeededGenerator(seed: 18), Set<Int>())
        for round in 0..<300 {
            let app = try Self.app(&generator)
            let records: [BundleName: [VersionRecord]] = [
                "words": Self.records(&generator, "words"), "theme": Self.records(&generator, "theme"),
            ]
            let texts = try ProductTexts(app, "r1", records)
            for _ in 0..<10 {
                let (query, date) = (Self.query(&generator), World.start + generator.pick(-1e6, 0, 1e7))
                let offer = try ProductOffer(app, for: query, at: date)
                let list = String(decoding: try texts.list(offer, appVersion: query.client.appVersion), as: UTF8.self)
                #expect(list == (try Self.encoded(app, records, query, at: date)), "round \(round)")
                kinds.insert(offer.indices.count)
            }
        }
        #expect(kinds.count > 8, "lists of many lengths were compared")
    }

    // MARK: Over HTTP

    private static let count = 400

    private static let catalog: String = {
        let products = (0..<count).map { number in
            #"{"id": "p\#(number)", "type": "consumable", "metadata": {"title": "Product \#(number)"}, "#
                + (number % 2 == 0 ? #""storefronts": ["DEU"], "# : "")
                + (number == 1 ? #""availableUntil": "2026-11-21T00:00:00Z", "# : "") + #""credits": {"hints": 1}}"#
        }
        return #"{"apps": [{"bundleID": "\#(World.app)", "products": [\#(products.joined(separator: ","))]}]}"#
    }()

    private static func plain(_ answer: Answer) throws -> [UInt8] {
        switch answer.headers[.contentEncoding] {
        case "gzip": try Self.decoded(answer.bytes, by: GzipDecoder())
        case "zstd": try Self.decoded(answer.bytes, by: ZstdDecoder())
        default: Array(answer.bytes)
        }
    }

    private static func decoded(_ bytes: Data, by coder: some ByteCoder) throws -> [UInt8] {
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)
        defer { output.deallocate() }
        return try bytes.withUnsafeBytes { bytes in
            var (rest, text) = (UnsafeRawBufferPointer(bytes), [UInt8]())
            while true {
                let step = try coder.step(rest, isLast: true, into: output)
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(step.consumed))
                text += output.prefix(step.put)
                if step.isComplete || step.consumed + step.put == 0 { return text }
            }
        }
    }

    /// Each coding has an entity tag of its own, the same each time, and each tag is known in the other codings.
    @Test func `A product list for some clients is the same in each coding`() async throws {
        try await World.run(products: Self.catalog) { world in
            for query in ["?storefront=DEU", "?storefront=FRA", "?platform=iOS&appVersion=1"] {
                let plain = try await world.productList(query)
                #expect(plain.bytes.count > TextCoding.maximumPlainBytes && plain.headers[.contentEncoding] == nil)
                var tags = [plain.headers[.eTag] ?? ""]
                for coding in ["gzip", "zstd"] {
                    let answers = try await [
                        world.productList(query, headers: [.acceptEncoding: coding]),
                        world.productList(query, headers: [.acceptEncoding: coding]),
                    ]
                    for answer in answers {
                        #expect(answer.status == 200 && answer.headers[.contentEncoding] == coding)
                        #expect(answer.headers[.vary] == "accept-encoding")
                        #expect(answer.headers[.contentType] == "application/json")
                        #expect(try Self.plain(answer) == Array(plain.bytes))
                        tags.append(answer.headers[.eTag] ?? "")
                    }
                }
                #expect(plain.headers[.vary] == "accept-encoding" && tags[1] == tags[2] && tags[3] == tags[4])
                #expect(Set(tags).count == 3 && tags.allSatisfy { $0.hasPrefix("\"") })
                for (tag, coding) in tags.flatMap({ tag in ["", "gzip", "zstd"].map { (tag, $0) } }) {
                    let answer = try await world.productList(
                        query, headers: [.ifNoneMatch: tag, .acceptEncoding: coding])
                    #expect(answer.status == 304 && answer.bytes.isEmpty && answer.headers[.vary] != nil)
                }
                #expect(try await world.productList(query, headers: [.ifMatch: "\"x\""]).status == 412)
            }
        }
    }

    @Test func `A sale ends at its second in each coding`() async throws {
        try await World.run(products: Self.catalog) { world in
            func isOnSale(_ query: String, _ coding: String) async throws -> Bool {
                let answer = try await world.productList(query, headers: [.acceptEncoding: coding])
                return String(decoding: try Self.plain(answer), as: UTF8.self).contains("\"p1\"")
            }
            for time in ["2026-11-20T23:59:59Z", "2026-11-21T00:00:00Z", "2026-11-20T23:59:59Z"] {
                try world.clock.move(to: time)
                for query in ["", "?storefront=DEU", "?platform=iOS"] {
                    for coding in ["", "gzip", "zstd"] {
                        #expect(try await isOnSale(query, coding) == time.hasPrefix("2026-11-20"), "\(time) \(query)")
                    }
                }
            }
        }
    }

    // MARK: Bounds

    private static func list(bytes: Int, _ revision: Int = 0) throws -> NarrowedList {
        // Nothing that repeats, so that no coding makes it shorter.
        var generator = SeededGenerator(seed: UInt64(bytes))
        var random = ByteBuffer()
        while random.readableBytes < bytes { random.writeInteger(generator.next()) }
        random.moveWriterIndex(to: bytes)
        let text = random
        return NarrowedList(
            text: try TextRepresentations(text, "application/json").prepared(.gzip) { text },
            revision: .init(catalog: "r", content: revision), period: SalePeriod(from: nil, until: nil))
    }

    private static func key(_ version: Int, _ coding: TextCoding = .gzip) -> NarrowedLists.Key {
        .init(
            app: "a", clients: .init(version: version, platform: .other, storefront: .missing, bucket: 0),
            coding: coding)
    }

    /// Lists that are asked for stay, whatever else is asked for once.
    @Test func `Cached product lists that are used stay`() throws {
        let list = try Self.list(bytes: 10)
        var lists = NarrowedLists()
        for version in 0..<(3 * NarrowedLists.maximumLists) {
            #expect(version == 0 || lists.list(for: Self.key(0)) != nil)
            lists.insert(list, for: Self.key(version))
            #expect(lists.list(for: Self.key(version)) != nil)
            #expect(lists.count <= NarrowedLists.maximumLists && lists.bytes == lists.count * list.byteCount)
        }
        #expect(lists.count == NarrowedLists.maximumLists)
        #expect(lists.list(for: Self.key(1)) == nil && lists.list(for: Self.key(0, .zstd)) == nil)
    }

    @Test func `The memory of cached product lists is bounded`() throws {
        var lists = NarrowedLists()
        let large = try Self.list(bytes: NarrowedLists.maximumBytes / 3)
        #expect(large.byteCount > NarrowedLists.maximumBytes / 3 && large.byteCount < NarrowedLists.maximumBytes / 2)
        for version in 0..<5 {
            lists.insert(large, for: Self.key(version))
            lists.insert(large, for: Self.key(version))
            #expect(lists.bytes <= NarrowedLists.maximumBytes && lists.count == min(version + 1, 2))
        }
        #expect(lists.list(for: Self.key(4)) != nil && lists.list(for: Self.key(2)) == nil)
        lists.insert(try Self.list(bytes: NarrowedLists.maximumBytes), for: Self.key(9))
        #expect(lists.count == 2 && lists.list(for: Self.key(9)) == nil)
        let newer = try Self.list(bytes: 10, 1)
        lists.insert(newer, for: Self.key(9))
        #expect(lists.count == 1 && lists.bytes == newer.byteCount)
    }

    /// A large list that is ready in one coding is not held uncoded, and can still be sent uncoded.
    @Test func `A large product list is held once`() throws {
        let made = Atomic(0)
        for (size, held) in [
            (TextRepresentations.maximumHeldBytes, true), (TextRepresentations.maximumHeldBytes + 1, false),
        ] {
            let text = ByteBuffer(repeating: UInt8(ascii: "x"), count: size)
            let whole = TextRepresentations(text, "application/json")
            let plain = try whole.prepared(.identity) {
                made.add(1, ordering: .relaxed)
                return text
            }
            #expect(plain.heldBytes == (held ? size : 0))
            #expect(try plain.bytes(.identity) == text && plain.tag(.gzip) == whole.tag(.gzip))
            #expect(made.load(ordering: .relaxed) == (held ? 0 : 1))
            let zstd = try whole.prepared(.zstd) { text }
            #expect(zstd.heldBytes < 1_000 && zstd.codings == whole.codings)
            for coding in TextCoding.allCases { #expect(try zstd.bytes(coding) == whole.bytes(coding)) }
        }
    }

    // MARK: Made once

    /// However many ask at once, the content is read once for all of them.
    @Test func `A product list for many at once is made once`() async throws {
        try await World.run { world in
            let content = CountedContent(base: world.assembly.routes.services.content)
            let publications = try await PublicationDates(
                content, world.ledger, clock: { world.clock.now }, logger: World.quiet)
            let lists = ProductLists(world.assembly.routes.services.decisions.live, content, publications)
            let app = BundleID(stored: World.app)
            let tags = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        guard number % 2 == 0 else {
                            return try await lists.list(app, at: World.start).text.tag(.identity)
                        }
                        return try await lists.list(app, for: ProductListQuery(), acceptEncoding: nil, at: World.start)
                            .text.tag(.identity)
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(tags.count == 1)
            let reads = content.reads.withLock { $0 }
            #expect(!reads.isEmpty && reads.values.allSatisfy { $0 == 1 }, "\(reads)")
        }
    }

    /// A thousand different lists at once cost one processor at most: the next one is refused.
    @Test func `Too many different product lists at once are refused`() async throws {
        try await World.run { world in
            let publications = try await PublicationDates(
                world.assembly.routes.services.content, world.ledger, clock: { world.clock.now }, logger: World.quiet)
            let queue = SerialQueue()
            let lists = ProductLists(
                world.assembly.routes.services.decisions.live, world.assembly.routes.services.content, publications,
                narrowing: queue)
            let (held, release) = AsyncStream<Void>.makeStream()
            let app = BundleID(stored: World.app)
            func narrowed() async throws -> NarrowedList {
                try await lists.list(app, for: ProductListQuery(), acceptEncoding: nil, at: World.start)
            }
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0...SerialQueue.length + 1 {
                    group.addTask {
                        do { try await queue.run { for await _ in held {} } } catch { return false }
                        return true
                    }
                }
                #expect(try await group.next() == false, "the queue is full")
                let refused = await #expect(throws: Problem.self) { try await narrowed() }
                #expect(refused?.code == "busy" && refused?.retryAfter != nil)
                #expect(try await !lists.list(app, at: World.start).text.tag(.identity).isEmpty, "the whole list")
                release.finish()
                try await group.waitForAll()
            }
            #expect(try await !narrowed().text.tag(.identity).isEmpty)
        }
    }

    /// Content that counts how often its versions are read.
    private final class CountedContent: ContentRepository {
        let base: any ContentRepository
        let reads = Mutex<[BundleName: Int]>([:])

        init(base: any ContentRepository) { self.base = base }

        func records(of bundle: BundleName) async throws -> [VersionRecord] {
            reads.withLock { $0[bundle, default: 0] += 1 }
            return try await base.records(of: bundle)
        }

        func bundles() -> [BundleName] { base.bundles() }
        func manifest(of bundle: BundleName, version: SemanticVersion?) async throws -> Manifest? {
            try await base.manifest(of: bundle, version: version)
        }
        func location(of sha256: String) async throws -> ContentLocation? { try await base.location(of: sha256) }
        func variants(of sha256: String) async throws -> [ContentVariant] { try await base.variants(of: sha256) }
        func size(ofNamed sha256: String) -> Int? { base.size(ofNamed: sha256) }
        func refresh(at date: Date) async -> ContentChanges { await base.refresh(at: date) }
        func reload(at date: Date) async throws -> ContentChanges { try await base.reload(at: date) }
        var problems: [ContentError] { base.problems }
        var revision: Int { base.revision }
        var variantsRevision: Int { base.variantsRevision }
        var refreshInterval: Duration { base.refreshInterval }
    }
}
