import CommandLine
import Foundation
import InAppPurchase
import NIOHTTP1
import ServerHTTP
import Synchronization
import Testing

/// Receipts to post, and which of them were acknowledged.
package final class Work: Sendable {
    package static let count = 1_000
    /// At once; each posts its share.
    package static let connections = 8

    package struct Item: Sendable {
        package var id: Int
        package var receipt: String
        package var token: String
        /// Its value; 0 for the word list.
        package var hints: Int
    }

    package let items: [Item]
    private let state = Mutex<(acknowledged: Set<Int>, posted: Int)>(([], 0))

    package init(players: [Player], authority: SigningAuthority) throws {
        let now = Date()
        items = try (0..<Self.count).map { id in
            let isWords = id.isMultiple(of: 4)
            let number = JSONValue.string("\(3_000_000_000_000_000 + id)")
            let transaction = SigningAuthority.transaction(
                [
                    "transactionId": number, "originalTransactionId": number,
                    "productId": .string("\(World.app).\(isWords ? "hardwords" : "tenhints")"),
                    "type": isWords ? "Non-Consumable" : "Consumable",
                ], at: now)
            return Item(
                id: id, receipt: try authority.jws(transaction), token: players[id % players.count].token,
                hints: isWords ? 0 : 10)
        }
    }

    package var posted: Int { state.withLock { $0.posted } }

    package func isAcknowledged(_ item: Item) -> Bool { state.withLock { $0.acknowledged.contains(item.id) } }

    /// Posts this worker's share, each receipt once; one without an answer counts as not acknowledged.
    package func post(by worker: Int, to server: ServerProcess) async throws {
        for item in items where item.id % Self.connections == worker {
            let answer = try? await server.post(item.receipt, token: item.token)
            #expect(answer.map { $0.status == 200 } ?? true, "\(String(describing: answer))")
            state.withLock { state in
                if answer != nil { state.acknowledged.insert(item.id) }
                state.posted += 1
            }
            if answer == nil {
                try await poll("the server is back") { (try? await server.call(.GET, "/health").status) == 200 }
            }
        }
    }
}
