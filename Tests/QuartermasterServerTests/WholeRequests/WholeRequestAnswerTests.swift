import InAppPurchase
import NIOCore
import TestSupport
import Testing

@testable import QuartermasterServer

/// Whole requests are answered as those that the framework reads, byte for byte, and in their order.
@Suite struct WholeRequestAnswerTests {
    private static let headers: [[String]] = [
        [], ["Connection: keep-alive"], ["Connection: close"], ["Connection: Keep-Alive, TE"],
        ["Connection: upgrade", "Upgrade: websocket"], ["Content-Length: 0"], ["Expect: 100-continue"],
        ["Expect: something"], ["Cookie: a=b; c=d", "Cookie: e=f"], ["Accept-Encoding: gzip"], ["X-Request-Id: mine"],
        ["X-Forwarded-For: 192.0.2.1"], ["Accept: text/html"], ["If-None-Match: *"], ["Range: bytes=0-1"],
        ["Authorization: Bearer x"], ["Content-Type: text/plain"], ["aUtHoRiZaTiOn: Basic x"],
    ]

    private static func request(
        _ method: String, _ target: String, as player: Player, _ headers: [String] = [], body: String? = nil
    ) -> String {
        let lines = ["\(method) \(target) HTTP/1.1", "Host: a", "Authorization: Bearer \(player.token)"] + headers
        let length = body.map { ["Content-Length: \($0.utf8.count)"] } ?? []
        return (lines + length).joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    }

    private static let targets = [
        "/v1/entitlements", "/v1/entitlements?environment=Sandbox", "/v1/bundles", "/v1/bundles/hard-words",
        "/v1/bundles/nothing", "/v1/purchases", "/v1/receipts/r_none", "/v1/balances/gems/postings", "/v1/nothing",
        "/v1/", "/v1//entitlements", "/v1/entitlements/", "/v1/%65ntitlements", "/v1/entitlements#x",
        "/v1/bundles/%00", "/v1/bundles/%2e%2e", "/v1/entitlements?a=%zz",
    ]

    /// Bodies of receipts: one that can be read again and again, and those that nothing reads.
    private static func bodies(_ bought: Bought) -> [String] {
        [
            "{\"receipt\":\"\(bought.signedTransaction)\"}", "{\"receipt\":\"\"}", "{\"receipt\":1}", "{}", "[]", "",
            "{", "\u{0}", "{\"receipt\":\"x\",\"bundleID\":\"\\u0001\"}", String(repeating: "[", count: 16_000),
            String(repeating: " ", count: WholeRequest.maximumBodyBytes - 2) + "{}",
            String(repeating: " ", count: WholeRequest.maximumBodyBytes - 1) + "{}",
        ]
    }

    @Test("Whole requests are answered as the framework's are")
    func wholeRequestsAreAnsweredAsTheFrameworksAre() async throws {
        try await DownloadShop.run { shop in
            let player = try await shop.world.newPlayer()
            let bought = try await shop.world.buy("hardwords", "non-consumable")
            #expect(try await shop.world.post(bought.signedTransaction, as: player).status == 200)
            var requests = Self.targets.map { Self.request("GET", $0, as: player) }
            requests += ["/v1/entitlements", "/v1/bundles/hard-words"].flatMap { target in
                Self.headers.map { Self.request("GET", target, as: player, $0) }
            }
            requests += Self.bodies(bought).map { Self.request("POST", "/v1/receipts", as: player, body: $0) }
            requests += ["/v1/restore", "/v1/balances/gems/spend", "/v1/deliveries/x/confirm", "/v1/entitlements"]
                .flatMap { path in ["{", "{}"].map { Self.request("POST", path, as: player, body: $0) } }
            for request in requests { try await Self.compare(request, in: shop) }
        }
    }

    private static func compare(_ request: String, in shop: DownloadShop) async throws {
        let (whole, plain) = try await shop.both(request)
        #expect(!plain.statuses.isEmpty)
        guard whole.withoutReceipts != plain.withoutReceipts else { return }
        Issue.record("\(request.prefix(400))\nWHOLE \(whole.prefix(900))\nPLAIN \(plain.prefix(900))")
    }

    @Test("Pipelined answers stay in order", arguments: [1, 2, 3] as [UInt64])
    func pipelinedAnswersStayInOrder(seed: UInt64) async throws {
        try await DownloadShop.run { shop in
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
                let (whole, plain) = try await shop.both(text)
                #expect(plain.statuses.count == 40)
                if whole != plain { Issue.record("WHOLE \(whole.prefix(2_000))\nPLAIN \(plain.prefix(2_000))") }
            }
        }
    }
}

extension String {
    /// Without the IDs of receipts, each of which is recorded anew.
    fileprivate var withoutReceipts: String { replacing(/r_[0-9A-Za-z_-]{10,}/, with: "r") }
}
