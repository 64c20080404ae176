extension PrometheusRegistry {
    /// The media type of ``exposition()``.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// All current values, in the text exposition format 0.0.4
    /// (https://prometheus.io/docs/instrumenting/exposition_formats/): families by name, series by labels. A family
    /// that has no series yet is left out.
    package func exposition() -> String {
        families.sorted { $0.declaration.name < $1.declaration.name }.reduce(into: "") { $1.write(to: &$0) }
    }
}

extension FamilySeries {
    fileprivate func write(to text: inout String) {
        let all = all.sorted { $0.labels < $1.labels }
        guard !all.isEmpty else { return }
        text += "# HELP \(declaration.name) \(declaration.help.escapedHelp)\n"
        text += "# TYPE \(declaration.name) \(declaration.kind.prometheusText)\n"
        for (labels, series) in all { series.write(declaration.name, labels, to: &text) }
    }
}

extension MetricFamily.Kind {
    fileprivate var prometheusText: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }
}

extension String {
    mutating func addSample(_ name: String, _ labels: Labels, _ value: Double) {
        self += labels.text.isEmpty ? name : "\(name){\(labels.text)}"
        self += " \(value.prometheusText)\n"
    }
}

extension Double {
    /// The bound up to which every whole number is a `Double`.
    private static let exactlyWhole = 0x1p53

    /// The number as Go's `ParseFloat` reads it, whole numbers without a point.
    var prometheusText: String {
        if isNaN { return "NaN" }
        if isInfinite { return self > 0 ? "+Inf" : "-Inf" }
        if magnitude <= Self.exactlyWhole, let whole = Int64(exactly: self) { return String(whole) }
        return description
    }
}
