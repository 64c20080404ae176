import Foundation
import InAppPurchase

/// Apple, NotificationHistoryRequest. Dates are milliseconds since 1970.
struct NotificationHistoryRequest: Decodable {
    private enum CodingKeys: CodingKey {
        case startDate, endDate, notificationType, notificationSubtype, transactionId, onlyFailures
    }

    /// The retention of the history, in seconds.
    private static let reach: [Environment: TimeInterval] = [.production: 180 * 86_400, .sandbox: 30 * 86_400]

    var filter: SimulatorNotificationFilter
    var transactionId: String?

    /// - Throws: ``ServerAPIError``; a date that is not a whole number counts as invalid.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        guard let start = try? members.decode(Int.self, forKey: .startDate) else { throw ServerAPIError.startDate }
        guard let end = try? members.decode(Int.self, forKey: .endDate) else { throw ServerAPIError.endDate }
        transactionId = try members.decodeIfPresent(String.self, forKey: .transactionId)
        filter = SimulatorNotificationFilter(
            start: start, end: end, type: try members.decodeIfPresent(String.self, forKey: .notificationType),
            subtype: try members.decodeIfPresent(String.self, forKey: .notificationSubtype),
            onlyFailures: try members.decodeIfPresent(Bool.self, forKey: .onlyFailures) ?? false)
    }

    /// - Throws: ``ServerAPIError``.
    func check(in environment: Environment, at date: Date) throws {
        guard filter.start <= filter.end else { throw ServerAPIError.startDateAfterEndDate }
        let earliest = date - (Self.reach[environment] ?? 0)
        guard filter.start >= earliest.milliseconds else { throw ServerAPIError.startDateTooFarInPast }
        if filter.type != nil, transactionId != nil { throw ServerAPIError.multipleFilters }
        guard filter.type.map(AppStoreNotification.knownTypes.contains) ?? (filter.subtype == nil) else {
            throw ServerAPIError.notificationType
        }
    }
}
