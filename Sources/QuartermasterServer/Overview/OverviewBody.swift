import Foundation

/// An overview, as `GET /admin/v1/overview` returns it and `status --json` prints it.
struct OverviewBody: Encodable {
    struct Entry: Encodable {
        var alarm: String
        var level: Alarm.Level
        /// The count, at most one more than ``Overview/maximumCount``.
        var count: Int
        /// Omitted if it is not known, or nothing is wrong.
        var since: Date?
        var detail: String
        /// The advice; omitted unless somebody must act, or the level is unknown.
        var remedy: String?
    }

    var well: Bool
    var date: Date
    var alarms: [Entry]

    init(_ overview: Overview) {
        well = overview.isWell
        date = overview.date
        alarms = overview.alarms.map { alarm in
            Entry(
                alarm: alarm.kind.rawValue, level: alarm.level, count: alarm.count, since: alarm.since,
                detail: alarm.detail, remedy: alarm.remedy)
        }
    }
}
