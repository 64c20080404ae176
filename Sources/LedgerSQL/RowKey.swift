/// What names a row, by three columns.
protocol RowKey: Hashable {
    static var columns: String { get }
    var arguments: SQLArguments { get }
}
