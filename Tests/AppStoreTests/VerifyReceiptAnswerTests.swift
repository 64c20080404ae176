import Foundation
import InAppPurchase
import Testing

@testable import AppStore

/// Bodies as the store sends them, read without the network.
@Suite struct VerifyReceiptAnswerTests {
    static func times(_ name: String, _ date: Date) -> [String: JSONValue?] {
        let formatted = date.rfc3339.replacing("T", with: " ").replacing("Z", with: " Etc/GMT")
        return [name: .string(formatted), "\(name)_ms": .string("\(date.milliseconds)"), "\(name)_pst": "ignored"]
    }

    static let entry = JSONValue.object([
        "transaction_id": "1000000100", "original_transaction_id": "1000000001", "quantity": "1",
        "product_id": "com.example.hangman.club.monthly", "is_trial_period": "false",
        "in_app_ownership_type": "FAMILY_SHARED", "subscription_group_identifier": "20123",
        "app_account_token": "0b0e1f6a-3c1d-4a5b-9c8d-7e6f5a4b3c2d",
    ])
    .with(times("purchase_date", .t0 - 100)).with(times("original_purchase_date", .t0 - 1000))
    .with(times("expires_date", .t0 + 100))

    static let unified: JSONValue = [
        "status": 0, "environment": "Production", "latest_receipt": "bm90IHJlYWQ=",
        "receipt": JSONValue.object([
            "bundle_id": "com.example.hangman", "adam_id": 1_234_567_890, "app_item_id": 1_234_567_890,
            "download_id": 9_223_372_036_854_775_807, "in_app": [entry],
        ])
        .with(times("receipt_creation_date", .t0 - 50)).with(times("request_date", .t0 - 1)),
    ]

    static let renewal = JSONValue.object([
        "original_transaction_id": "1000000001", "product_id": "com.example.hangman.club.monthly",
        "auto_renew_product_id": "com.example.hangman.club.yearly", "auto_renew_status": "1",
        "is_in_billing_retry_period": "1", "expiration_intent": "2",
    ])
    .with(times("grace_period_expires_date", .t0 + 7))

    static let iOS6: JSONValue = [
        "status": 0,
        "receipt": [
            "bid": "com.example.hangman", "bvrs": "1.0", "app_item_id": "1234567890", "quantity": "1",
            "product_id": "com.example.hangman.club.monthly", "transaction_id": "1000000100",
            "original_transaction_id": "1000000001", "purchase_date": "2026-11-20 21:36:00 Etc/GMT",
            "original_purchase_date_ms": "1795210000000", "expires_date": "1795210630000",
            "expires_date_formatted": "2026-11-20 21:37:10 Etc/GMT",
        ],
    ]

    private func verdict(_ body: JSONValue, from endpoint: Environment = .production) throws -> StoreVerdict {
        try JSONDecoder().decode(VerifyReceiptAnswer.self, from: try body.data).verdict(from: endpoint, at: .t0)
    }

    private func answer(_ body: JSONValue, from endpoint: Environment = .production) throws -> StoreAnswer {
        try #require(try verdict(body, from: endpoint).answer)
    }

    private func unified(_ members: [String: JSONValue?], receipt: [String: JSONValue?] = [:]) throws -> JSONValue {
        guard case .object(let object) = Self.unified, let inner = object["receipt"] else { return .null }
        return Self.unified.with(["receipt": inner.with(receipt)]).with(members)
    }

    private func subscription(
        id: TransactionID = "1000000100", purchase: Date = .t0 - 100, stated: Date, isSigned: Bool = false
    ) -> InAppPurchase.Transaction {
        Transaction(
            id: id, originalID: "1000000001", app: "com.example.hangman", environment: .production,
            productID: "com.example.hangman.club.monthly", purchaseDate: purchase,
            originalPurchaseDate: .t0 - 1000, expirationDate: .t0 + 100, ownershipType: .familyShared,
            appAccountToken: UUID(uuidString: "0b0e1f6a-3c1d-4a5b-9c8d-7e6f5a4b3c2d"), subscriptionGroupID: "20123",
            signedDate: stated, isSigned: false)
    }

    // MARK: unified style

    @Test func anAppReceipt() throws {
        let answer = try answer(Self.unified)
        #expect(answer.bundleID == "com.example.hangman")
        #expect(answer.appAppleID == 1_234_567_890)
        #expect(answer.environment == .production)
        #expect(answer.unreadableEntries == 0)
        #expect(answer.receipt.transactions == [subscription(stated: .t0 - 50)])
        #expect(answer.receipt.renewals.isEmpty)
    }

    @Test func nobodyBoughtAnything() throws {
        #expect(try answer(unified([:], receipt: ["in_app": []])).receipt.transactions.isEmpty)
        #expect(try answer(unified([:], receipt: ["in_app": nil])).receipt.transactions.isEmpty)
    }

    /// Both copies of one transaction become one: the refund is known from the newer.
    @Test func latestInfoIsNewerThanTheReceipt() throws {
        let refunded = Self.entry.with(Self.times("cancellation_date", .t0 - 10)).with(["cancellation_reason": "1"])
        let renewed = Self.entry.with(["transaction_id": "1000000200"]).with(Self.times("purchase_date", .t0 - 5))
        let answer = try answer(unified(["latest_receipt_info": [renewed, refunded]]))
        var first = subscription(stated: .t0 - 50)
        var copy = subscription(stated: .t0 - 1)
        copy.revocation = .init(date: .t0 - 10, reason: 1)
        first.merge(copy)
        #expect(
            answer.receipt.transactions
                == [first, subscription(id: "1000000200", purchase: .t0 - 5, stated: .t0 - 1)])
        #expect(answer.receipt.transactions.first?.revocation?.reason == 1)
        #expect(answer.receipt.transactions.first?.signedDate == .t0 - 1)
    }

    @Test func anUpgradeIsNoRefund() throws {
        let upgraded = Self.entry.with(Self.times("cancellation_date", .t0)).with(["is_upgraded": "true"])
        let transaction = try #require(try answer(unified([:], receipt: ["in_app": [upgraded]])).receipt.transactions.first)
        #expect(transaction.isUpgraded)
        #expect(transaction.revocation == nil)
    }

    @Test func renewalFacts() throws {
        let answer = try answer(unified(["pending_renewal_info": [Self.renewal, ["product_id": "no line"]]]))
        let key = Line.Key(app: "com.example.hangman", environment: .production, originalID: "1000000001")
        #expect(
            answer.receipt.renewals == [
                key: RenewalFacts(
                    willAutoRenew: true, autoRenewProductID: "com.example.hangman.club.yearly", isInBillingRetry: true,
                    gracePeriodExpirationDate: .t0 + 7, expirationReason: 2, signedDate: .t0 - 1)
            ])
    }

    @Test(arguments: [
        ("Sandbox", Environment.production, Environment.sandbox), ("Production", .production, .production),
        (nil, .sandbox, .sandbox), (nil, .production, .production),
    ] as [(String?, Environment, Environment)])
    func environments(_ name: String?, _ endpoint: Environment, _ environment: Environment) throws {
        let body = try unified(["environment": name.map(JSONValue.string)])
        let answer = try answer(body, from: endpoint)
        #expect(answer.environment == environment)
        #expect(answer.receipt.transactions.map(\.environment) == [environment])
    }

    @Test func theSandboxGivesNoNumber() throws {
        #expect(try answer(unified([:], receipt: ["adam_id": 0, "app_item_id": 0])).appAppleID == nil)
        #expect(try answer(unified([:], receipt: ["adam_id": "77", "app_item_id": nil])).appAppleID == 77)
    }

    // MARK: tolerance

    /// Seen in the wild: numbers and booleans for strings, dates in one form only.
    @Test(arguments: [
        ["quantity": 1], ["quantity": nil], ["is_trial_period": false], ["expires_date_ms": 1_795_210_720_000],
        ["expires_date_ms": nil], ["expires_date_ms": ""], ["expires_date": nil], ["purchase_date_ms": nil],
        ["purchase_date": .null], ["transaction_id": 1_000_000_100], ["is_upgraded": "false"],
        ["cancellation_date": ""], ["cancellation_date": .null], ["something_new": ["deep": [1, ["er": 2.5]]]],
        ["web_order_line_item_id": 18_446_744_073_709.5], ["expires_date_ms": nil, "expires_date": "1795210720000"],
    ] as [[String: JSONValue?]])
    func scalarsOfAnyKind(_ members: [String: JSONValue?]) throws {
        let answer = try answer(unified([:], receipt: ["in_app": [Self.entry.with(members)]]))
        #expect(answer.receipt.transactions == [subscription(stated: .t0 - 50)])
    }

    static let unreadable: [JSONValue] = [
        [:], .null, 7, "text", [[]], entry.with(["transaction_id": nil]), entry.with(["transaction_id": "x"]),
        entry.with(["original_transaction_id": "-5"]), entry.with(["product_id": ""]),
        entry.with(["quantity": "0"]), entry.with(["quantity": "99999999999999999999"]), entry.with(["quantity": "-1"]),
        entry.with([
            "purchase_date": "2026-11-20 21:36:00 America/Los_Angeles", "purchase_date_ms": "253402300800000",
            "original_purchase_date": "yesterday", "original_purchase_date_ms": "-1",
        ]),
    ]

    @Test(arguments: unreadable) func oneUnreadableEntryDoesNotSpoilTheRest(_ entry: JSONValue) throws {
        let answer = try answer(unified([:], receipt: ["in_app": [entry, Self.entry]]))
        #expect(answer.unreadableEntries == 1)
        #expect(answer.receipt.transactions == [subscription(stated: .t0 - 50)])
    }

    /// The app must not finish what was paid for because this server cannot read the answer.
    @Test(arguments: unreadable) func nothingButUnreadableEntriesIsNoAnswer(_ entry: JSONValue) throws {
        let verdict = try verdict(unified([:], receipt: ["in_app": [entry]]))
        #expect(verdict.unavailability == Unavailability(.temporary))
    }

    @Test func anAnswerWithoutABundleIDIsNone() throws {
        #expect(try verdict(["status": 0]).unavailability == Unavailability(.temporary))
        #expect(try verdict(["status": 0, "receipt": "text"]).unavailability == Unavailability(.temporary))
        #expect(try verdict(unified([:], receipt: ["bundle_id": ""])).unavailability == Unavailability(.temporary))
    }

    @Test func theNumberOfTransactionsIsLimited() throws {
        let limit = VerifyReceiptAnswer.maximumTransactions
        let many = try unified([:], receipt: ["in_app": .array(Array(repeating: Self.entry, count: limit))])
        #expect(try answer(many).receipt.transactions.count == 1)
        let tooMany = many.with(["latest_receipt_info": [Self.entry]])
        #expect(try verdict(tooMany).rejection == ReceiptRejection(.malformed))
    }

    @Test func xcodeIsNoEnvironmentOfTheStore() throws {
        #expect(try verdict(unified(["environment": "Xcode"])).rejection == ReceiptRejection(.environment))
    }

    // MARK: iOS 6 style

    @Test func aTransactionReceipt() throws {
        let answer = try answer(Self.iOS6, from: .sandbox)
        #expect(answer.bundleID == "com.example.hangman")
        #expect(answer.appAppleID == 1_234_567_890)
        #expect(
            answer.receipt.transactions == [
                Transaction(
                    id: "1000000100", originalID: "1000000001", app: "com.example.hangman", environment: .sandbox,
                    productID: "com.example.hangman.club.monthly", purchaseDate: .t0 - 60,
                    originalPurchaseDate: .t0 - 620, expirationDate: .t0 + 10, signedDate: .t0, isSigned: false)
            ])
    }

    @Test(arguments: ["latest_receipt_info", "latest_expired_receipt_info"])
    func theNewestTransactionAndItsRenewal(_ name: String) throws {
        guard case .object(let object) = Self.iOS6, let receipt = object["receipt"] else { return }
        let newest = receipt.with(["transaction_id": "1000000300", "purchase_date": "2026-11-20 21:37:00 Etc/GMT"])
        let body = Self.iOS6.with([
            "status": 21006, name: newest, "auto_renew_status": 0, "expiration_intent": "1",
            "auto_renew_product_id": "com.example.hangman.club.monthly", "is_in_billing_retry_period": "0",
        ])
        let answer = try answer(body)
        #expect(answer.receipt.transactions.map(\.id) == ["1000000100", "1000000300"])
        let key = Line.Key(app: "com.example.hangman", environment: .production, originalID: "1000000001")
        #expect(
            answer.receipt.renewals == [
                key: RenewalFacts(
                    willAutoRenew: false, autoRenewProductID: "com.example.hangman.club.monthly", expirationReason: 1,
                    signedDate: .t0)
            ])
    }

    /// Of one transaction told twice at one time, the later end is the true one.
    @Test func anOlderEndInTheReceiptItself() throws {
        guard case .object(let object) = Self.iOS6, let receipt = object["receipt"] else { return }
        let expired = receipt.with(["expires_date": "1795210650000"])
        let answer = try answer(Self.iOS6.with(["status": 21006, "latest_expired_receipt_info": expired]))
        #expect(answer.receipt.transactions.map(\.expirationDate) == [.t0 + 30])
    }

    // MARK: which app

    static let catalog = """
        {"apps": [{"bundleID": "com.example.hangman", "appAppleID": 1234567890, "products": []},
                  {"bundleID": "com.example.nonumber", "products": []}]}
        """

    @Test(arguments: [
        ("com.example.hangman", 1_234_567_890, Environment.production, nil, nil),
        ("com.example.hangman", 1_234_567_890, .production, "com.example.hangman", nil),
        ("com.example.hangman", 1_234_567_890, .production, "com.example.nonumber", .bundleID),
        ("com.example.hangman", 1, .production, nil, .appAppleID),
        ("com.example.hangman", nil, .production, nil, .appAppleID),
        ("com.example.hangman", nil, .sandbox, nil, nil), ("com.example.hangman", 1, .sandbox, nil, nil),
        ("com.example.nonumber", 5, .production, nil, nil), ("com.example.other", 5, .production, nil, .bundleID),
    ] as [(BundleID, Int?, Environment, BundleID?, ReceiptRejection.Reason?)])
    func apps(
        _ app: BundleID, _ number: Int?, _ environment: Environment, _ expected: BundleID?,
        _ reason: ReceiptRejection.Reason?
    ) throws {
        let catalog = try JSONDecoder().decode(Catalog.self, from: Data(Self.catalog.utf8), configuration: [])
        let answer = StoreAnswer(
            receipt: VerifiedReceipt(transactions: []), bundleID: app, appAppleID: number, environment: environment,
            unreadableEntries: 0)
        let check = Result { () throws(ReceiptRejection) in try answer.check(against: catalog, expecting: expected) }
        switch check {
        case .success: #expect(reason == nil)
        case .failure(let rejection): #expect(rejection.reason == reason)
        }
    }
}

extension StoreVerdict {
    var answer: StoreAnswer? { if case .verified(let answer) = self { answer } else { nil } }
    var rejection: ReceiptRejection? { if case .rejected(let rejection) = self { rejection } else { nil } }
    var unavailability: Unavailability? { if case .unavailable(let cause) = self { cause } else { nil } }

    /// For tables: `verified`, or the reason, or the cause.
    var outcome: String {
        switch self {
        case .verified: "verified"
        case .rejected(let rejection): rejection.reason.rawValue
        case .unavailable(let unavailability): unavailability.cause.rawValue
        }
    }
}
