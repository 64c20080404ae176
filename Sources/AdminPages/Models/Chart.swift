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

    /// A line across the chart, or a word under it.
    package struct Mark: Sendable {
        var x: Int
        var y: Int
        var text: String
    }

    private static let (left, top, bottom, plot, slot) = (56, 12, 24, 160, 22)
    /// The number of days of which one is named.
    private static let namedDays = 7

    package let id: String
    package let title: String
    package let description: String
    let width: Int
    let height: Int
    let bars: [Bar]
    let lines: [Mark]
    let days: [Mark]
    package let table: Table

    /// - Parameters:
    ///   - id: of letters, and unique in the page.
    ///   - counts: days with their numbers, in order.
    package init(_ title: String, id: String, description: String, unit: String, _ counts: [(day: String, count: Int)])
    {
        self.id = id
        self.title = title
        self.description = description
        let most = Self.ceiling(counts.map(\.count).max() ?? 0)
        width = Self.left + max(1, counts.count) * Self.slot
        height = Self.top + Self.plot + Self.bottom
        bars = counts.enumerated().map { index, entry in
            let height = Self.length(of: entry.count, outOf: most)
            return Bar(
                x: Self.left + index * Self.slot + 3, y: Self.top + Self.plot - height, width: Self.slot - 6,
                height: height, text: "\(entry.day): \(entry.count)")
        }
        lines = (most == 1 ? [0, 1] : [0, most / 2, most]).map {
            Mark(x: Self.left - 6, y: Self.top + Self.plot - Self.length(of: $0, outOf: most), text: "\($0)")
        }
        days = counts.enumerated().filter { $0.offset % Self.namedDays == 0 }.map { index, entry in
            Mark(x: Self.left + index * Self.slot, y: Self.top + Self.plot + 18, text: String(entry.day.suffix(5)))
        }
        table = Table(title, columns: ["Day", unit], rows: counts.map { [Cell($0.day), Cell("\($0.count)")] })
    }

    private static func length(of count: Int, outOf most: Int) -> Int {
        Int((Double(plot) * Double(max(0, count)) / Double(max(1, most))).rounded())
    }

    /// The least of 1, 2, 4, 10, 20, 40, 100 … that is not below the number, so that the lines have whole numbers.
    static func ceiling(_ number: Int) -> Int {
        var scale = 1
        while true {
            for step in [1, 2, 4] {
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
