import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase

private struct StatusResponse: Encodable {
    struct Group: Encodable {
        var subscriptionGroupIdentifier: String
        var lastTransactions: [LastTransaction]
    }

    struct LastTransaction: Encodable {
        var status: Int
        var originalTransactionId: String
        var signedTransactionInfo: String
        var signedRenewalInfo: String?
    }

    var environment: String
    var bundleId: String
    var appAppleId: Int?
    var data: [Group]
}

private struct ExtendRenewalDateResponse: Encodable {
    var effectiveDate: Int?
    var originalTransactionId: String
    var success = true
    var webOrderLineItemId: String?
}

/// Subscriptions (Apple, "Get All Subscription Statuses" and "Extend a Subscription Renewal Date").
extension ServerAPI {
    @Sendable func subscriptionStatuses(_ call: ServerAPICall) async throws -> Response {
        let asked = try call.queries("status").map { text in
            try Int(text).flatMap(SimulatorSubscriptionStatus.init(rawValue:)).orThrow(.status)
        }
        let newest = Dictionary(
            grouping: try await customer(call.id, call).filter { $0.subscription != nil },
            by: \.transaction.originalID
        ).values.compactMap { line in line.max(by: StoredPurchase.isEarlierPeriod) }
        let groups = Dictionary(
            grouping: newest.filter { purchase in
                purchase.status(at: call.date).map { asked.isEmpty || asked.contains($0) } ?? false
            }, by: { $0.transaction.subscriptionGroupID ?? "" })
        return try .json(
            StatusResponse(
                environment: environment.rawValue, bundleId: call.app.text, appAppleId: await appAppleID(call),
                data: groups.sorted { $0.key < $1.key }.map { group, purchases in
                    StatusResponse.Group(
                        subscriptionGroupIdentifier: group,
                        lastTransactions: try purchases.sorted { $0.transaction.originalID < $1.transaction.originalID }
                            .map { try lastTransaction($0, at: call.date) })
                }))
    }

    private func lastTransaction(_ purchase: StoredPurchase, at date: Date) throws -> StatusResponse.LastTransaction {
        StatusResponse.LastTransaction(
            status: (purchase.status(at: date) ?? .expired).rawValue,
            originalTransactionId: purchase.transaction.originalID.text,
            signedTransactionInfo: try counter.signedTransaction(purchase, at: date),
            signedRenewalInfo: try counter.signedRenewalInfo(purchase, at: date))
    }

    /// Extends a renewal date. The same request identifier again gives the same response, and extends nothing.
    @Sendable func extendRenewalDate(_ call: ServerAPICall) async throws -> Response {
        let asked = try await call.body(ExtendRenewalDateRequest.self).checked()
        let named = try await transaction(
            call, malformed: .originalTransactionID, unknown: .originalTransactionNotFound)
        guard named.purchase.transaction.originalID == call.transactionID else { throw ServerAPIError.notOriginal }
        let newest = named.newest
        let done = newest.subscription?.extensions?.first { $0.requestIdentifier == asked.requestIdentifier }
        if let done { return try .json(Self.extended(newest, to: done.effectiveDate)) }
        try newest.checkExtension(at: call.date)
        let granted = SimulatorRenewalExtension(
            requestIdentifier: asked.requestIdentifier, days: asked.extendByDays, date: call.date)
        guard let outcome = try await book.perform(.extend(granted), on: call.transactionID, at: call.date) else {
            throw ServerAPIError.extensionIneligible
        }
        try await notifier.tell(outcome, at: call.date)
        return try .json(Self.extended(outcome.newest, to: outcome.newest.transaction.expirationDate))
    }

    private static func extended(_ purchase: StoredPurchase, to end: Date?) -> ExtendRenewalDateResponse {
        ExtendRenewalDateResponse(
            effectiveDate: end?.milliseconds, originalTransactionId: purchase.transaction.originalID.text,
            webOrderLineItemId: purchase.subscription?.webOrderLineItemID)
    }
}

extension StoredPurchase {
    /// Two extensions in 365 days (Apple, "Extend a Subscription Renewal Date").
    private static let extensionLimit = (count: 2, time: TimeInterval(365 * 86_400))

    /// - Throws: ``ServerAPIError`` if the period may not be extended.
    func checkExtension(at date: Date) throws {
        guard let subscription, status(at: date) == .active, offer?.isFreeTrial != true else {
            throw ServerAPIError.extensionIneligible
        }
        guard transaction.ownershipType == .purchased else { throw ServerAPIError.familyExtension }
        let recent = (subscription.extensions ?? []).filter {
            date.timeIntervalSince($0.date) < Self.extensionLimit.time
        }
        guard recent.count < Self.extensionLimit.count else { throw ServerAPIError.extensionMaximum }
    }
}
