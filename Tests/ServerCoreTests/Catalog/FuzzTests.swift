import Foundation
import HTTPTypes
import InAppPurchase
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine

/// Mutations of good requests, thousands of them: every one is answered below 500 or closed, and the server lives.
@Suite struct FuzzTests {
    static let rounds = 3_000
    static let atOnce = 8

    @Test(arguments: [1, 2] as [UInt64])
    func `No mutation of a good request makes the server fail`(seed: UInt64) async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let seeds = try await Self.goodRequests(of: player, in: world)
            for request in seeds {
                let answer = try await RawConnection.exchange(request.bytes, port: world.port)
                #expect((200..<300).contains(answer.statuses.last ?? 0), "\(request): \(answer)")
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<Self.atOnce {
                    group.addTask {
                        var mutator = Mutator(seed: seed << 32 | UInt64(worker))
                        for _ in 0..<(Self.rounds / 2 / Self.atOnce) {
                            let request = mutator.mutate(seeds)
                            let answer = try await RawConnection.exchange(request, port: world.port)
                            let isCalm = answer.statuses.allSatisfy { $0 < 500 }
                            #expect(isCalm, "\(String(decoding: request.prefix(2_000), as: UTF8.self)) → \(answer)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await world.unharmed { _ in }
        }
    }

    private static func goodRequests(of player: Player, in world: World) async throws -> [HTTPText] {
        let bought = try await world.buy("tenhints", "consumable")
        let words = try await world.buy("hardwords", "non-consumable")
        _ = try await world.post(bought.signedTransaction, as: player)
        _ = try await world.post(words.signedTransaction, as: player)
        let manifest = try await world.call(.get, "/v1/bundles/hard-words", as: player).json
        let url = try #require(manifest["files"][0]["url"].text)
        let owner = "Authorization: Bearer \(player.token)\r\n"
        return [
            HTTPText("POST", "/v1/accounts"),
            HTTPText("POST", "/v1/sessions", body: "{\"recoveryCode\": \"\(player.recoveryCode)\"}"),
            HTTPText("POST", "/v1/receipts", owner, body: "{\"receipt\": \"\(bought.signedTransaction)\"}"),
            HTTPText("POST", "/v1/receipts", owner, body: "{\"receipt\": \"\(bought.transactionReceipt)\"}"),
            HTTPText("POST", "/v1/receipts", owner, body: "{\"receipt\": \"\(words.appReceipt)\"}"),
            HTTPText(
                "POST", "/v1/restore", owner, body: "{\"receipts\": [\"\(words.signedTransaction)\", \"x\"]}"),
            HTTPText(
                "POST", "/v1/balances/hints/spend", owner + "Idempotency-Key: \(UUID().uuidString)\r\n",
                body: "{\"amount\": 1, \"bundleID\": \"\(World.app)\", \"environment\": \"Production\"}"),
            HTTPText("GET", "/v1/entitlements?bundleID=\(World.app)&environment=Sandbox", owner),
            HTTPText("GET", "/v1/bundles/hard-words?version=1.0.0", owner),
            HTTPText("GET", url, "Range: bytes=1-99\r\nIf-Range: \"x\"\r\n"),
            HTTPText("HEAD", url, "If-None-Match: \"x\", W/\"y\"\r\n"),
            HTTPText(
                "GET", "/v1/apps/\(World.app)/products?appVersion=1.2&platform=iOS&storefront=DEU",
                "If-None-Match: \"x\"\r\n"),
            HTTPText("GET", "/health"), HTTPText("GET", "/ready"),
        ]
    }
}

/// Changes requests, the same way for the same seed.
struct Mutator {
    static let morsels: [[UInt8]] =
        [[0], [0xFF], Array(repeating: 0x41, count: 9_000)]
        + [
            "\r\n", "\r\n\r\n", "\"", "\\u0000", "\\ud800", "[[[[[[[[", "{}", "null", "-1", "1e999",
            "18446744073709551616", "%00", "%", "../", "🎩", "bytes=-0,9-1", "chunked", "HTTP/0.9",
            "Transfer-Encoding: chunked\r\n", "Content-Length: -1\r\n", "Expect: 100-continue\r\n",
        ].map { Array($0.utf8) }

    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func mutate(_ requests: [HTTPText]) -> [UInt8] {
        guard let request = requests.randomElement(using: &generator) else { return [] }
        let isWellFramed = !request.body.isEmpty && Bool.random(using: &generator)
        var bytes = isWellFramed ? Array(request.body.utf8) : request.bytes
        for _ in 0...Int.random(in: 0...3, using: &generator) { change(&bytes) }
        return isWellFramed ? request.bytes(body: bytes) : bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &generator)
        let end = min(bytes.count, place + Int.random(in: 0...20, using: &generator))
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: bytes.insert(contentsOf: Self.morsels.randomElement(using: &generator) ?? [], at: place)
        case 1: bytes.replaceSubrange(place..<end, with: Self.morsels.randomElement(using: &generator) ?? [])
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 4: bytes.removeSubrange(end...)
        default: if bytes.indices.contains(place) { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator) }
        }
    }
}
