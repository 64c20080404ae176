import Crypto
import Foundation
import InAppPurchase

/// Makes purchases and issues receipts: combines the purchases and the keys.
struct Counter: Sendable {
    /// The group of a subscription is named after that of the product information, otherwise after the original
    /// transaction's first product, in eight digits.
    private static let groups: UInt64 = 100_000_000

    var book: PurchaseBook
    var signedDataKey: SignedDataKey
    var receiptKey: ReceiptKey
    var numbers: AppNumbers

    /// Records a purchase. Each call is another purchase.
    func purchase(_ asked: PurchaseRequest, at date: Date) async throws -> ActOutcome {
        let customer = asked.customer
        var request = try asked.completed(by: try await book.products.product(asked.productID, of: customer.app))
        let id = TransactionID(stored: try await book.identifiers.next())
        let (start, isSubscription) = (request.purchaseDate ?? date, request.type == .autoRenewable)
        // A customer has one introductory offer in a group, and is sold the usual period after it.
        if isSubscription, request.offer?.isIntroductory == true, request.ownershipType == .purchased,
            try await !book.beginsIntroduction(id, of: customer, in: group(of: request))
        {
            request.offer = nil
        }
        let transaction = Transaction(
            id: id, originalID: id, app: customer.app, environment: customer.environment,
            productID: request.productID, productType: request.type, quantity: request.quantity, purchaseDate: start,
            originalPurchaseDate: start, expirationDate: isSubscription ? request.firstEnd(from: start) : nil,
            ownershipType: request.ownershipType, appAccountToken: request.appAccountToken,
            subscriptionGroupID: isSubscription ? group(of: request) : nil, signedDate: date, isSigned: true)
        var purchase = StoredPurchase(
            transaction: transaction, customerName: customer.name, recordedDate: date, number: 1, isRenewal: false,
            offer: request.offer, price: request.total, currency: request.currency, storefront: request.storefront)
        if isSubscription {
            purchase.subscription = try await subscription(request, from: start, at: date)
            purchase.seats = request.seats
        }
        let isFirst = try await book.record(purchase)
        let kind: NotificationKind = isSubscription ? (isFirst ? .initialBuy : .resubscribe) : .oneTimeCharge
        return ActOutcome(purchase: purchase, newest: purchase, kind: kind)
    }

    /// Makes a restored copy: with an ID and a date of its own, and the original transaction's ID.
    ///
    /// - Parameter customer: the name of the customer whose receipt it joins; `nil` for the purchaser.
    func restore(_ purchase: StoredPurchase, for customer: String?, at date: Date) async throws -> StoredPurchase {
        let owner = purchase.customer
        var copy = try await copy(of: purchase, for: customer.map(owner.named) ?? owner, at: date)
        copy.transaction.purchaseDate = date
        try await book.recordCopy(copy)
        return copy
    }

    /// Refreshes the app receipt: each entry has an ID of its own, and the dates and the `webOrderLineItemID` of the
    /// purchase.
    ///
    /// - Returns: the app receipt, in base64.
    func refreshedAppReceipt(of customer: Customer, for device: UUID?, at date: Date) async throws -> String {
        var copies: [StoredPurchase] = []
        for purchase in try await book.restorable(ofCustomer: customer.key, at: date) {
            copies.append(try await copy(of: purchase, for: customer, at: date))
        }
        try await book.recordRefresh(copies, of: customer)
        return try await appReceipt(of: customer, for: device, with: copies, at: date)
    }

    private func copy(
        of purchase: StoredPurchase, for customer: Customer, at date: Date
    ) async throws -> StoredPurchase {
        var copy = purchase
        copy.transaction.id = TransactionID(stored: try await book.identifiers.next())
        copy.customerName = customer.name
        (copy.recordedDate, copy.isFinished, copy.familyOriginals) = (date, false, [])
        copy.copyOf = purchase.copyOf ?? purchase.transaction.id
        return copy
    }

    /// Gives a family member a copy: with IDs of its own, and without the purchaser's account token.
    func share(_ purchase: StoredPurchase, with member: String, at date: Date) async throws -> ActOutcome {
        let id = TransactionID(stored: try await book.identifiers.next())
        var copy = purchase
        (copy.transaction.id, copy.transaction.originalID) = (id, id)
        (copy.transaction.ownershipType, copy.transaction.appAccountToken) = (.familyShared, nil)
        copy.customerName = purchase.customer.named(member).name
        (copy.recordedDate, copy.number, copy.isRenewal, copy.isFinished) = (date, 1, false, false)
        // What happens to the purchaser's happens to it.
        (copy.familyOriginals, copy.copyOf) = ([], nil)
        copy.subscription?.renewsByItself = false
        if copy.subscription != nil { copy.subscription?.webOrderLineItemID = try await book.identifiers.next() }
        let isFirst = try await book.record(copy)
        _ = try await book.change(purchase.transaction.id) { $0.familyOriginals.append(id) }
        let kind: NotificationKind = copy.subscription == nil ? .oneTimeCharge : isFirst ? .initialBuy : .resubscribe
        return ActOutcome(purchase: copy, newest: copy, kind: kind)
    }

    private func subscription(
        _ request: PurchaseRequest, from start: Date, at date: Date
    ) async throws -> StoredPurchase.Subscription {
        StoredPurchase.Subscription(
            webOrderLineItemID: try await book.identifiers.next(), period: request.standardPeriod,
            recentStartDate: start,
            renewal: RenewalFacts(willAutoRenew: true, autoRenewProductID: request.productID, signedDate: date),
            nextOffer: request.offer?.rest,
            // What was over when it was bought is history, and stays so.
            renewsByItself: request.renews && request.firstEnd(from: start) > date,
            isAccelerated: request.isAccelerated, renewals: 0, standardPrice: request.price,
            winBackOffers: request.winBackOffers, billingPlan: request.billingPlan,
            billingPeriodNumber: request.billingPlan == .monthly ? 1 : nil)
    }

    private func group(of request: PurchaseRequest) -> String {
        let name = request.group.map { "\n\($0)" } ?? request.productID.text
        let digest = SHA256.hash(data: Data("\(request.customer.app)\n\(name)".utf8))
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return String(Self.groups + number % Self.groups)
    }

    /// - Parameter device: the device that it is made for, as StoreKit does; `nil` for none, as in the Server API.
    func signedTransaction(_ purchase: StoredPurchase, for device: UUID? = nil, at date: Date) throws -> String {
        var transaction = SignedTransaction(purchase, signedDate: date)
        if let device { transaction.tie(to: device, nonce: UUID()) }
        return try signedDataKey.sign(transaction)
    }

    /// The newest transaction of each of the customer's original transactions, and those that added seats to it, as
    /// StoreKit has them on a device: unfinished ones first, then the newest first. A finished consumable is left out.
    func signedTransactions(
        of customer: Customer, for device: UUID?, at date: Date
    ) async throws -> SignedTransactions {
        let purchases = try await book.purchases(ofCustomer: customer.key)
        let lines = Dictionary(grouping: purchases, by: \.transaction.originalID).values
        let newest = lines.flatMap(Self.newest(of:))
            .filter { !($0.isFinished && $0.transaction.productType == .consumable) }
            .sorted { left, right in
                let (isOver, isOtherOver) = (left.isFinished, right.isFinished)
                return isOver == isOtherOver ? left.recordedDate > right.recordedDate : isOtherOver
            }
        return SignedTransactions(
            transactions: try newest.map { try signedTransaction($0, for: device, at: date) },
            unfinished: newest.count { !$0.isFinished })
    }

    /// The newest transactions of an original transaction: one, and those that added seats to it.
    private static func newest(of line: [StoredPurchase]) -> [StoredPurchase] {
        guard let newest = line.max(by: StoredPurchase.isEarlierPeriod) else { return [] }
        return [newest] + line.filter { $0.isSeatAddition && $0.copyOf == nil && $0.number == newest.number }
    }

    /// The signed renewal info; `nil` if it is not a subscription.
    func signedRenewalInfo(_ purchase: StoredPurchase, at date: Date) throws -> String? {
        try SimulatorSignedRenewalInfo(purchase, signedDate: date).map { try signedDataKey.sign($0) }
    }

    /// The app receipt, in base64.
    ///
    /// - Parameter device: the device that it is made for (`identifierForVendor`); `nil` for the one derived from the
    ///   customer.
    func appReceipt(of customer: Customer, for device: UUID? = nil, at date: Date) async throws -> String {
        let purchases = try await book.receiptContent(ofCustomer: customer.key, at: date)
        return try await appReceipt(of: customer, for: device, with: purchases, at: date)
    }

    private func appReceipt(
        of customer: Customer, for device: UUID?, with purchases: [StoredPurchase], at date: Date
    ) async throws -> String {
        let receipt = SimulatorAppReceipt(
            customer: customer, device: device,
            appAppleID: await numbers.number(of: customer.app, in: customer.environment),
            creationDate: date, purchases: purchases)
        return Data(try receipt.signed(with: receiptKey)).base64EncodedString()
    }

    /// The transaction receipt, in base64.
    func transactionReceipt(_ purchase: StoredPurchase) async throws -> String {
        let (app, environment) = (purchase.transaction.app, purchase.transaction.environment)
        let number = await numbers.number(of: app, in: environment)
        return try TransactionReceipt(purchase: purchase, appAppleID: number).signed(with: receiptKey)
            .base64EncodedString()
    }
}

/// A customer's transactions as StoreKit has them on a device, the unfinished ones first.
struct SignedTransactions: Sendable, Encodable {
    /// As JWS.
    var transactions: [String]
    /// How many of them, from the first on, the app has not finished.
    var unfinished: Int
}

/// The outcome of an act.
struct ActOutcome: Sendable {
    /// The transaction that the act is about.
    var purchase: StoredPurchase
    /// The newest transaction of its original transaction.
    var newest: StoredPurchase
    /// The notification to send to the app's server; `nil` for none.
    var kind: NotificationKind?
    /// The claims of seats that the notification is about.
    var unclaimed: [UUID] = []
}

/// The numbers of apps in the App Store, as receipts name them.
struct AppNumbers: Sendable {
    /// The number in notifications of an app whose number is not known.
    static let standIn = 1

    /// Looks up an app's number; `nil` if it is not known.
    var lookUp: @Sendable (BundleID) async -> Int?

    /// The number of an app, 0 in the sandbox; `nil` if it is not known.
    func number(of app: BundleID, in environment: Environment) async -> Int? {
        environment == .production ? await lookUp(app) : 0
    }
}
