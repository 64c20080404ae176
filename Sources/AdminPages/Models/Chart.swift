import ServerCore

/// A bar for each of some days, drawn as SVG, and the same numbers as a table.
package struct Chart: Sendable {
    package struct Bar: Sendable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
        /// The text that the browser shows when somebody points at the bar.
        var text: String
    }

    /// A line across the chart with its number, or a word under it.
    package struct Mark: Sendable {
        var x: Int
        /// The right end of the number beside a line.
        var end: Int
        var y: Int
        var text: String
    }

    // As wide as a small screen, so that no text is drawn smaller than it is.
    private static let (left, right, top, bottom, plot, slot) = (46, 18, 10, 24, 100, 10)
    /// The number of days of which one is named.
    private static let namedDays = 7
    /// The ends of the axis in a power of ten, half of each of which is a whole number.
    private static let (firstSteps, steps) = ([1, 2, 4, 6, 8, 10], [10, 12, 16, 20, 30, 40, 50, 60, 80, 100])

    let id: String
    let title: String
    let description: String
    let tone: Tone
    let width: Int
    let height: Int
    let bars: [Bar]
    let lines: [Mark]
    let days: [Mark]
    let table: Table

    /// - Parameters:
    ///   - id: of letters, and unique in the page.
    ///   - tone: the colour of the bars; `plain` for the accent.
    ///   - counts: days with their numbers, in order.
    package init(
        _ title: String, id: String, description: String, tone: Tone = .plain, unit: String,
        _ counts: [(day: String, count: Int)]
    ) {
        self.id = id
        self.title = title
        self.description = description
        self.tone = tone
        let most = Self.ceiling(counts.map(\.count).max() ?? 0)
        width = Self.left + max(1, counts.count) * Self.slot + Self.right
        height = Self.top + Self.plot + Self.bottom
        bars = counts.enumerated().map { index, entry in
            let height = Self.length(of: entry.count, outOf: most)
            return Bar(
                x: Self.left + index * Self.slot + 1, y: Self.top + Self.plot - height, width: Self.slot - 2,
                height: height, text: "\(entry.day): \(entry.count)")
        }
        lines = (most == 1 ? [0, 1] : [0, most / 2, most]).map {
            Mark(
                x: Self.left, end: Self.left - 5, y: Self.top + Self.plot - Self.length(of: $0, outOf: most),
                text: "\($0)")
        }
        days = counts.enumerated().filter { $0.offset % Self.namedDays == 0 }.map { index, entry in
            let x = Self.left + index * Self.slot
            return Mark(x: x, end: x, y: Self.top + Self.plot + 18, text: String(entry.day.suffix(5)))
        }
        table = Table(title, columns: ["Day", unit], rows: counts.map { [Cell($0.day), Cell("\($0.count)")] })
    }

    private static func length(of count: Int, outOf most: Int) -> Int {
        Int((Double(plot) * Double(max(0, count)) / Double(max(1, most))).rounded())
    }

    /// The least end of an axis that is not below the number.
    static func ceiling(_ number: Int) -> Int {
        if let end = firstSteps.first(where: { $0 >= number }) { return end }
        var scale = 1
        while true {
            for step in steps {
                let (value, isTooMuch) = scale.multipliedReportingOverflow(by: step)
                if isTooMuch { return .max }
                if value >= number { return value }
            }
            let (next, isTooMuch) = scale.multipliedReportingOverflow(by: 10)
            if isTooMuch { return .max }
            scale = next
        }
    }
}
