package import Foundation

/// An overview, as `GET /admin/v1/overview` returns it and `status --json` prints it.
package struct OverviewBody: Encodable {
    package struct Entry: Encodable {
        package var alarm: String
        package var level: Alarm.Level
        /// The count, at most one more than ``Overview/maximumCount``.
        package var count: Int
        /// Omitted if it is not known, or nothing is wrong.
        package var since: Date?
        package var detail: String
        /// The advice; omitted unless somebody must act, or the level is unknown.
        package var remedy: String?
    }

    package var well: Bool
    package var date: Date
    package var alarms: [Entry]
    package var setup: [SetupItem]

    package init(_ overview: Overview) {
        well = overview.isWell
        date = overview.date
        alarms = overview.alarms.map { alarm in
            Entry(
                alarm: alarm.kind.rawValue, level: alarm.level, count: alarm.count, since: alarm.since,
                detail: alarm.detail, remedy: alarm.remedy)
        }
        setup = overview.setup
    }
}
