import Foundation
import HTTPTypes
import InAppPurchase
import Ledger

/// Requests a test notification: for the route, the page and the command.
struct NotificationTest: Sendable {
    let ledger: any Ledger
    let decisions: ServingContext
    let store: any Store

    /// Has the store send a test notification.
    ///
    /// The request is recorded before the store is asked, since the notification may come before the store's answer.
    /// - Parameter environment: Production if it is `nil`.
    /// - Throws: ``Problem``: 404 for an unknown app, 400 for an unknown environment, 409 if the store sends none, 503 if it
    ///   does not answer; what the ledger throws.
    func request(
        of app: BundleID, in environment: String?, by actor: AuditActor
    ) async throws -> RequestedTest {
        guard let scope = try decisions.scope(bundleID: app, environment: environment) else { throw Problem.unknownApp }
        let now = decisions.clock()
        guard await store.condition(of: [app]).appsWithKey.contains(app) else {
            throw Problem.testRefused(.noKey, "The app has no key for the store's API. Nothing was asked.")
        }
        let record = TestNotificationRecord((app, scope.environment), requestedAt: now)
        let token = try await token(of: record)
        let content: [String: JSONValue] = [
            "app": .string(app.text), "environment": .string(scope.environment.rawValue),
        ]
        try await ledger.append(
            AuditEntry(.testNotificationRequested, by: actor, subject: app.text, content: content, at: now))
        return RequestedTest(
            app: app, environment: scope.environment, token: token, requestedAt: record.requestedAt)
    }

    /// Records the request, and asks the store.
    private func token(of request: TestNotificationRecord) async throws -> String {
        let tests = TestNotifications(ledger: ledger)
        let old = try await tests.last(of: request.app, in: request.environment)
        try await tests.set(request)
        let answer = await store.requestTestNotification(
            for: request.app, in: request.environment, at: request.requestedAt)
        switch answer {
        case .requested(let token): return token
        case .refused(let reason, let words):
            var refused = request
            refused.refusal = words
            try await tests.set(refused)
            throw Problem.testRefused(reason, words)
        case .unavailable(let trouble):
            try await tests.undo(request, to: old)
            throw Problem.storeUnavailable(trouble)
        }
    }
}

extension Problem {
    fileprivate static func testRefused(_ reason: TestNotificationAnswer.Refusal, _ detail: String) -> Problem {
        Problem(
            .conflict, "test_refused", "The store sends no test notification", detail: detail, reason: reason.rawValue)
    }

    fileprivate static func storeUnavailable(_ detail: String) -> Problem {
        Problem(
            .serviceUnavailable, "store_unavailable", "The store does not answer", detail: detail,
            retryAfter: storeRetryAfter)
    }

    /// In seconds.
    private static let storeRetryAfter = 60
}
