public import Foundation
import InAppPurchase
import NIOHTTP1
public import StoreClient

extension AppStoreServerCall {
    /// The maximum number of pages in one answer: a thousand notifications of usual size have 18 MB.
    public static let maximumNotificationPages = 50

    /// Requests the notifications that the App Store sent, or tried to send, in one environment: Production unless
    /// another was named.
    ///
    /// If the App Store stops responding after the first page, the answer has the pages read until then.
    ///
    /// - Parameter continuation: that of an earlier answer to the same filter.
    /// - Throws: `refused` for a filter that the App Store does not accept, and for a continuation that has expired
    ///   (4000017); `unavailable`.
    public func notifications(
        matching filter: NotificationFilter, from continuation: String? = nil
    ) async throws(AppStoreServerError) -> NotificationHistory {
        var request = ServerAPIRequest(method: .POST, path: "/inApps/v1/notifications/history")
        request.body = try encoded { try filter.json }
        let call = inOneEnvironment
        var page: NotificationHistoryResponse = try await call.answer(to: request.with("paginationToken", continuation))
            .body
        var history = NotificationHistory(
            signedPayloads: page.notificationHistory.map(\.signedPayload), continuation: page.next)
        for _ in 1..<Self.maximumNotificationPages {
            guard let next = page.next, history.interruption == nil else { break }
            do {
                page = try await call.answer(to: request.with("paginationToken", next)).body
                history.signedPayloads += page.notificationHistory.map(\.signedPayload)
                history.continuation = page.next
            } catch .unavailable(let unavailability) {
                history.interruption = unavailability
            }
        }
        if history.continuation != nil, history.interruption == nil {
            history.interruption = Unavailability(.temporary, "too many pages")
        }
        return history
    }

    /// Requests a `TEST` notification.
    ///
    /// - Returns: the token for ``testNotification(_:)``.
    /// - Throws: `unavailable`, `misconfigured` if App Store Connect has no URL for this environment (4040007).
    public func requestTestNotification() async throws(AppStoreServerError) -> String {
        let request = ServerAPIRequest(method: .POST, path: "/inApps/v1/notifications/test", limit: .tests)
        return try await inOneEnvironment.answer(to: request, as: TestNotificationResponse.self).body
            .testNotificationToken
    }

    /// Requests the status of a test notification, which the App Store stores for some six months.
    ///
    /// - Throws: `notFound`, also for some seconds after the notification was requested; `refused`; `unavailable`.
    public func testNotification(_ token: String) async throws(AppStoreServerError) -> TestNotification {
        guard token.isPathSegment else { throw .notFound(nil) }
        let request = ServerAPIRequest(path: "/inApps/v1/notifications/test/\(token)", limit: .tests)
        let body = try await inOneEnvironment.answer(to: request, as: TestNotificationStatusResponse.self).body
        return TestNotification(
            signedPayload: body.signedPayload,
            attempts: (body.sendAttempts ?? []).map { .init(date: $0.attemptDate.date, result: $0.sendAttemptResult) })
    }

    /// A call for one environment, since these requests belong to an environment and not to a transaction: `notFound`
    /// in it is final.
    var inOneEnvironment: AppStoreServerCall {
        var call = self
        call.environment = environment ?? .production
        return call
    }
}

extension NotificationHistoryResponse {
    fileprivate var next: String? { hasMore ? paginationToken : nil }
}

/// The notifications that the App Store sent, or tried to send, as far as they were read.
public struct NotificationHistory: Sendable {
    /// The signed notifications, to be verified like those that the App Store sends.
    public var signedPayloads: [String]
    /// The token to continue with, for the same filter; `nil` if all were read. The App Store forgets it after a while.
    public var continuation: String?
    /// The reason why there may be more; `nil` if all were read.
    public var interruption: Unavailability?
}

struct NotificationHistoryResponse: Decodable, Sendable {
    struct Item: Decodable, Sendable {
        var signedPayload: String
    }

    var notificationHistory: [Item]
    var hasMore: Bool
    var paginationToken: String?
}

struct TestNotificationResponse: Decodable, Sendable {
    var testNotificationToken: String
}

struct TestNotificationStatusResponse: Decodable, Sendable {
    struct Attempt: Decodable, Sendable {
        var attemptDate: AppStoreDate
        var sendAttemptResult: String
    }

    var signedPayload: String
    var sendAttempts: [Attempt]?
}

/// The status of a test notification.
public struct TestNotification: Hashable, Sendable {
    /// An attempt of the App Store to send it.
    public struct Attempt: Hashable, Sendable {
        /// The date of the attempt (`attemptDate`).
        public var date: Date
        /// Apple's `sendAttemptResult`: `SUCCESS`, `TIMED_OUT`, `TLS_ISSUE`, and others.
        public var result: String
    }

    /// The notification as it was sent, signed.
    public var signedPayload: String
    /// The attempts; empty if it was not sent yet.
    public var attempts: [Attempt]
}
