import CoreMetrics
import TestSupport
import Testing

@testable import PrometheusMetrics

/// The registry's content, under load and past the bound.
@Suite struct RegistryTests {
    private func value(_ sample: String, in registry: PrometheusRegistry) -> String? {
        registry.exposition().split(separator: "\n").first { $0.hasPrefix(sample + " ") }
            .map { String($0.dropFirst(sample.count + 1)) }
    }

    @Test func `Metrics with the same label and dimensions are one series`() {
        let registry = PrometheusRegistry()
        for _ in 1...3 { Counter(label: "c", dimensions: [("a", "1"), ("b", "2")], factory: registry).increment() }
        Counter(label: "c", dimensions: [("b", "2"), ("a", "1")], factory: registry).increment()
        #expect(value("c_total{a=\"1\",b=\"2\"}", in: registry) == "4")
    }

    @Test func `A counter only rises, until it is reset`() {
        let registry = PrometheusRegistry()
        let counter = Counter(label: "c", factory: registry)
        counter.increment(by: 5)
        counter.increment(by: -2)
        let parts = FloatingPointCounter(label: "c", factory: registry)
        for amount in [0.5, -1, Double.nan, Double.infinity] { parts.increment(by: amount) }
        #expect(value("c_total", in: registry) == "5.5")
        counter.reset()
        #expect(value("c_total", in: registry) == "0")
    }

    @Test func `A gauge rises and falls`() {
        let registry = PrometheusRegistry()
        let meter = Meter(label: "g", factory: registry)
        meter.set(5)
        meter.increment(by: 2.5)
        meter.decrement()
        #expect(value("g", in: registry) == "6.5")
        meter.set(-1)
        #expect(value("g", in: registry) == "-1")
    }

    @Test func `A histogram ignores values that are not finite`() {
        let registry = PrometheusRegistry()
        let recorder = Recorder(label: "h", aggregate: true, factory: registry)
        for observed in [1, Double.nan, Double.infinity, -Double.infinity, 2] { recorder.record(observed) }
        #expect(value("h_count", in: registry) == "2")
        #expect(value("h_sum", in: registry) == "3")
    }

    @Test func `Metrics above the maximum of samples are refused and counted`() {
        let registry = PrometheusRegistry(maximumSamples: 20)
        for number in 1...100 {
            let counter = Counter(label: "c", dimensions: [("n", "\(number)")], factory: registry)
            counter.increment()
            counter.increment()
        }
        #expect(registry.refusedMetrics == 80)
        #expect(registry.exposition().split(separator: "\n").count == 22)
        Counter(label: "c", dimensions: [("n", "7")], factory: registry).increment()
        #expect(value("c_total{n=\"7\"}", in: registry) == "3")
        Timer(label: "t", factory: registry).recordSeconds(1)
        #expect(registry.refusedMetrics == 81)
    }

    /// Eleven buckets, `+Inf`, sum and count.
    @Test(arguments: [(13, 1), (14, 0)])
    func `A histogram counts as many samples as it has lines`(maximumSamples: Int, refused: Int) {
        let registry = PrometheusRegistry(maximumSamples: maximumSamples)
        Timer(label: "t", factory: registry).recordSeconds(1)
        #expect(registry.refusedMetrics == refused)
        #expect(registry.exposition().split(separator: "\n").count == (refused == 0 ? 16 : 0))
    }

    @Test func `A name that is taken by one kind of metric is refused to another`() {
        let registry = PrometheusRegistry([MetricFamily("x", .gauge, "X.")])
        Meter(label: "x", factory: registry).set(1)
        Counter(label: "x", factory: registry).increment(by: 5)
        Timer(label: "x", factory: registry).recordSeconds(5)
        #expect(registry.exposition() == "# HELP x X.\n# TYPE x gauge\nx 1\n")
        #expect(registry.refusedMetrics == 2)
    }

    @Test func `A destroyed metric makes room for another`() {
        let registry = PrometheusRegistry(maximumSamples: 1)
        for number in 1...3 {
            let meter = Meter(label: "g", dimensions: [("n", "\(number)")], factory: registry)
            meter.set(number)
            #expect(value("g{n=\"\(number)\"}", in: registry) == "\(number)")
            meter.destroy()
            meter.destroy()
            #expect(registry.exposition() == "")
        }
        #expect(registry.refusedMetrics == 0)
    }

    /// Metrics made and used by many tasks at once: none is lost, and none is made twice.
    @Test func `Counts are exact when many tasks count at once`() async {
        let registry = PrometheusRegistry()
        let (tasks, rounds, labels) = (16, 1_000, 7)
        let held = Counter(label: "held", factory: registry)
        await withTaskGroup { group in
            for task in 0..<tasks {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(task))
                    for _ in 0..<(100 * rounds) { held.increment() }
                    for _ in 0..<rounds {
                        let label = "\(Int.random(in: 0..<labels, using: &random))"
                        Counter(label: "c", dimensions: [("l", label)], factory: registry).increment()
                        Timer(label: "t", factory: registry).recordNanoseconds(Int64(1_000_000_000))
                        Meter(label: "g", factory: registry).increment()
                        Meter(label: "g", factory: registry).decrement()
                        if task == 0 { #expect(registry.agrees) }
                    }
                }
            }
        }
        let counted = (0..<labels).compactMap { value("c_total{l=\"\($0)\"}", in: registry).flatMap(Int.init) }
        #expect(counted.reduce(0, +) == tasks * rounds)
        #expect(value("held_total", in: registry) == "\(tasks * 100 * rounds)")
        #expect(value("t_seconds_count", in: registry) == "\(tasks * rounds)")
        #expect(value("t_seconds_sum", in: registry) == "\(tasks * rounds)")
        #expect(value("g", in: registry) == "0")
        #expect(registry.refusedMetrics == 0)
    }
}

extension PrometheusRegistry {
    /// Whether the last bucket and the count agree, also while others observe.
    fileprivate var agrees: Bool {
        let lines = exposition().split(separator: "\n")
        let last = lines.first { $0.hasPrefix("t_seconds_bucket{le=\"+Inf\"}") }?.split(separator: " ").last
        return last == lines.first { $0.hasPrefix("t_seconds_count") }?.split(separator: " ").last
    }
}
