import CoreMetrics
import Foundation
import PrometheusMetrics
import ServerHTTP

extension ServerMetrics {
    /// Measures each alarm, and the age of the newest notification.
    func measure(_ overview: Overview) {
        for alarm in overview.alarms {
            let labels = Self.labels(of: alarm.kind)
            Meter(.alarmLevel, labels, in: registry).set(Self.number(of: alarm.level))
            Meter(.alarmItems, labels, in: registry).set(alarm.count)
            Meter(.alarmAge, labels, in: registry).set(age(alarm.since, at: overview.date))
        }
        let newest = Meter(.newestNotificationAge, in: registry)
        overview.newestNotification == nil
            ? newest.destroy() : newest.set(age(overview.newestNotification, at: overview.date))
    }

    /// Removes what ``measure(_:)`` measured: an alert on `absent()` tells more than old numbers.
    func forgetOverview() {
        for kind in Alarm.Kind.allCases {
            for family in [MetricFamily.alarmLevel, .alarmItems, .alarmAge] {
                Meter(family, Self.labels(of: kind), in: registry).destroy()
            }
        }
        Meter(.newestNotificationAge, in: registry).destroy()
    }

    private func age(_ date: Date?, at now: Date) -> Double { date.map { max(0, now.timeIntervalSince($0)) } ?? 0 }

    private static func labels(of kind: Alarm.Kind) -> [(String, String)] { [("alarm", kind.rawValue)] }

    private static func number(of level: Alarm.Level) -> Int {
        switch level {
        case .good: 0
        // No server measures what it does not know.
        case .waiting, .unknown: 1
        case .bad: 2
        }
    }
}
