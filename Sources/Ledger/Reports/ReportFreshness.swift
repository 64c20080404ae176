/// How new the numbers of a report are.
package enum ReportFreshness: Sendable {
    /// As of now, whatever that costs: what is not stored, or has changed, is counted.
    case now
    /// As stored, if more than a few transactions would have to be counted; the report states as of when.
    case stored

    /// The number of transactions of changed days that are counted anew for a report of ``stored``.
    static let countedAnew = 200
    /// The number of transactions of one scan that are counted for a report of ``stored``; days that were never counted
    /// may have more, which are then missing.
    static let pageSize = 250
}
