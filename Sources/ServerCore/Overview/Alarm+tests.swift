package import Foundation
package import InAppPurchase
import ServerHTTP

extension Alarm {
    /// The alarm of a test notification that does not come, which is the surest sign that nothing of the store comes:
    /// it needs no purchase.
    ///
    /// - Parameters:
    ///   - catalog: the apps that are served; tests of others are not awaited. `nil` if it is not known.
    ///   - isRefused: whether what is sent here is refused, which is another alarm.
    package static func test(
        _ records: [TestNotificationRecord], of catalog: Catalog?, isRefused: Bool = false, at date: Date
    ) -> Alarm {
        func isMissing(_ record: TestNotificationRecord) -> Bool {
            record.isMissing(at: date) && (record.refusal != nil || !isRefused)
        }
        let recent = records.filter { record in
            record.requestedAt >= date.addingTimeInterval(-Overview.maximumTestAge)
                && catalog.map { $0.app(record.app) != nil } ?? true
        }
        let missing = recent.filter(isMissing)
        let awaited = recent.filter { $0.arrivedAt == nil && !isMissing($0) }
        let concerned = missing.isEmpty ? awaited : missing
        let first = concerned.min { $0.requestedAt < $1.requestedAt }
        return Alarm(
            kind: .testNotification, level: !missing.isEmpty ? .bad : awaited.isEmpty ? .good : .waiting,
            count: concerned.count, since: first?.requestedAt,
            detail: first.map { $0.words(at: date) }
                ?? (recent.isEmpty ? "None was asked for in \(Overview.maximumTestDays) days." : "The last one came."))
    }
}

extension TestNotificationRecord {
    /// Whether it should have come by now, or will never come.
    package func isMissing(at date: Date) -> Bool {
        guard arrivedAt == nil else { return false }
        return refusal != nil || date.timeIntervalSince(requestedAt) > Overview.maximumTestDelay
    }

    fileprivate func words(at date: Date) -> String {
        let name = "That of \(app) in \(environment.rawValue)"
        if let refusal { return "\(name) was refused: \(refusal)." }
        return isMissing(at: date) ? "\(name) never arrived." : "\(name) is on its way."
    }
}
