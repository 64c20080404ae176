package import Foundation
package import InAppPurchase
package import Ledger
import ServerHTTP

/// A page of notifications, as `GET /admin/v1/notifications` returns it and `notifications list --json` prints it, the
/// one that came last first.
package struct NotificationListBody: Codable {
    /// The maximum number of notifications on a page, which is read into memory as a whole.
    package static let maximumEntries = 1_000
    package static let defaultEntries = 100

    package struct Entry: Codable {
        package var id: String
        package var type: String
        package var subtype: String?
        package var app: BundleID?
        package var environment: Environment?
        var signedAt: Date
        package var recordedAt: Date
        /// Omitted if the server fetched it, since it had not come.
        package var deliveredAt: Date?
        /// Omitted while the store has to be asked about it.
        package var appliedAt: Date?
    }

    /// A time without notifications, between two that arrived.
    package struct Gap: Codable, Hashable {
        package var from: Date
        package var to: Date
    }

    package var notifications: [Entry]
    /// The gaps longer than ``Overview/maximumSilence`` before the page's delivered notifications, each since the
    /// delivery before.
    package var gaps: [Gap]
    /// The time at which the last of all notifications came, if none has for longer than ``Overview/maximumSilence``;
    /// omitted otherwise, and from all pages but the first.
    package var silentSince: Date?
    /// The value of `after` for the next page; omitted on the last page.
    package var next: String?

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - app: only the notifications of one app, and its gaps; `nil` for those of all apps together.
    ///   - position: the position of the last notification on the page before, as ``next`` has it.
    ///   - limit: at most ``maximumEntries``.
    package init(
        _ ledger: any StoreLedger, of app: BundleID? = nil, after position: ListedNotification.Position?, limit: Int,
        at now: Date
    ) async throws {
        let listed = try await ledger.notifications(of: app, after: position, limit: limit + 1)
        let page = Array(listed.prefix(limit))
        notifications = page.map {
            Entry(
                id: $0.id, type: $0.type, subtype: $0.subtype, app: $0.app, environment: $0.environment,
                signedAt: $0.signedDate, recordedAt: $0.recordedDate, deliveredAt: $0.deliveredDate,
                appliedAt: $0.appliedDate)
        }
        let came = try await Self.deliveries(on: page, of: app, after: position, ledger)
        gaps = zip(came.dropFirst(), came).filter { $1.timeIntervalSince($0) > Overview.maximumSilence }
            .map { Gap(from: $0, to: $1) }
        silentSince = came.first.flatMap { last in
            position == nil && now.timeIntervalSince(last) > Overview.maximumSilence ? last : nil
        }
        next = listed.count > limit ? page.last?.position.text : nil
    }

    /// The times at which a page's notifications came, and the last one before them, newest first. Notifications that
    /// the server fetched are left out: they are no sign that the store still sends.
    private static func deliveries(
        on page: [ListedNotification], of app: BundleID?, after position: ListedNotification.Position?,
        _ ledger: any StoreLedger
    ) async throws -> [Date] {
        // A notification that was fetched before it came counts on the page of its arrival.
        var came = page.compactMap(\.deliveredDate).filter { date in position.map { date <= $0.date } ?? true }
        if let oldest = page.last?.recordedDate, let earlier = try await ledger.lastDelivery(of: app, before: oldest) {
            came.append(earlier)
        }
        return came.sorted(by: >)
    }
}

extension ListedNotification.Position {
    /// The text form: milliseconds and ID, `1795000000000_<uuid>`.
    package var text: String { "\(date.milliseconds)_\(id)" }

    /// - Returns: `nil` for a string that no page returned.
    package init?(text: String) {
        guard let mark = text.firstIndex(of: "_"), let milliseconds = Int(text[..<mark]), milliseconds >= 0 else {
            return nil
        }
        self.init(date: Date(milliseconds: milliseconds), id: String(text[text.index(after: mark)...]))
    }
}
