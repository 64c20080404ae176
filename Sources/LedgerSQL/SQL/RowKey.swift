/// A key of a row.
protocol RowKey: Hashable {
    static var columns: String { get }
    var arguments: SQLArguments { get }
    /// The placeholders of its columns; by default those of strings and numbers.
    static func placeholders(in dialect: SQLDialect) -> String
}

extension RowKey {
    static func placeholders(in dialect: SQLDialect) -> String {
        columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")
    }
}
