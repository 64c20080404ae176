/// How new the numbers of a report are.
package enum ReportFreshness: Sendable {
    /// As of now, whatever that costs: what is not stored, or has changed, is counted.
    case now
    /// As stored, where more than a few transactions had to be counted; the report tells as of when.
    case stored

    /// The number of transactions of changed days that are counted anew for a report of ``stored``.
    static let countedAnew = 200
    /// The number of transactions of one scan that are counted for a report of ``stored``: of days that were never
    /// counted more may be missing.
    static let pageSize = 250
}
