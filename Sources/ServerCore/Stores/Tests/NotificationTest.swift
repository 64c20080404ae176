package import Basics
package import Foundation
import HTTPTypes
package import InAppPurchase
package import Ledger
import ServerHTTP

/// Requests a test notification: for the route, the page and the command.
package struct NotificationTest: Sendable {
    package let ledger: any AuditLedger & KeyValueStore
    package let decisions: ServingContext
    package let store: any Store

    package init(ledger: any AuditLedger & KeyValueStore, decisions: ServingContext, store: any Store) {
        self.ledger = ledger
        self.decisions = decisions
        self.store = store
    }

    /// Has the store send a test notification.
    ///
    /// The request is recorded before the store is asked, since the notification may come before the store's answer.
    /// The audit trail has it with the reason, also if the store refuses.
    /// - Parameter environment: Production if it is `nil`.
    /// - Throws: ``/ServerHTTP/Problem``: 422 for a reason that is empty, too long or has control characters, 404 for
    ///   an unknown
    ///   app, 400 for an unknown environment, 409 if the store sends none, 503 if it does not answer; what the ledger
    ///   throws.
    package func request(
        of app: BundleID, in environment: String?, by actor: AuditActor, reason: String
    ) async throws -> RequestedTest {
        let act = try Self.act(by: actor, reason, at: decisions.clock())
        let environment = try await testedEnvironment(of: app, environment)
        let record = TestNotificationRecord((app, environment), requestedAt: act.date)
        let token = try await token(of: record, act)
        try await ledger.append(Self.entry(act, of: record))
        return RequestedTest(app: app, environment: environment, token: token, requestedAt: record.requestedAt)
    }

    private static func entry(_ act: SupportAct, of record: TestNotificationRecord) -> AuditEntry {
        var content: [String: JSONValue] = [
            "app": .string(record.app.text), "environment": .string(record.environment.rawValue),
            "reason": .string(act.reason),
        ]
        content["refusal"] = record.refusal.map { .string($0) }
        return AuditEntry(
            .testNotificationRequested, by: act.actor, subject: record.app.text, content: content, at: act.date)
    }

    /// The last test notification before a request, and what is known about it after one. The store is not asked.
    ///
    /// - Throws: as ``request(of:in:by:reason:)``, except for what the store would answer.
    package func preview(
        of app: BundleID, in environment: String?, by actor: AuditActor, reason: String
    ) async throws -> SupportChange {
        let now = try Self.act(by: actor, reason, at: decisions.clock()).date
        let environment = try await testedEnvironment(of: app, environment)
        let last = try await TestNotifications(ledger: ledger).last(of: app, in: environment)
        let next = TestNotificationRecord((app, environment), requestedAt: now)
        return SupportChange(before: Self.state(of: last), after: Self.state(of: next))
    }

    private static func state(of record: TestNotificationRecord?) -> [String: JSONValue] {
        [
            "requestedAt": record.map { .string($0.requestedAt.rfc3339) } ?? .null,
            "arrivedAt": record?.arrivedAt.map { .string($0.rfc3339) } ?? .null,
            "refusal": record?.refusal.map { .string($0) } ?? .null,
        ]
    }

    private static func act(by actor: AuditActor, _ reason: String, at date: Date) throws -> SupportAct {
        guard let act = SupportAct(by: actor, reason: reason, at: date) else { throw Problem.wrongReason }
        return act
    }

    /// The environment of an app that has a key.
    private func testedEnvironment(of app: BundleID, _ name: String?) async throws -> InAppPurchase.Environment {
        guard let scope = try decisions.scope(bundleID: app, environment: name) else { throw Problem.unknownApp }
        guard await store.condition(of: [app]).appsWithKey.contains(app) else {
            throw Problem.testRefused(.noKey, "The app has no key for the App Store's API. Nothing was asked.")
        }
        return scope.environment
    }

    /// Records the request, and asks the store. A refusal is in the audit trail before it is an alarm.
    private func token(of request: TestNotificationRecord, _ act: SupportAct) async throws -> String {
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
            try await ledger.append(Self.entry(act, of: refused))
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
            .conflict, "test_refused", "The App Store sends no test notification", detail: detail,
            reason: reason.rawValue)
    }

    fileprivate static func storeUnavailable(_ detail: String) -> Problem {
        Problem(
            .serviceUnavailable, "store_unavailable", "The App Store does not answer", detail: detail,
            retryAfter: storeRetryAfter)
    }

    /// The seconds after which to ask again if the store did not answer (`Retry-After`).
    private static let storeRetryAfter = 60
}

/// A test notification that the store sends, as the route answers it.
package struct RequestedTest: Encodable, Sendable {
    var app: BundleID
    package var environment: Environment
    /// The store's identifier of it.
    package var token: String
    package var requestedAt: Date
}
