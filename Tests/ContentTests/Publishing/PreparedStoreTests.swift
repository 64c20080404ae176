import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import Content

/// Variants of what is published, from the publication to their end.
@Suite struct PreparedStoreTests {
    let store: TestStore
    private let texts: [String]

    init() throws {
        store = try TestStore()
        let bench = try CodingBench(seed: 31, size: 9_000)
        texts = [bench.older, bench.newer].map { String(decoding: $0, as: UTF8.self) }
    }

    private func variants(of text: String) async throws -> [ContentVariant] {
        try await store.content.store().variants(of: TestStore.sha256(text))
    }

    private func locations(of variants: [ContentVariant]) async throws -> Int {
        let server = try await store.content.store()
        return variants.count { server.location(of: $0.sha256) != nil }
    }

    @Test func `A version is published with its variants and patches`() async throws {
        var steps: Set<PublishingProgress.Step> = []
        try await store.publish("1.0.0", ["words.txt": texts[0]])
        for await progress in await AsyncStream<PublishingProgress>.of({ report in
            let outcome = try? await store.publisher.publish(
                store.source(["words.txt": texts[1]]), as: store.plan("1.1.0"), TestStore.act, progress: report)
            #expect(outcome?.isChanged == true && outcome?.unprepared == [])
        }) { steps.insert(progress.step) }
        #expect(steps == [.reading, .writing, .compressing])
        #expect(try await variants(of: texts[0]).map(\.encoding) == [.zstd, .gzip])
        let variants = try await variants(of: texts[1])
        #expect(variants.map(\.encoding) == [.zstd, .gzip, .patch, .dcz])
        #expect(try await locations(of: variants) == 4)
        #expect(try store.stored("objects").count == 2 + 2 + 4)
    }

    /// Patches of a large file take minutes. The reported progress grows in small steps up to the whole, and never
    /// falls.
    @Test func `The progress of compression is reported in small steps`() async throws {
        let bench = try CodingBench(seed: 32, size: 3 << 20)
        let (older, newer) = (
            String(decoding: bench.older, as: UTF8.self), String(decoding: bench.newer, as: UTF8.self)
        )
        try await store.publish("1.0.0", ["words.txt": older])
        var reported: [PublishingProgress] = []
        for await progress in await AsyncStream<PublishingProgress>.of({ report in
            let outcome = try? await store.publisher.publish(
                store.source(["words.txt": newer]), as: store.plan("1.1.0"), TestStore.act, progress: report)
            #expect(outcome?.unprepared == [])
        }) where progress.step == .compressing { reported.append(progress) }
        let total = try #require(reported.last?.total)
        #expect(reported.last?.done == total && total == newer.utf8.count)
        var before = 0
        for progress in reported {
            #expect(progress.done > before && progress.done - before <= CodingRun.chunkBytes, "\(before) \(progress)")
            before = progress.done
        }
    }

    @Test func `Patches are also made from folders made by hand`() async throws {
        try store.content.write(texts[0], to: "words/1.0.0/words.txt")
        try await store.publish("1.1.0", ["words.txt": texts[1]])
        #expect(try await variants(of: texts[1]).compactMap(\.from).first == TestStore.sha256(texts[0]))
    }

    @Test func `A server prepares versions made by hand`() async throws {
        for (text, version) in zip(texts, ["1.0.0", "1.1.0"]) {
            try store.content.write(text, to: "words/\(version)/words.txt")
        }
        let server = try await store.content.store()
        let version = try #require(server.manifest(of: "words", version: nil)).version
        let summary = try #require(try await server.prepare(version, of: "words"))
        #expect(summary == .init(made: 4))
        #expect(server.variants(of: TestStore.sha256(texts[1])) == [])
        #expect(await server.refresh(at: TemporaryFolder.later).isEmpty)
        let variants = server.variants(of: TestStore.sha256(texts[1]))
        #expect(variants.count == 4 && variants.allSatisfy { server.location(of: $0.sha256) != nil })
        #expect(try await server.prepare(version, of: "words") == .init())
        #expect(try await server.prepare(version, of: "other") == nil)
        for variant in variants {
            try store.content.remove(".store/objects/\(variant.sha256.prefix(2))/\(variant.sha256)")
        }
        #expect(variants.allSatisfy { server.location(of: $0.sha256) == nil })
    }

    @Test func `A cancelled preparation ends`() async throws {
        try store.content.write(texts[0], to: "words/1.0.0/words.txt")
        let server = try await store.content.store()
        let version = try #require(SemanticVersion("1.0.0"))
        let task = Task { try await server.prepare(version, of: "words") }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `Collecting keeps the variants of what is served`() async throws {
        try store.content.write(texts[0], to: "words/1.0.0/words.txt")
        try await store.publish("1.1.0", ["words.txt": texts[1]])
        let version = try #require(SemanticVersion("1.0.0"))
        _ = try await store.content.store().prepare(version, of: "words")
        let before = try store.stored("objects") + store.stored("variants")
        let collector = ContentCollector(content: .folder(store.content.path))
        let findings = try await collector.collect(grace: 0, at: TemporaryFolder.later)
        #expect(findings == .init())
        #expect(try store.stored("objects") + store.stored("variants") == before)
        try store.content.remove("words/1.0.0")
        #expect(try await collector.collect(grace: 0, at: TemporaryFolder.later).objects == 2)
        #expect(try await locations(of: variants(of: texts[1])) == 4)
        try store.content.remove(".store/bundles/words/1.1.0.json")
        _ = try await collector.collect(grace: 0, at: TemporaryFolder.later)
        #expect(try store.stored("objects") == [] && store.stored("variants") == [])
    }
}

extension AsyncStream where Element: Sendable {
    /// The reports while the body runs.
    fileprivate static func of(_ body: @escaping (@escaping @Sendable (Element) -> Void) async -> Void) async -> Self {
        let (stream, continuation) = makeStream()
        await body { continuation.yield($0) }
        continuation.finish()
        return stream
    }
}
