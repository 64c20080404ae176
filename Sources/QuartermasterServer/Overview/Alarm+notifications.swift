import Foundation
import InAppPurchase
import Ledger

extension Alarm {
    /// The alarms of notifications that do not come, but only those for which somebody must act: the commonest
    /// misconfigurations of the store.
    ///
    /// - Parameter catalog: reads the catalog; called only if a test notification is missing, which may be of an app
    ///   that is no longer served.
    static func ofNotifications(
        _ ledger: any Ledger, at date: Date, catalog: () async -> Catalog?
    ) async throws -> [Alarm] {
        let activity = try await ledger.activity(
            since: date.addingTimeInterval(-Overview.maximumSilence), until: date)
        let tests = try await TestNotifications(ledger: ledger).all()
        var test = Alarm.test(tests, of: nil, at: date)
        if test.level == .bad { test = .test(tests, of: await catalog(), at: date) }
        return [test, .silence(activity, at: date)].filter { $0.level == .bad }
    }

    /// The title, the details, and the advice where somebody must act, in one line.
    var words: String {
        ["\(kind.title): \(detail.endedWithStop)", remedy].compactMap { $0 }.joined(separator: " ")
    }
}

extension String {
    fileprivate var endedWithStop: String { hasSuffix(".") ? self : "\(self)." }
}
