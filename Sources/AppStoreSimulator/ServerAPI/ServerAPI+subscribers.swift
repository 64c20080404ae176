import Basics
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase

private struct ExtendAllResponse: Encodable {
    var requestIdentifier: String
}

/// Apple, MassExtendRenewalDateStatusResponse. The date is milliseconds since 1970.
private struct ExtensionStatus: Codable {
    var requestIdentifier: String
    var complete = true
    var completeDate: Int
    var succeededCount = 0
    var failedCount = 0
}

/// Extensions for all subscribers (Apple, "Extend Subscription Renewal Dates for All Active Subscribers").
extension ServerAPI {
    /// Extends the subscriptions before it answers, and sends the summary; Apple's answer comes first. The same request
    /// identifier again extends nothing.
    @Sendable func extendAllRenewalDates(_ call: ServerAPICall) async throws -> Response {
        let asked = try await call.body(ExtendAllRequest.self).checked()
        let key = statusKey(call.app, asked.product.text, asked.request.requestIdentifier)
        if try await book.store.value(forKey: key) == nil {
            var status = ExtensionStatus(
                requestIdentifier: asked.request.requestIdentifier, completeDate: call.date.milliseconds)
            for newest in try await subscribers(asked, call) {
                let isExtended = try await extend(newest, asked.request, at: call.date)
                if isExtended { status.succeededCount += 1 } else { status.failedCount += 1 }
            }
            try await book.store.set([key: JSONEncoder().encode(status)])
            try await notifier.tell(
                SimulatorNotificationPayload.Summary(
                    environment: environment.rawValue, bundleId: call.app.text, productId: asked.product.text,
                    requestIdentifier: status.requestIdentifier,
                    storefrontCountryCodes: asked.storefronts, succeededCount: status.succeededCount,
                    failedCount: status.failedCount), app: call.app, environment: environment, at: call.date)
        }
        return try .json(ExtendAllResponse(requestIdentifier: asked.request.requestIdentifier))
    }

    @Sendable func extensionStatus(_ call: ServerAPICall) async throws -> Response {
        guard UUID(uuidString: call.id) != nil else { throw ServerAPIError.requestIdentifier }
        let key = statusKey(call.app, call.context.parameters.get("product") ?? "", call.id)
        guard let status = try await book.store.value(forKey: key) else { throw ServerAPIError.statusRequestNotFound }
        return try .json(JSONDecoder().decode(ExtensionStatus.self, from: status))
    }

    /// The newest transactions of the customers who have the product now; the family's follow the purchaser's.
    private func subscribers(_ asked: ExtendAllRequest, _ call: ServerAPICall) async throws -> [StoredPurchase] {
        var found: [StoredPurchase] = []
        for id in try await book.newestTransactions() {
            guard let newest = try await book.purchase(id), newest.status(at: call.date) == .active,
                newest.transaction.app == call.app, newest.transaction.environment == environment,
                newest.transaction.productID == asked.product, newest.transaction.ownershipType == .purchased,
                asked.storefronts?.contains(newest.storefront) ?? true
            else { continue }
            found.append(newest)
        }
        return found
    }

    /// - Returns: whether the subscription has the extension; otherwise the app's server is told that it failed.
    private func extend(
        _ newest: StoredPurchase, _ asked: ExtendRenewalDateRequest, at date: Date
    ) async throws -> Bool {
        let isExtended = newest.subscription?.extensions?.contains {
            $0.requestIdentifier == asked.requestIdentifier
        }
        if isExtended == true { return true }
        do {
            try newest.checkExtension(at: date)
            let granted = SimulatorRenewalExtension(
                requestIdentifier: asked.requestIdentifier, days: asked.extendByDays, date: date)
            let performer = Performer(book: book, notifier: notifier)
            guard try await performer.perform(.extend(granted), on: newest.transaction.id, at: date) != nil else {
                throw ServerAPIError.extensionIneligible
            }
            return true
        } catch is ServerAPIError {
            try await notifier.tell(.extensionFailed, of: newest, newest: newest, at: date)
            return false
        }
    }

    private func statusKey(_ app: BundleID, _ product: String, _ request: String) -> String {
        "simulator/extensions/\(AppPlace(app: app, environment: environment).key)/\(product)/\(request.lowercased())"
    }
}

/// Apple, MassExtendRenewalDateRequest.
private struct ExtendAllRequest: Decodable {
    private enum CodingKeys: CodingKey { case productId, storefrontCountryCodes }

    var request: ExtendRenewalDateRequest
    var product: ProductID
    /// `nil` for all.
    var storefronts: [String]?

    init(from decoder: any Decoder) throws {
        request = try ExtendRenewalDateRequest(from: decoder)
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let name = (try? members.decode(String.self, forKey: .productId)) ?? ""
        product = ProductID(stored: try name.identifier.orThrow(.productID))
        storefronts = try members.decodeIfPresent([String].self, forKey: .storefrontCountryCodes)
    }

    /// - Throws: ``ServerAPIError``.
    func checked() throws -> ExtendAllRequest {
        _ = try request.checked()
        guard UUID(uuidString: request.requestIdentifier) != nil else { throw ServerAPIError.requestIdentifier }
        guard storefronts?.isEmpty != true else { throw ServerAPIError.storefrontList }
        guard storefronts?.allSatisfy(Storefront.isCode) ?? true else {
            throw ServerAPIError.storefront
        }
        return self
    }
}
