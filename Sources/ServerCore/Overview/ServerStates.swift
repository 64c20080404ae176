import Basics
import Foundation
import ServerHTTP

/// The states that the servers of a ledger wrote into it: one small value each.
struct ServerStates: Sendable {
    /// More than any ledger has. Of more servers those that were silent longest are forgotten.
    static let maximumServers = 64
    /// In seconds. A server that is silent for so long is gone: a container has another name after each start.
    static let maximumSilence: TimeInterval = 24 * 3_600

    private static let prefix = "servers/"

    let store: any KeyValueStore

    init(_ store: any KeyValueStore) { self.store = store }

    /// All that can be read, the newest first. A later version of the server may write others.
    func all() async throws -> [ServerState] { try await entries().compactMap(\.state) }

    /// Replaces what the server wrote before, and forgets servers that are gone.
    func write(_ state: ServerState) async throws {
        let key = Self.prefix + state.server
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .millisecondsSince1970
        try await store.set([key: try encoder.encode(state)])
        let others = try await entries().filter { $0.key != key }
        let end = state.writtenAt.addingTimeInterval(-Self.maximumSilence)
        let gone = others.prefix(Self.maximumServers - 1).filter { $0.state.map { $0.writtenAt < end } ?? false }
        try await store.removeValues(forKeys: (gone + others.dropFirst(Self.maximumServers - 1)).map(\.key))
    }

    /// The newest first, last those that cannot be read.
    private func entries() async throws -> [(key: String, state: ServerState?)] {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        return try await store.values(withPrefix: Self.prefix)
            .map { (key: $0.key, state: try? decoder.decode(ServerState.self, from: $0.value)) }
            .sorted { one, other in
                (one.state?.writtenAt ?? .distantPast, other.key) > (other.state?.writtenAt ?? .distantPast, one.key)
            }
    }
}
