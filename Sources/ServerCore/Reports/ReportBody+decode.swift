import Foundation
import InAppPurchase
import Ledger

/// The answer of a distant server, which a command prints like a report of its own.
extension ReportBody: Decodable {
    private enum Key: String, CodingKey { case report, by, from, to, app, environment, rows, total, notServed }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        let kind = try members.decode(String.self, forKey: .report)
        let grouping = try members.decode(String.self, forKey: .by)
        guard let kind = ReportKind(rawValue: kind), let grouping = ReportGrouping(rawValue: grouping),
            let query = ReportQuery(
                kind, by: grouping, from: try members.decode(Date.self, forKey: .from),
                to: try members.decode(Date.self, forKey: .to),
                environment: try members.decode(Environment.self, forKey: .environment),
                app: try members.decodeIfPresent(BundleID.self, forKey: .app))
        else { throw DecodingError.dataCorruptedError(forKey: .report, in: members, debugDescription: "unknown") }
        self.query = query
        let columns = kind.columns
        let sum = { (decoder: any Decoder) in
            Row(grouping: grouping, columns: columns, tally: try ReportTally(of: columns, in: decoder))
        }
        total = try sum(try members.superDecoder(forKey: .total))
        notServed = try members.elements(of: .notServed).map { decoder in
            let app = try decoder.container(keyedBy: Key.self).decode(BundleID.self, forKey: .app)
            return OtherApp(app: app, total: try sum(decoder))
        }
        let rowColumns = grouping == .day ? columns.filter { $0 != .active } : columns
        rows = try members.elements(of: .rows).map { decoder in
            let name = try decoder.container(keyedBy: ReportGrouping.self).decode(String.self, forKey: grouping)
            let tally = try ReportTally(of: rowColumns, in: decoder)
            return Row(grouping: grouping, name: name, columns: rowColumns, tally: tally)
        }
    }
}

extension KeyedDecodingContainer {
    /// The decoders of an array's elements; none if there is no array.
    fileprivate func elements(of key: Key) throws -> [any Decoder] {
        guard contains(key) else { return [] }
        var list = try nestedUnkeyedContainer(forKey: key)
        var elements: [any Decoder] = []
        while !list.isAtEnd { elements.append(try list.superDecoder()) }
        return elements
    }
}

extension ReportTally {
    /// Reads a row; a column that the server does not have is 0.
    fileprivate init(of columns: [ReportColumn], in decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: ReportColumn.self)
        var (counts, named): ([ReportColumn: Int], [ReportColumn: [String: Int]]) = ([:], [:])
        for column in columns {
            if column.hasNames {
                named[column] = try members.decodeIfPresent([String: Int].self, forKey: column)
            } else {
                counts[column] = try members.decodeIfPresent(Int.self, forKey: column)
            }
        }
        self.init(counts, named: named)
    }
}
