public import Foundation

/// Numbers of rows whose content was erased, as the row that tells of it names them.
///
/// In that row's content: `"rows": [[3, 5], [9, 9]]`, each pair the first and the last of rows that follow one another.
public struct ErasedRows: Hashable, Sendable {
    /// In rising order, not touching one another.
    public let ranges: [ClosedRange<Int>]

    /// - Parameter sequences: in any order; a number that stands twice counts once.
    public init(_ sequences: some Sequence<Int>) {
        ranges = Set(sequences).sorted().reduce(into: []) { ranges, number in
            if let last = ranges.last, last.upperBound.saturatingAdding(1) == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
    }

    /// Reads the content of a row of kind ``AuditEntry/Kind/contentErased``; nil where it names no rows.
    ///
    /// - Parameter content: a JSON object as text.
    public init?(content: String) {
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
    public var json: JSONValue {
        .array(ranges.map { .array([.integer($0.lowerBound), .integer($0.upperBound)]) })
    }
}

/// Which rows of the audit trail lose their content.
public enum ErasureChoice: Hashable, Sendable {
    /// Rows that one call erases by their numbers: they are named in one row.
    public static let maximumRows = 10_000

    /// Those about an account that have one.
    case account(AccountID)
    /// Those with these numbers, also where their content is gone already and no row tells of it.
    case rows([ClosedRange<Int>])
}

/// What an erasure did.
public struct ErasureOutcome: Hashable, Sendable {
    /// Rows that had a content and have none now.
    public var erased = 0
    /// Rows that had none before, and are named now.
    public var named = 0

    public init(erased: Int = 0, named: Int = 0) {
        self.erased = erased
        self.named = named
    }
}

/// Why nothing is erased.
public enum ErasureRefusal: Error, Hashable, Sendable {
    /// The row tells of an erasure: without its content, what it names would be erased without a word.
    case tellsOfAnErasure(sequence: Int)
    /// There is no row with any of the numbers.
    case noSuchRow
    /// More than ``ErasureChoice/maximumRows`` by their numbers.
    case tooManyRows
}
