import Foundation
import InAppPurchase
import SystemPackage
import TestSupport
import Testing

@testable import Content

/// Two publishers that know nothing of each other: one of them wins completely.
@Suite struct PublisherRaceTests {
    private func files(_ name: String, _ generator: inout SeededGenerator) -> [String: String] {
        let count = Int.random(in: 1...6, using: &generator)
        return Dictionary(
            uniqueKeysWithValues: (0..<count).map { place in
                ("\(place)", Bool.random(using: &generator) ? "shared \(place)" : "\(name) \(place)")
            }
        ).merging(["name": name]) { $1 }
    }

    @Test(arguments: UInt64(1)...12)
    func `Of two publishers of one version one wins as a whole`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let store = try TestStore()
        try await store.publish("1.0.0", ["words.txt": "before"])
        let contents = [files("a", &generator), files("b", &generator)]
        let sources = try contents.map(store.source)
        let (plan, path, ledger) = (try store.plan("1.1.0"), store.content.path, store.ledger)
        let wins = await withTaskGroup(of: Bool.self) { group in
            for source in sources {
                let publisher = ContentPublisher(content: .folder(path), trail: ledger)
                group.addTask { (try? await publisher.publish(source, as: plan, TestStore.act)) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(wins == 1)
        let served = try #require(try await store.served())
        #expect(contents.contains(served))
        #expect(try await store.trail().count == 2)
        _ = try await store.collector.collect(grace: 0, at: TemporaryFolder.later)
        #expect(try store.stored("objects").count == Set(served.values).count + 1)
        #expect(try store.stored("incoming") == [])
    }

    /// Every interleaving of the steps of two uploading clients; whoever comes second with other files is refused.
    @Test(arguments: UInt64(1)...20)
    func `Of two uploads of one version one is served as a whole`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let store = try TestStore()
        let contents = [files("a", &generator), files("b", &generator)]
        let manifests = try contents.map { try store.manifest("1.0.0", $0) }
        var (steps, done) = ([0, 0], 0)
        while done < 2 {
            let client = Int.random(in: 0...1, using: &generator)
            switch steps[client] {
            case 0: _ = try? await store.publisher.draft(manifests[client], isPatch: false, TestStore.act)
            case 1:
                let place = try #require(SemanticVersion("1.0.0"))
                let source = try SourceFolder(FilePath(store.source(contents[client]))) { _ in }
                try await store.publisher.store.add(source, manifests[client]) { _ in }
                _ = try? await store.publisher.publish(place, of: "words", TestStore.act)
                done += 1
            default: break
            }
            steps[client] += 1
            let served = try await store.served()
            #expect(served == nil || contents.contains(served ?? [:]))
        }
        #expect(try await store.served() != nil)
    }
}
