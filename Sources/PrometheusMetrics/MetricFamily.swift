/// The declaration of one metric: its name, its help text and its kind.
package struct MetricFamily: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Only rises, except for a restart. The name ends in `_total`.
        case counter
        /// Rises and falls.
        case gauge
        /// Observations, counted by the upper bounds that they do not exceed; `+Inf` is always there. In seconds for
        /// timers.
        case histogram(bounds: [Double])
    }

    /// The name in the scrape, with its unit: letters, digits, `_` and `:`.
    package var name: String
    /// One sentence for the readers of a graph.
    package var help: String
    package var kind: Kind

    package init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    /// The bounds for undeclared timers and recorders: those of Prometheus' own clients, from 5 ms to 10 s.
    package static let defaultBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
}

extension MetricFamily {
    /// The family of a swift-metrics label that is not declared.
    ///
    /// - Parameter unit: the suffix of the name (https://prometheus.io/docs/practices/naming/).
    init(undeclared label: String, _ kind: Kind, unit: String = "") {
        let name = label.prometheusName
        self.init(name.hasSuffix(unit) ? name : name + unit, kind, label)
    }
}

extension String {
    /// The string with `_` for each character that a name may not have. Colons are reserved for recording rules.
    var prometheusName: String {
        let name = String(
            unicodeScalars.map { $0.isASCII && ($0.properties.isAlphabetic || $0.isDigit) ? Character($0) : "_" })
        return name.unicodeScalars.first.map(\.isDigit) ?? true ? "_" + name : name
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
