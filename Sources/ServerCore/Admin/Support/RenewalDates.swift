import Basics
import Crypto
import Foundation
import HTTPTypes
package import InAppPurchase
package import Ledger
import ServerHTTP

/// Extends the renewal dates of subscriptions, for the admin API, the pages and the command line: the store extends,
/// and the audit trail has the reason.
package struct RenewalDates: Sendable {
    /// The maximum number of days of one extension (Apple, "Extend a Subscription Renewal Date"). A customer gets two
    /// extensions a year.
    package static let maximumDays = 90

    /// In seconds: the store remembers the ID of a request for less than a year.
    private static let rememberedTime: TimeInterval = 366 * 86_400
    private static let rememberedRows = 20

    /// An extension that is asked for.
    package struct Question: Sendable {
        package var subscription: OriginalTransaction.Key
        package var days: Int
        /// The key by which a repeated request extends once; `nil` for one that stands for the current period.
        package var key: String?

        package init(subscription: OriginalTransaction.Key, days: Int, key: String? = nil) {
            self.subscription = subscription
            self.days = days
            self.key = key
        }
    }

    package let ledger: any ReceiptLedger & SupportLedger & AuditLedger
    package let decisions: ServingContext
    package let store: any Store

    package init(ledger: any ReceiptLedger & SupportLedger & AuditLedger, decisions: ServingContext, store: any Store) {
        self.ledger = ledger
        self.decisions = decisions
        self.store = store
    }

    /// Extends a renewal date, or says what it would be without asking the store.
    ///
    /// - Throws: 403 for an app that the administrator's token is not for; 422 for a reason, a number of days or a
    ///   purchase that cannot be extended; ``/Ledger/LedgerRefusal``; 409 if the store refuses or the app has no key;
    ///   503 if the store does not answer.
    package func answer(
        to question: Question, by administrator: Administrator, reason: String, isDryRun: Bool = false
    ) async throws -> any Encodable & Sendable {
        try administrator.require(question.subscription.app)
        let context = decisions.context
        guard let act = SupportAct(by: administrator.actor, reason: reason, at: context.date) else {
            throw Problem.wrongReason
        }
        guard !isDryRun else { return DryRunBody(try await preview(question, by: administrator)) }
        let (record, end) = try await subscription(question)
        let request = Self.requestID(question, end)
        let answer = await store.extendRenewal(
            of: question.subscription, byDays: question.days, requestID: request, at: context.date)
        guard case .extended(let date, let facts) = answer else { throw Problem(answer) }
        // Decided by the trail and not by the dates: the store's notification may have brought the new date already.
        if try await !isRecorded(request, of: record.owner, at: context.date) {
            try await ledger.append(question.entry(act, request, of: record, from: end, until: date))
        }
        if let facts {
            _ = try await ledger.observe(
                facts, cause: "extension \(question.subscription.originalID)", in: decisions.context)
        }
        return ExtendedBody(question, until: date)
    }

    /// The renewal date before and after an extension.
    ///
    /// - Throws: as ``answer(to:by:reason:isDryRun:)``.
    package func preview(_ question: Question, by administrator: Administrator) async throws -> SupportChange {
        let app = question.subscription.app
        try administrator.require(app)
        let end = try await subscription(question).end
        guard await store.condition(of: [app]).appsWithKey.contains(app) else {
            throw Problem(ExtensionAnswer.withoutKey)
        }
        return Self.change(from: end, byDays: question.days)
    }

    private static func change(from end: Date, byDays days: Int) -> SupportChange {
        SupportChange(
            before: ["expirationDate": .string(end.rfc3339)],
            after: ["expirationDate": .string((end + Double(days) * 86_400).rfc3339)])
    }

    /// The newest transaction, and the end of its period.
    private func subscription(_ question: Question) async throws -> (record: RecordedTransaction, end: Date) {
        guard (1...Self.maximumDays).contains(question.days) else { throw Problem.wrongDays }
        guard let record = try await ledger.newestTransaction(of: question.subscription) else {
            throw LedgerRefusal.unknownOriginalTransaction
        }
        guard let end = record.transaction.expirationDate else { throw Problem.noSubscription }
        return (record, end)
    }

    /// Whether the audit trail has an extension already: a second answer to the same request is not recorded again.
    private func isRecorded(_ request: String, of account: AccountID, at date: Date) async throws -> Bool {
        let filter = AuditFilter(
            kind: AuditEntry.Kind.renewalExtended.rawValue, account: account, since: date - Self.rememberedTime)
        // A customer gets two a year.
        let page = try await ledger.newestAuditRows(matching: filter, before: nil, limit: Self.rememberedRows)
        return page.rows.contains { $0.content?.contains(#""request":"\#(request)""#) == true }
    }

    /// The ID of the request at the store. Without a key it is that of the period: a request that is repeated before
    /// the answer is recorded extends once.
    private static func requestID(_ question: Question, _ end: Date) -> String {
        let parts = [
            question.subscription.app.text, question.subscription.environment.rawValue,
            question.subscription.originalID.text, "\(question.days)", question.key ?? end.rfc3339,
        ]
        return Data(SHA256.hash(data: Data(parts.joined(separator: "\n").utf8))).hex
    }
}

extension RenewalDates.Question {
    fileprivate func entry(
        _ act: SupportAct, _ request: String, of record: RecordedTransaction, from end: Date, until date: Date
    ) -> AuditEntry {
        AuditEntry(
            .renewalExtended, by: act.actor, account: record.owner, subject: subscription.originalID.text,
            content: [
                "app": .string(subscription.app.text), "environment": .string(subscription.environment.rawValue),
                "days": .integer(days), "reason": .string(act.reason), "request": .string(request),
                "before": .object(["expirationDate": .string(end.rfc3339)]),
                "after": .object(["expirationDate": .string(date.rfc3339)]),
            ], at: act.date)
    }
}

extension Problem {
    static let wrongDays = Problem(
        .unprocessableContent, "invalid_request", "A renewal date is extended by 1 to 90 days",
        detail: "days: 1 to \(RenewalDates.maximumDays). The App Store extends twice a year.")
    static let noSubscription = Problem(
        .unprocessableContent, "invalid_request", "The purchase is no subscription that the App Store renews")

    /// The problem of an answer that is no extension.
    init(_ answer: ExtensionAnswer) {
        self =
            switch answer {
            case .refused(let reason):
                Problem(
                    .conflict, "extension_refused", "The App Store does not extend the renewal date", detail: reason)
            case .withoutKey: Problem(.conflict, "no_store_key", "The app has no key for the App Store's API")
            case .unknown, .extended: Problem(.notFound, "not_found", "The App Store knows no such subscription")
            case .unavailable:
                Problem(.serviceUnavailable, "store_unavailable", "The App Store does not answer now", retryAfter: 60)
            }
    }
}

/// A subscription whose renewal date was extended.
struct ExtendedBody: Encodable {
    var app: BundleID
    var environment: Environment
    var originalID: TransactionID
    var days: Int
    /// The new renewal date.
    var expirationDate: Date

    init(_ question: RenewalDates.Question, until date: Date) {
        app = question.subscription.app
        environment = question.subscription.environment
        originalID = question.subscription.originalID
        days = question.days
        expirationDate = date
    }
}
