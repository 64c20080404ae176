import Foundation
import HTTPTypes
import PrometheusMetrics
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

/// Names that follow Prometheus' own rules, and no series made by clients.
@Suite struct MetricNameTests {
    @Test(arguments: MetricFamily.server) func `Every metric is named by the convention`(family: MetricFamily) {
        let name = family.name
        #expect(name.wholeMatch(of: /(quartermaster|process)(_[a-z]+)+/) != nil)
        #expect(family.help.count > 20 && family.help.hasSuffix(".") && !family.help.contains("\n"))
        for kept in ["_bucket", "_count", "_sum"] { #expect(!name.hasSuffix(kept)) }
        switch family.kind {
        case .counter: #expect(name.hasSuffix("_total"))
        case .gauge: #expect(!name.hasSuffix("_total"))
        case .histogram(let bounds):
            #expect(name.hasSuffix("_seconds") || name.hasSuffix("_writes"))
            #expect(bounds == Set(bounds).sorted() && (bounds.first ?? 0) > 0)
        }
        if name.contains("age") || name.contains("time") { #expect(name.hasSuffix("_seconds")) }
        if family.help.contains("Bytes") { #expect(name.hasSuffix("_bytes_total")) }
    }

    /// Operators' dashboards and alerts have these names; a new one is added here.
    static let names: Set<String> = [
        "process_start_time_seconds", "quartermaster_alarm_age_seconds", "quartermaster_alarm_items",
        "quartermaster_alarm_level", "quartermaster_catalog_last_reload_successful",
        "quartermaster_catalog_reload_failures_total", "quartermaster_certificate_not_after_seconds",
        "quartermaster_content_sent_bytes_total", "quartermaster_http_connections",
        "quartermaster_http_request_duration_seconds", "quartermaster_http_requests_in_flight",
        "quartermaster_http_requests_total",
        "quartermaster_ledger_commit_writes", "quartermaster_ledger_write_duration_seconds",
        "quartermaster_newest_notification_age_seconds", "quartermaster_notifications_total",
        "quartermaster_oldest_pending_receipt_age_seconds", "quartermaster_rate_limited_total",
        "quartermaster_receipts_pending", "quartermaster_receipts_total", "quartermaster_refused_metrics",
        "quartermaster_store_request_duration_seconds", "quartermaster_transactions_total",
        "quartermaster_verified_notifications_total",
    ]

    @Test func `No metric is renamed`() async throws {
        #expect(Set(MetricFamily.server.map(\.name)).symmetricDifference(Self.names) == [])
        #expect(
            ServerMetrics.NotificationOutcome.allCases.map(\.rawValue) == ["applied", "kept", "duplicate", "rejected"])
        try await World.run { world in
            let samples = try await world.scrape().samples.keys
            for result in ["verified", "rejected", "temporary", "doubtful", "misconfigured", "badRequest", "clock"] {
                let count = "quartermaster_store_request_duration_seconds_count{result=\"\(result)\"}"
                #expect(samples.contains(count), "\(count)")
            }
        }
    }

    @Test func `No metric name is used twice`() {
        #expect(Set(MetricFamily.server.map(\.name)).count == MetricFamily.server.count)
    }

    /// Whatever is asked for, methods, paths and statuses are from this server's own words.
    @Test func `Nothing that a client sends makes a new series`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            func ask(_ number: Int) async throws {
                let method = try #require(HTTPRequest.Method(["LOCK", "PROPFIND", "SEARCH"][number % 3]))
                _ = try await world.send(method, "/\(number)", nil)
                _ = try await world.call(.get, "/x\(number)/{id}/\(number)")
                _ = try await world.call(.get, "/v1/receipts/r_\(number)", as: player)
                _ = try await world.call(.get, "/v1/apps/app\(number)/products")
                _ = try await world.call(.get, "/v1/content/\(number)?grant=\(number)")
                _ = try await world.call(
                    .post, "/v1/balances/c\(number)/spend", ["amount": 1], as: player, headers: .key("k\(number)"))
                _ = try await world.post("12\(number)", as: player, bundleID: "b\(number)")
                _ = try await world.call(.delete, "/metrics")
            }
            try await ask(0)
            _ = try await world.scrape()
            let before = try await world.scrape()
            for number in 1...30 { try await ask(number) }
            let after = try await world.scrape()
            #expect(Set(after.samples.keys) == Set(before.samples.keys))
            let other = "quartermaster_http_requests_total{method=\"other\",route=\"none\",status=\"404\"}"
            #expect(after[other] == "31")
            #expect(after["quartermaster_refused_metrics"] == "0")
            #expect(Set(after.types.keys).isSubset(of: MetricFamily.server.map(\.name)))
        }
    }
}
