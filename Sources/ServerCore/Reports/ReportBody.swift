import Foundation
import InAppPurchase
package import Ledger

/// A report, as `GET /admin/v1/reports/…` returns it and the command `report` prints its rows.
package struct ReportBody: Encodable {
    private enum CodingKeys: String, CodingKey { case report, by, from, to, app, environment, rows, total, notServed }

    /// One row; encoded as an object with a member for each column.
    package struct Row: Encodable {
        var grouping: ReportGrouping
        /// The day, product, storefront or version; `nil` for the total.
        var name: String?
        var columns: [ReportColumn]
        var tally: ReportTally

        package func encode(to encoder: any Encoder) throws {
            if let name {
                var key = encoder.container(keyedBy: ReportGrouping.self)
                try key.encode(name, forKey: grouping)
            }
            var members = encoder.container(keyedBy: ReportColumn.self)
            for column in columns {
                if column.hasNames {
                    try members.encode(tally.named(column), forKey: column)
                } else {
                    try members.encode(tally[column], forKey: column)
                }
            }
        }
    }

    /// The total of an app that is not served; encoded as a row with its bundle ID.
    struct OtherApp: Encodable {
        var app: BundleID
        var total: Row

        func encode(to encoder: any Encoder) throws {
            var key = encoder.container(keyedBy: CodingKeys.self)
            try key.encode(app, forKey: .app)
            try total.encode(to: encoder)
        }
    }

    package let query: ReportQuery
    /// The rows, sorted by name.
    package let rows: [Row]
    package let total: Row
    /// The apps that are not served, sorted by their bundle IDs.
    let notServed: [OtherApp]

    package init(_ report: Report) {
        query = report.query
        let (grouping, columns) = (query.grouping, query.kind.columns)
        // The number of active subscriptions is reported for the report's end only, and not for each day.
        let rowColumns = grouping == .day ? columns.filter { $0 != .active } : columns
        rows = report.rows.sorted { $0.key < $1.key }.map {
            Row(grouping: grouping, name: $0.key, columns: rowColumns, tally: $0.value)
        }
        let sum = { Row(grouping: grouping, name: nil, columns: columns, tally: $0) }
        total = sum(report.total)
        notServed = report.notServed.sorted { $0.key < $1.key }.map { OtherApp(app: $0.key, total: sum($0.value)) }
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(query.kind.rawValue, forKey: .report)
        try members.encode(query.grouping.rawValue, forKey: .by)
        try members.encode(query.from, forKey: .from)
        try members.encode(query.to, forKey: .to)
        try members.encodeIfPresent(query.app, forKey: .app)
        try members.encode(query.environment, forKey: .environment)
        try members.encode(rows, forKey: .rows)
        try members.encode(total, forKey: .total)
        if !notServed.isEmpty { try members.encode(notServed, forKey: .notServed) }
    }
}
