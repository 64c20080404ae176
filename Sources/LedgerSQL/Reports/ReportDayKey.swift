/// A day of one environment, as the key of its row.
struct ReportDayKey: Hashable, Comparable {
    var environment: String
    var day: Int

    static func < (one: Self, other: Self) -> Bool { (one.environment, one.day) < (other.environment, other.day) }
}
