import Foundation
import InAppPurchase
import Ledger
import ServerHTTP

/// The report of an app's placements, as `GET /admin/v1/reports/placements` returns it and the command `report` prints
/// its rows.
package struct PlacementReportBody: Encodable {
    /// A group of a placement.
    package struct Row: Encodable {
        let placement: String
        /// The first and the last bucket.
        let buckets: [Int]
        let variants: [Int]
        let from: Date
        let newAccounts: Int
        let newBuyers: Int
        /// Absent if there are no new accounts.
        let conversion: Double?
        let buyers: Int
        let purchases: Int
        let revenue: [String: Int]
        let unpriced: Int

        init(_ row: PlacementReport.Row) {
            placement = row.placement
            buckets = [row.group.buckets.lowerBound, row.group.buckets.upperBound]
            variants = row.group.variants
            from = row.from
            newAccounts = row.newAccounts
            newBuyers = row.newBuyers
            conversion = row.conversion
            buyers = row.buyers
            purchases = row.tally[.purchases]
            revenue = row.tally.named(.revenue)
            unpriced = row.tally[.unpriced]
        }
    }

    let report = "placements"
    let from: Date
    let to: Date
    let app: BundleID
    let environment: InAppPurchase.Environment
    let isPartial: Bool
    package let rows: [Row]

    package init(_ report: PlacementReport) {
        from = report.query.from
        to = report.query.to
        app = report.app
        environment = report.query.environment
        isPartial = report.isPartial
        rows = report.rows.map(Row.init)
    }
}

extension PlacementReportBody {
    private static let columns = [
        "placement", "buckets", "variants", "from", "newAccounts", "newBuyers", "conversion", "buyers", "purchases",
    ]

    /// The rows for a terminal, in aligned columns.
    package var table: String {
        let lines = rows.map { row in
            row.cells + [row.revenue.isEmpty ? "-" : row.revenueText, String(row.unpriced)]
        }
        return TextTable(Self.columns + ["revenue", "unpriced"], lines).withoutControlCharacters.aligned
    }

    /// A sentence about a report that is not whole; `nil` if it is.
    package var warning: String? {
        guard isPartial else { return nil }
        return "only a part is counted: there were more than \(PlacementReport.maximumCounted) purchases or accounts"
    }

    /// The rows as comma-separated values (RFC 4180), with a header and a column for the revenue in each currency.
    package var csv: String {
        let currencies = Set(rows.flatMap(\.revenue.keys)).sorted()
        let lines = rows.map { row in
            row.cells + currencies.map { String(row.revenue[$0] ?? 0) } + [String(row.unpriced)]
        }
        return ([Self.columns + currencies.map { "revenue.\($0)" } + ["unpriced"]] + lines)
            .map { $0.map(\.csvField).joined(separator: ",") }.joined(separator: "\n")
    }

    /// The rows, each as a JSON object on a line of its own.
    package func jsonLines() throws -> String { try rows.map { try $0.json }.joined(separator: "\n") }
}

extension PlacementReportBody.Row {
    fileprivate var cells: [String] {
        [
            placement, buckets.map(String.init).joined(separator: " to "),
            variants.map(String.init).joined(separator: " "), from.rfc3339, String(newAccounts), String(newBuyers),
            conversion.map { "\($0)" } ?? "-", String(buyers), String(purchases),
        ]
    }

    fileprivate var revenueText: String {
        revenue.sorted { $0.key < $1.key }.map { "\($0.key) \(Money.text($0.value))" }.joined(separator: ", ")
    }
}
