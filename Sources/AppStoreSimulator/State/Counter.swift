import Crypto
import Foundation
import InAppPurchase

/// Where purchases are made and receipts handed out: the book and the keys together.
struct Counter: Sendable {
    /// The group of a subscription is named after the line's first product, in eight digits.
    private static let groups: UInt64 = 100_000_000

    var book: PurchaseBook
    var signedDataKey: SignedDataKey
    var receiptKey: ReceiptKey
    var numbers: AppNumbers

    /// Records a purchase. Each call is another purchase.
    func purchase(_ request: PurchaseRequest, at date: Date) async throws -> StoredPurchase {
        let id = try await book.identifiers.next()
        let (start, isSubscription) = (request.purchaseDate ?? date, request.type == .autoRenewable)
        let transaction = Transaction(
            id: id, originalID: id, app: request.customer.app, environment: request.customer.environment,
            productID: request.productID, productType: request.type, quantity: request.quantity, purchaseDate: start,
            originalPurchaseDate: start,
            expirationDate: isSubscription ? request.firstPeriod.end(from: start).wholeMilliseconds : nil,
            ownershipType: request.ownershipType, appAccountToken: request.appAccountToken,
            subscriptionGroupID: isSubscription ? group(of: request) : nil, signedDate: date, isSigned: true)
        var purchase = StoredPurchase(
            transaction: transaction, customerName: request.customer.name, recordedDate: date, number: 1,
            isRenewal: false, offer: request.offer)
        if isSubscription { purchase.subscription = try await subscription(request, from: start, at: date) }
        try await book.record(purchase)
        return purchase
    }

    private func subscription(
        _ request: PurchaseRequest, from start: Date, at date: Date
    ) async throws -> StoredPurchase.Subscription {
        StoredPurchase.Subscription(
            webOrderLineItemID: try await book.identifiers.next(), period: request.period, recentStartDate: start,
            renewal: RenewalFacts(willAutoRenew: true, autoRenewProductID: request.productID, signedDate: date))
    }

    /// What the store tells of a new purchase: the first subscription of the customer's in its group, or another.
    func notification(for purchase: StoredPurchase) async throws -> NotificationKind {
        guard purchase.subscription != nil else { return .oneTimeCharge }
        let isFirst = try await book.purchases(ofCustomer: purchase.customer.key).allSatisfy { other in
            other.transaction.subscriptionGroupID != purchase.transaction.subscriptionGroupID
                || other.transaction.id == purchase.transaction.id
        }
        return isFirst ? .initialBuy : .resubscribe
    }

    private func group(of request: PurchaseRequest) -> String {
        let digest = SHA256.hash(data: Data("\(request.customer.app)\n\(request.productID)".utf8))
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return String(Self.groups + number % Self.groups)
    }

    func signedTransaction(_ purchase: StoredPurchase, at date: Date) throws -> String {
        try signedDataKey.sign(SignedTransaction(purchase, signedDate: date))
    }

    /// Nil where it is no subscription.
    func signedRenewalInfo(_ purchase: StoredPurchase, at date: Date) throws -> String? {
        try SignedRenewalInfo(purchase, signedDate: date).map { try signedDataKey.sign($0) }
    }

    /// Base64.
    func appReceipt(of customer: Customer, at date: Date) async throws -> String {
        let receipt = AppReceipt(
            customer: customer, appAppleID: await numbers.number(of: customer.app, in: customer.environment),
            creationDate: date,
            purchases: try await book.purchases(ofCustomer: customer.key).receiptContent(at: date))
        return Data(try receipt.signed(with: receiptKey)).base64EncodedString()
    }

    /// Base64.
    func transactionReceipt(_ purchase: StoredPurchase) async throws -> String {
        let (app, environment) = (purchase.transaction.app, purchase.transaction.environment)
        let number = await numbers.number(of: app, in: environment)
        return try TransactionReceipt(purchase: purchase, appAppleID: number).signed(with: receiptKey)
            .base64EncodedString()
    }
}
