import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase

private struct HistoryResponse: Encodable {
    var revision: String
    var hasMore: Bool
    var bundleId: String
    var appAppleId: Int?
    var environment: String
    var signedTransactions: [String]
}

private struct RefundHistoryResponse: Encodable {
    var hasMore: Bool?
    var revision: String?
    var signedTransactions: [String]
}

/// All transactions of a customer, a page at a time.
extension ServerAPI {
    /// The maximum number of refunds in a response of version 1, which has no pages.
    private static let refundsOfVersion1 = 50

    @Sendable func history(_ call: ServerAPICall) async throws -> Response {
        let filter = try SimulatorHistoryFilter(call)
        let purchases = try await customer(call.id, call).filter(filter.matches)
        let page = Page(purchases, after: filter.revision, isDescending: filter.isDescending)
        return try .json(
            HistoryResponse(
                revision: page.revision, hasMore: page.hasMore, bundleId: call.app.text,
                appAppleId: await appAppleID(call), environment: environment.rawValue,
                signedTransactions: page.purchases.map { try counter.signedTransaction($0, at: call.date) }))
    }

    @Sendable func refundHistory(_ call: ServerAPICall) async throws -> Response {
        let page = Page(try await refunds(call), after: try Revision(call), isDescending: false)
        return try .json(
            RefundHistoryResponse(
                hasMore: page.hasMore, revision: page.revision,
                signedTransactions: page.purchases.map { try counter.signedTransaction($0, at: call.date) }))
    }

    @Sendable func refundHistoryVersion1(_ call: ServerAPICall) async throws -> Response {
        let refunds = try await refunds(call).suffix(Self.refundsOfVersion1)
        return try .json(
            RefundHistoryResponse(signedTransactions: refunds.map { try counter.signedTransaction($0, at: call.date) }))
    }

    private func refunds(_ call: ServerAPICall) async throws -> [StoredPurchase] {
        try await customer(call.id, call).filter {
            $0.transaction.revocation != nil && $0.transaction.ownershipType == .purchased
        }
    }
}

/// A page of transactions in the order of their last change.
private struct Page {
    var purchases: [StoredPurchase]
    var hasMore: Bool
    /// The start of the next page.
    var revision: String

    init(_ all: [StoredPurchase], after start: Revision?, isDescending: Bool) {
        let rest =
            all
            .map { (revision: Revision($0), purchase: $0) }
            .filter { item in start.map { isDescending ? item.revision < $0 : item.revision > $0 } ?? true }
            .sorted { isDescending ? $0.revision > $1.revision : $0.revision < $1.revision }
        let page = rest.prefix(ServerAPI.pageSize)
        purchases = page.map(\.purchase)
        hasMore = rest.count > page.count
        revision = (page.last?.revision ?? start)?.text ?? "0_0"
    }
}
