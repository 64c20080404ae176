import Foundation
package import InAppPurchase

/// The sequence numbers of rows whose content was erased, as named by the row that records the erasure.
///
/// In that row's content: `"rows": [[3, 5], [9, 9]]`, each pair the first and the last of consecutive rows.
package struct ErasedRows: Hashable, Sendable {
    /// The ranges; made from sequence numbers they are ascending and not adjacent, read from a row they are as written.
    package let ranges: [ClosedRange<Int>]

    /// Creates the ranges of some sequence numbers.
    ///
    /// - Parameter sequences: in any order; duplicates count once.
    package init(_ sequences: some Sequence<Int>) {
        ranges = Set(sequences).sorted().reduce(into: []) { ranges, number in
            if let last = ranges.last, last.upperBound.saturatingAdding(1) == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
    }

    /// Reads the content of a row of kind ``AuditEntry/Kind/contentErased``; `nil` if it does not name rows in the form
    /// above.
    ///
    /// - Parameter content: a JSON object as a string.
    package init?(content: String) {
        struct Named: Decodable { var rows: [[Int]] }
        guard let named = try? JSONDecoder().decode(Named.self, from: Data(content.utf8)), !named.rows.isEmpty else {
            return nil
        }
        var ranges: [ClosedRange<Int>] = []
        for pair in named.rows {
            guard pair.count == 2, let first = pair.first, let last = pair.last, first <= last else { return nil }
            ranges.append(first...last)
        }
        self.ranges = ranges
    }

    /// The value of the member `rows`.
    package var json: JSONValue {
        .array(ranges.map { .array([.integer($0.lowerBound), .integer($0.upperBound)]) })
    }
}
