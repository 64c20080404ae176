import Foundation
import InAppPurchase
import NIOHTTP1
import Synchronization
import Testing

@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

/// Receipts to post, and which of them were acknowledged.
final class Work: Sendable {
    struct Item: Sendable {
        var id: Int
        var receipt: String
        var token: String
        /// Its value; 0 for the word list.
        var hints: Int
    }

    let items: [Item]
    private let state = Mutex<(acknowledged: Set<Int>, posted: Int)>(([], 0))

    init(players: [Player], authority: SigningAuthority) throws {
        let now = Date()
        items = try (0..<CrashTests.receipts).map { id in
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

    var posted: Int { state.withLock { $0.posted } }

    func isAcknowledged(_ item: Item) -> Bool { state.withLock { $0.acknowledged.contains(item.id) } }

    /// Posts this worker's share, each receipt once; one without an answer counts as not acknowledged.
    func post(by worker: Int, to server: ServerProcess) async throws {
        for item in items where item.id % CrashTests.connections == worker {
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
