/// One metric, declared before anything is measured: its name, what it tells, and how it is kept.
package struct MetricFamily: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Only rises, but for a restart. The name ends in `_total`.
        case counter
        /// Goes up and down.
        case gauge
        /// Observations, counted by the upper bounds they do not pass; `+Inf` is always there. Of timers, in seconds.
        case histogram(bounds: [Double])
    }

    /// As it is scraped, with its unit: letters, digits, `_` and `:`.
    package var name: String
    /// One sentence for who reads a graph.
    package var help: String
    package var kind: Kind

    package init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    /// For timers and recorders that nobody declared: those of Prometheus' own clients, from 5 ms to 10 s.
    package static let defaultBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
}

extension MetricFamily {
    /// One for a label of swift-metrics that is not declared.
    ///
    /// - Parameter unit: what the name should end in (https://prometheus.io/docs/practices/naming/).
    init(undeclared label: String, _ kind: Kind, unit: String = "") {
        let name = label.prometheusName
        self.init(name.hasSuffix(unit) ? name : name + unit, kind, label)
    }
}

extension String {
    /// With `_` for each character that a name may not have. A colon is left to recording rules.
    var prometheusName: String {
        let name = String(
            unicodeScalars.map { $0.isASCII && ($0.properties.isAlphabetic || $0.isDigit) ? Character($0) : "_" })
        return name.unicodeScalars.first.map(\.isDigit) ?? true ? "_" + name : name
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
