/// The values of one family under one set of labels. Each has a lock of its own.
protocol Series: AnyObject, Sendable {
    /// The number of its lines in a scrape.
    var size: Int { get }

    func write(_ name: String, _ labels: Labels, to text: inout String)
}

extension MetricFamily.Kind {
    func makeSeries() -> any Series {
        switch self {
        case .counter: CounterSeries()
        case .gauge: GaugeSeries()
        case .histogram(let bounds): HistogramSeries(bounds: bounds)
        }
    }
}
