package import Basics
import Crypto
import Foundation
import HTTPTypes
package import InAppPurchase
package import Ledger
import ServerHTTP

/// Extends the renewal dates of all active subscribers of a product, as after an outage, for the admin API, the pages
/// and the command line: the store extends, and the audit trail has the reason.
package struct SubscriberExtensions: Sendable {
    /// An extension that is asked for.
    package struct Question: Sendable {
        package var product: ProductID
        package var scope: Scope
        package var days: Int
        /// The idempotency key: a repeated request extends once.
        package var key: String

        package init(product: ProductID, scope: Scope, days: Int, key: String) {
            self.product = product
            self.scope = scope
            self.days = days
            self.key = key
        }
    }

    package let ledger: any ReportLedger & AuditLedger & KeyValueStore
    package let decisions: ServingContext
    package let store: any Store

    package init(
        ledger: any ReportLedger & AuditLedger & KeyValueStore, decisions: ServingContext, store: any Store
    ) {
        self.ledger = ledger
        self.decisions = decisions
        self.store = store
    }

    private var records: SubscriberExtensionRecords { SubscriberExtensionRecords(ledger: ledger) }

    /// Has the store extend the renewal dates, or says what a request would do.
    ///
    /// - Throws: as ``request(_:by:reason:)``, or ``preview(_:by:reason:)``.
    package func answer(
        to question: Question, by administrator: Administrator, reason: String, isDryRun: Bool
    ) async throws -> any Encodable & Sendable {
        guard !isDryRun else { return DryRunBody(try await preview(question, by: administrator, reason: reason)) }
        return SubscriberExtensionBody(try await request(question, by: administrator, reason: reason))
    }

    /// Has the store extend the renewal dates.
    ///
    /// The request is recorded before the store is asked, since its result may come before its answer.
    ///
    /// - Throws: 403 for an app that the administrator's token is not for; 404 for a product that the app does not
    ///   have; 422 for a reason or a number of days that is not possible, and for a product that does not renew; 409 if
    ///   the store refuses or the app has no key; 503 if the store does not answer: then the same request, with the
    ///   same key, may be repeated.
    package func request(
        _ question: Question, by administrator: Administrator, reason: String
    ) async throws -> SubscriberExtension {
        let act = try await checked(question, by: administrator, reason: reason)
        let asked = SubscriberExtension(
            of: question.product, in: question.scope, days: question.days, request: question.requestID, at: act.date)
        let old = try await records.last(of: asked.product, in: asked.scope)
        if let old, old.request == asked.request, old.isAccepted { return old }
        let subscribers = try await subscribers(of: question, at: act.date)
        try await records.set(asked)
        if let trouble = await store.extendRenewals(asked, at: act.date) {
            // Without an answer it is not known whether the store does it.
            if case .unavailable = trouble {} else { try await records.undo(asked, to: old) }
            throw Problem(trouble)
        }
        try await ledger.append(asked.entry(act, subscribers: subscribers))
        let accepted = try await records.change(asked.request, of: asked.product, in: asked.scope) {
            $0.isAccepted = true
        }
        return accepted ?? asked
    }

    /// The number of subscribers that the ledger knows, and by how many days a request would extend. The store is not
    /// asked.
    ///
    /// - Throws: as ``request(_:by:reason:)``, except for what the store would answer.
    package func preview(
        _ question: Question, by administrator: Administrator, reason: String
    ) async throws -> SupportChange {
        let date = try await checked(question, by: administrator, reason: reason).date
        let subscribers = JSONValue.integer(try await subscribers(of: question, at: date))
        return SupportChange(
            before: ["subscribers": subscribers, "days": .integer(0)],
            after: ["subscribers": subscribers, "days": .integer(question.days)])
    }

    /// The last extension of a product; the store is asked how far it is, unless it is known to be complete.
    ///
    /// - Returns: `nil` if none was asked for.
    package func last(of product: ProductID, in scope: Scope) async throws -> SubscriberExtension? {
        guard let last = try await records.last(of: product, in: scope) else { return nil }
        guard last.progress?.isComplete != true, let progress = await store.progress(of: last, at: decisions.clock())
        else { return last }
        return try await records.change(last.request, of: product, in: scope) { known in
            known.isAccepted = true
            known.progress = progress
        }
    }

    /// The number of active subscribers, as the report of subscriptions counts them.
    private func subscribers(of question: Question, at date: Date) async throws -> Int {
        let scope = question.scope
        let query = ReportQuery(
            .subscriptions, by: .product, from: date - 1, to: date, environment: scope.environment, app: scope.app)
        guard let query else { return 0 }
        return try await ledger.report(query, at: date).rows[question.product.text]?[.active] ?? 0
    }

    private func checked(
        _ question: Question, by administrator: Administrator, reason: String
    ) async throws -> SupportAct {
        let app = question.scope.app
        try administrator.require(app)
        let context = decisions.context
        guard let act = SupportAct(by: administrator.actor, reason: reason, at: context.date) else {
            throw Problem.wrongReason
        }
        guard (1...RenewalDates.maximumDays).contains(question.days) else { throw Problem.wrongDays }
        guard let product = context.catalog.product(question.product, of: app) else { throw Problem.unknownProduct }
        guard product.type == .autoRenewable else { throw Problem.noSubscription }
        guard await store.condition(of: [app]).appsWithKey.contains(app) else {
            throw Problem(ExtensionAnswer.withoutKey)
        }
        return act
    }
}

extension SubscriberExtensions.Question {
    /// The ID of the request at the store, which takes UUIDs only (version 8, RFC 9562 §5.8): the same for the same
    /// question with the same key.
    fileprivate var requestID: UUID {
        let parts = [scope.app.text, scope.environment.rawValue, product.text, "\(days)", key]
        var bytes = Array(SHA256.hash(data: Data(parts.joined(separator: "\n").utf8)))
        bytes[6] = bytes[6] & 0x0f | 0x80
        bytes[8] = bytes[8] & 0x3f | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

extension SubscriberExtension {
    fileprivate func entry(_ act: SupportAct, subscribers: Int) -> AuditEntry {
        AuditEntry(
            .renewalsExtended, by: act.actor, subject: product.text,
            content: [
                "app": .string(app.text), "environment": .string(environment.rawValue), "days": .integer(days),
                "reason": .string(act.reason), "request": .string(request.text), "subscribers": .integer(subscribers),
            ], at: act.date)
    }
}
