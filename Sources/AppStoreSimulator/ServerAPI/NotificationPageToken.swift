import Basics
import Foundation

/// The start of the next page of a notification history.
struct NotificationPageToken: Codable {
    /// The lifetime in seconds. Apple does not state it; long enough to read all pages.
    static let lifetime: TimeInterval = 86_400

    var sequence: Int
    private var filter: String
    private var date: Date

    init(sequence: Int, filter: SimulatorNotificationFilter, date: Date) throws {
        self.sequence = sequence
        self.date = date
        self.filter = try filter.digest
    }

    /// - Throws: ``ServerAPIError`` if it is malformed, belongs to another request, or has expired.
    init(text: String, filter: SimulatorNotificationFilter, at date: Date) throws {
        guard let data = Data(base64URL: text), let token = try? JSONDecoder().decode(Self.self, from: data),
            token.filter == (try filter.digest)
        else { throw ServerAPIError.paginationToken }
        guard date.timeIntervalSince(token.date) <= Self.lifetime else { throw ServerAPIError.paginationTokenExpired }
        self = token
    }

    var text: String {
        get throws { try JSONEncoder.sorted.encode(self).base64URL }
    }
}
