import CoreMetrics
import Testing

@testable import PrometheusMetrics

/// The text of a scrape, character by character.
@Suite struct ExpositionTests {
    @Test func `The text of a scrape without metrics is empty`() {
        #expect(PrometheusRegistry().exposition() == "")
        #expect(PrometheusRegistry([MetricFamily("a_total", .counter, "Never used.")]).exposition() == "")
    }

    @Test func `Metrics are sorted by name and their series by labels`() {
        let registry = PrometheusRegistry([
            MetricFamily("shop_sold_total", .counter, "Sold."), MetricFamily("open", .gauge, "Open now."),
        ])
        Counter(label: "shop_sold_total", dimensions: [("what", "words"), ("how", "b")], factory: registry).increment()
        Counter(label: "shop_sold_total", dimensions: [("how", "a"), ("what", "words")], factory: registry)
            .increment(by: 41)
        Counter(label: "shop_sold_total", factory: registry).increment(by: 7)
        Meter(label: "open", factory: registry).set(3)
        #expect(
            registry.exposition() == """
                # HELP open Open now.
                # TYPE open gauge
                open 3
                # HELP shop_sold_total Sold.
                # TYPE shop_sold_total counter
                shop_sold_total 7
                shop_sold_total{how="a",what="words"} 41
                shop_sold_total{how="b",what="words"} 1

                """)
    }

    @Test func `A histogram has cumulative buckets, a sum and a count`() {
        let registry = PrometheusRegistry([
            MetricFamily("wait_seconds", .histogram(bounds: [1, 0.25, .infinity, 0.25, .nan]), "Waited.")
        ])
        let timer = Timer(label: "wait_seconds", dimensions: [("who", "a")], factory: registry)
        for nanoseconds in [-5, 0, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000] as [Int64] {
            timer.recordNanoseconds(nanoseconds)
        }
        #expect(
            registry.exposition() == """
                # HELP wait_seconds Waited.
                # TYPE wait_seconds histogram
                wait_seconds_bucket{who="a",le="0.25"} 3
                wait_seconds_bucket{who="a",le="1"} 5
                wait_seconds_bucket{who="a",le="+Inf"} 6
                wait_seconds_sum{who="a"} 4.25
                wait_seconds_count{who="a"} 6

                """)
    }

    @Test(arguments: [
        ("plain", "plain"), ("", nil), ("a\\b", "a\\\\b"), ("say \"hi\"", "say \\\"hi\\\""), ("a\nb", "a\\nb"),
        ("a\r\nb", "a\r\\nb"), ("\\n", "\\\\n"), ("é😀", "é😀"), ("{a=\"b\"}", "{a=\\\"b\\\"}"),
    ])
    func `The values of labels are escaped, and empty ones left out`(value: String, written: String?) {
        let registry = PrometheusRegistry()
        Counter(label: "c_total", dimensions: [("l", value)], factory: registry).increment()
        let labels = written.map { "{l=\"\($0)\"}" } ?? ""
        #expect(registry.exposition() == "# HELP c_total c_total\n# TYPE c_total counter\nc_total\(labels) 1\n")
    }

    @Test(arguments: [
        ("Plain.", "Plain."), ("a\\b", "a\\\\b"), ("a\nb", "a\\nb"), ("say \"hi\"", "say \"hi\""),
        ("a\r\nb", "a\r\\nb"),
    ])
    func `The help text of a metric is escaped`(help: String, written: String) {
        let registry = PrometheusRegistry([MetricFamily("g", .gauge, help)])
        Meter(label: "g", factory: registry).set(1)
        #expect(registry.exposition() == "# HELP g \(written)\n# TYPE g gauge\ng 1\n")
    }

    @Test(arguments: [
        (0.0, "0"), (-0.0, "0"), (1, "1"), (-3, "-3"), (0.5, "0.5"), (1e-7, "1e-07"),
        (9_007_199_254_740_992, "9007199254740992"),
        (1e300, "1e+300"), (.nan, "NaN"), (.infinity, "+Inf"), (-.infinity, "-Inf"),
        (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
    ])
    func `Numbers are written as Prometheus reads them`(value: Double, written: String) {
        let registry = PrometheusRegistry([MetricFamily("g", .gauge, "G.")])
        Meter(label: "g", factory: registry).set(value)
        #expect(registry.exposition().split(separator: "\n").last == "g \(written)")
    }

    @Test(arguments: [
        ("http.requests", "http_requests_total"), ("a-b", "a_b_total"), ("1st", "_1st_total"), ("", "__total"),
        ("größe", "gr__e_total"), ("done_total", "done_total"), ("a:b", "a_b_total"), ("x\ny 1", "x_y_1_total"),
    ])
    func `Names of undeclared metrics are made valid`(label: String, name: String) {
        let registry = PrometheusRegistry()
        Counter(label: label, factory: registry).increment()
        #expect(registry.exposition().split(separator: "\n").last == "\(name) 1")
    }

    @Test(arguments: [
        ([("b", "1"), ("a", "2")], "{a=\"2\",b=\"1\"}"), ([("a", "1"), ("a", "2")], "{a=\"1\"}"),
        ([("http.route", "/")], "{http_route=\"/\"}"), ([("__name__", "x")], "{label___name__=\"x\"}"),
        ([("le", "5")], "{label_le=\"5\"}"),
    ])
    func `Names of labels are made valid, sorted and unique`(dimensions: [(String, String)], written: String) {
        let registry = PrometheusRegistry()
        Counter(label: "c", dimensions: dimensions, factory: registry).increment()
        #expect(registry.exposition().split(separator: "\n").last == "c_total\(written) 1")
    }

    /// Measurements of other libraries are there too, in base units.
    @Test func `Undeclared timers, recorders and gauges are measured in base units`() {
        let registry = PrometheusRegistry()
        Timer(label: "pool.wait", factory: registry).recordSeconds(3)
        Recorder(label: "answer.bytes", aggregate: true, factory: registry).record(7)
        Gauge(label: "depth", factory: registry).record(4)
        let lines = registry.exposition().split(separator: "\n")
        #expect(lines.contains("pool_wait_seconds_bucket{le=\"2.5\"} 0"))
        #expect(lines.contains("pool_wait_seconds_bucket{le=\"5\"} 1"))
        #expect(lines.contains("pool_wait_seconds_sum 3"))
        #expect(lines.contains("answer_bytes_bucket{le=\"10\"} 1"))
        #expect(lines.contains("# TYPE depth gauge") && lines.contains("depth 4"))
    }
}
