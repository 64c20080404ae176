/// A key of a row with three columns.
protocol RowKey: Hashable {
    static var columns: String { get }
    var arguments: SQLArguments { get }
}
