import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine

/// Requests of players that come together with those of the fast path.
@Suite struct PipelinedRequestTests {
    private static func request(_ method: String, _ target: String, as player: Player, body: String? = nil) -> String {
        let lines = ["\(method) \(target) HTTP/1.1", "Host: a", "Authorization: Bearer \(player.token)"]
        let length = body.map { ["Content-Length: \($0.utf8.count)"] } ?? []
        return (lines + length).joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    }

    /// The client ends its side after the last one, so that each is answered after a half close too.
    @Test(arguments: [1, 2, 3] as [UInt64]) func `Pipelined answers stay in order`(seed: UInt64) async throws {
        try await DownloadServer.run { shop in
            try await shop.warmUp()
            let player = try await shop.world.buyer(of: "hardwords")
            let (list, link) = ("/v1/apps/\(World.app)/products", try shop.link("small.txt"))
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<5 {
                let text = (0..<40).map { _ in
                    switch Int.random(in: 0..<8, using: &generator) {
                    case 0: Self.request("GET", list, as: player)
                    case 1: Self.request("GET", link, as: player)
                    case 2: Self.request("HEAD", "/v1/entitlements", as: player)
                    case 3: Self.request("POST", "/v1/balances/gems/spend", as: player, body: "{\"amount\":0}")
                    case 4: Self.request("GET", "/v1/bundles/hard-words", as: player)
                    case 5: Self.request("GET", "/health", as: player)
                    default: Self.request("GET", "/v1/entitlements", as: player)
                    }
                }.joined()
                let (fast, plain) = try await shop.both(text)
                #expect(plain.statuses.count == 40)
                if fast != plain { Issue.record("FAST \(fast.prefix(2_000))\nPLAIN \(plain.prefix(2_000))") }
            }
        }
    }
}
