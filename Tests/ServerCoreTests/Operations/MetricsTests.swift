import Foundation
import HTTPTypes
import HummingbirdCore
import InAppPurchase
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// The measurements that an operator sees at `/metrics`.
@Suite struct MetricsTests {
    /// There before anything happened.
    static let always: Set<String> = [
        "process_start_time_seconds", "quartermaster_catalog_last_reload_successful",
        "quartermaster_catalog_reload_failures_total", "quartermaster_content_sent_bytes_total",
        "quartermaster_http_connections", "quartermaster_http_requests_in_flight",
        "quartermaster_ledger_commit_writes_count",
        "quartermaster_ledger_write_duration_seconds_count{phase=\"commit\"}",
        "quartermaster_ledger_write_duration_seconds_count{phase=\"wait\"}",
        "quartermaster_ledger_write_duration_seconds_count{phase=\"work\"}",
        "quartermaster_oldest_pending_receipt_age_seconds", "quartermaster_receipts_pending",
        "quartermaster_rate_limited_total{limit=\"connections\"}",
        "quartermaster_rate_limited_total{limit=\"accounts\"}",
        "quartermaster_rate_limited_total{limit=\"bodies\"}", "quartermaster_rate_limited_total{limit=\"unsent\"}",
        "quartermaster_rate_limited_total{limit=\"adminTokens\"}",
        "quartermaster_rate_limited_total{limit=\"notifications\"}",
        "quartermaster_rate_limited_total{limit=\"pendingBytes\"}",
        "quartermaster_rate_limited_total{limit=\"rejectedBytes\"}",
        "quartermaster_rate_limited_total{limit=\"receipts\"}",
        "quartermaster_rate_limited_total{limit=\"unavailableProducts\"}",
        "quartermaster_rate_limited_total{limit=\"recoveryCodes\"}",
        "quartermaster_rate_limited_total{limit=\"sessions\"}", "quartermaster_refused_metrics",
        "quartermaster_notifications_total{outcome=\"applied\",version=\"2\"}",
        "quartermaster_notifications_total{outcome=\"duplicate\",version=\"2\"}",
        "quartermaster_notifications_total{outcome=\"kept\",version=\"2\"}",
        "quartermaster_notifications_total{outcome=\"rejected\",version=\"2\"}",
        "quartermaster_store_request_duration_seconds_count{result=\"badRequest\"}",
        "quartermaster_store_request_duration_seconds_count{result=\"clock\"}",
        "quartermaster_store_request_duration_seconds_count{result=\"doubtful\"}",
        "quartermaster_store_request_duration_seconds_count{result=\"misconfigured\"}",
        "quartermaster_store_request_duration_seconds_count{result=\"rejected\"}",
        "quartermaster_store_request_duration_seconds_count{result=\"temporary\"}",
        "quartermaster_store_request_duration_seconds_count{result=\"verified\"}",
        "quartermaster_transactions_total{outcome=\"alreadyDelivered\"}",
        "quartermaster_transactions_total{outcome=\"delivered\"}",
        "quartermaster_transactions_total{outcome=\"denied\",reason=\"typeMismatch\"}",
        "quartermaster_transactions_total{outcome=\"denied\",reason=\"unknownProduct\"}",
    ]

    @Test func `The first scrape has every series at zero`() async throws {
        try await World.run { world in
            let scrape = try await world.scrape()
            #expect(scrape.series == Self.always)
            let set = [
                "process_start_time_seconds": "1795000000", "quartermaster_http_requests_in_flight": "1",
                // The scrape's own.
                "quartermaster_http_connections": "1", "quartermaster_catalog_last_reload_successful": "1",
            ]
            for series in Self.always where !series.contains("_ledger_") {
                #expect(scrape[series] == set[series] ?? "0", "\(series)")
            }
        }
    }

    /// Buys, presents it again, is refused, gets lost: the scrape has these series and no others.
    @Test func `The requests of a purchase are measured in the expected series`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            for _ in 1...2 { #expect(try await world.post(bought.signedTransaction, as: player).status == 200) }
            let hints = try await world.buy("tenhints", "consumable")
            #expect(try await world.post(hints.appReceipt, as: player).status == 200)
            let unknown = try await world.buy("cheathints", "consumable")
            #expect(try await world.post(unknown.signedTransaction, as: player).status == 200)
            #expect(try await world.post("garbage", as: player).status == 422)
            #expect(try await world.post(bought.signedTransaction + "AAAA", as: player).status == 422)
            #expect(try await world.call(.get, "/v1/entitlements").status == 401)
            #expect(try await world.call(.get, "/nowhere").status == 404)
            #expect(try await world.call(.head, "/health").status == 200)
            let scrape = try await world.scrape()
            let expected = [
                "http_requests_total{method=\"POST\",route=\"/v1/accounts\",status=\"201\"}": "1",
                "http_requests_total{method=\"POST\",route=\"/v1/receipts\",status=\"200\"}": "4",
                "http_requests_total{method=\"POST\",route=\"/v1/receipts\",status=\"422\"}": "2",
                "http_requests_total{method=\"GET\",route=\"/v1/entitlements\",status=\"401\"}": "1",
                "http_requests_total{method=\"GET\",route=\"none\",status=\"404\"}": "1",
                "http_requests_total{method=\"HEAD\",route=\"/health\",status=\"200\"}": "1",
                "receipts_total{kind=\"signedTransaction\",outcome=\"verified\"}": "3",
                "receipts_total{kind=\"appReceipt\",outcome=\"verified\"}": "1",
                "receipts_total{kind=\"unknown\",outcome=\"rejected\",reason=\"malformed\"}": "1",
                "receipts_total{kind=\"signedTransaction\",outcome=\"rejected\",reason=\"signature\"}": "1",
                "transactions_total{outcome=\"delivered\"}": "2",
                "transactions_total{outcome=\"alreadyDelivered\"}": "2",
                "transactions_total{outcome=\"denied\",reason=\"unknownProduct\"}": "1",
                "store_request_duration_seconds_count{result=\"verified\"}": "1",
            ]
            for (series, value) in expected {
                #expect(scrape["quartermaster_" + series] == value, "\(series)\n\(scrape)")
            }
            let durations = expected.keys.filter { $0.hasPrefix("http_requests_total") }
                .map { $0.replacing("http_requests_total", with: "http_request_duration_seconds_count") }
            for series in durations {
                let count = series.replacing("http_request_duration_seconds_count", with: "http_requests_total")
                #expect(scrape["quartermaster_" + series] == expected[count], "\(series)")
            }
            let all = Self.always.union((expected.keys + durations).map { "quartermaster_" + $0 })
            #expect(scrape.series == all)
        }
    }

    /// Each commit is in all three phases; reads are in none.
    @Test func `Each commit is measured once`() async throws {
        try await World.run { world in
            let before = try await world.scrape().commits
            let player = try await world.newPlayer()
            _ = try await world.entitlements(of: player)
            #expect(try await world.scrape().commits == before.map { $0 + 1 })
            #expect(Set(before).count == 1)
            let scrape = try await world.scrape()
            #expect(scrape["quartermaster_ledger_commit_writes_sum"].flatMap(Int.init) == scrape.commits.first)
        }
    }

    @Test func `Waiting receipts and notifications are measured with their age`() async throws {
        try await World.run { world in
            func pending() async throws -> [String?] {
                let scrape = try await world.scrape()
                return [
                    "receipts_pending", "oldest_pending_receipt_age_seconds",
                    "receipts_total{kind=\"appReceipt\",outcome=\"pending\"}",
                    "receipts_total{kind=\"appReceipt\",outcome=\"verified\"}",
                    "store_request_duration_seconds_count{result=\"temporary\"}",
                ].map { scrape["quartermaster_" + $0] }
            }
            let player = try await world.newPlayer()
            _ = try await world.act("faults", ["http": 503])
            let bought = try await world.buy("hardwords", "non-consumable")
            #expect(try await world.post(bought.appReceipt, as: player).status == 202)
            #expect(try await pending() == ["1", "0", "1", nil, "1"])
            world.clock.advance(by: 90.5)
            await world.assembly.worker.askAboutDueReceipts()
            #expect(try await pending() == ["1", "90.5", "1", nil, "2"])
            try await world.endFaults()
            world.clock.advance(by: 60)
            await world.assembly.worker.askAboutDueReceipts()
            #expect(try await pending() == ["0", "0", "1", "1", "2"])
        }
    }

    @Test func `The bytes of content that were sent are measured`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            _ = try await world.post(world.buy("hardwords", "non-consumable").signedTransaction, as: player)
            let file = try await world.call(.get, "/v1/bundles/hard-words", as: player).json["files"][0]
            let (url, size) = (try #require(file["url"].text), try #require(file["size"].number))
            _ = try await world.call(.get, url)
            _ = try await world.call(.head, url)
            _ = try await world.call(.get, url, headers: [.range: "bytes=0-9"])
            let scrape = try await world.scrape()
            #expect(scrape["quartermaster_content_sent_bytes_total"] == "\(size + 10)")
            let route = "route=\"/v1/content/{sha256}\""
            #expect(scrape["quartermaster_http_requests_total{method=\"GET\",\(route),status=\"206\"}"] == "1")
        }
    }

    @Test func `A refused catalog is measured as a failed reload`() async throws {
        try await World.run(products: SampleCatalog.text(SampleCatalog.hints)) { world in
            var seen = CatalogWatcher.Seen()
            func reloads() async throws -> [String?] {
                let scrape = try await world.scrape()
                return ["reload_failures_total", "last_reload_successful"]
                    .map { scrape["quartermaster_catalog_\($0)"] }
            }
            try world.write("{")
            for _ in 1...4 { try await world.lookAtCatalog(&seen) }
            #expect(try await reloads() == ["1", "0"])
            try world.write(SampleCatalog.text(SampleCatalog.words))
            try await world.lookAtCatalog(&seen)
            #expect(try await reloads() == ["1", "1"])
        }
    }

    /// The scrape goes on without the ledger's gauges.
    @Test func `A ledger that cannot be read leaves out its gauges and counts a failure`() async throws {
        try await World.run { world in
            #expect(try await world.scrape()["quartermaster_receipts_pending"] == "0")
            try await world.loseTables("receipts", "accounts")
            #expect(try await world.call(.get, "/ready").status == 503)
            let scrape = try await world.scrape()
            let failed = "quartermaster_http_requests_total{method=\"GET\",route=\"/ready\",status=\"503\"}"
            #expect(scrape[failed] == "1")
            #expect(scrape["quartermaster_receipts_pending"] == nil)
            #expect(scrape["quartermaster_oldest_pending_receipt_age_seconds"] == nil)
        }
    }
}
