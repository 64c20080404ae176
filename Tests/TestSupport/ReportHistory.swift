package import Foundation
package import InAppPurchase
package import Ledger

/// One customer's purchases, as reports may meet them: one purchase with its copies, or a subscription with trials,
/// renewals, gaps, upgrades and refunds; with all facts, or few.
package struct ReportHistory: Sendable {
    /// The beginning of the time in which they are.
    package static let start = Date(milliseconds: 1_767_225_600_000)
    package static let days = 500

    package static let catalog = #"""
        {"apps": [
          {"bundleID": "hangman", "products": [
           {"id": "hints", "type": "consumable", "credits": {"hints": 10}},
           {"id": "words", "type": "non-consumable"},
           {"id": "night", "type": "non-renewing", "duration": "P1M"},
           {"id": "club.week", "type": "auto-renewable", "group": "club", "level": 2},
           {"id": "club.month", "type": "auto-renewable", "group": "club", "level": 1}]},
          {"bundleID": "chess", "products": [{"id": "hints", "type": "consumable", "credits": {"hints": 1}}]}]}
        """#

    package private(set) var transactions: [Transaction] = []
    package private(set) var renewal: RenewalFacts?
    /// The number of transactions, from the first, that a notification reports before anybody presents them.
    package private(set) var reported = 0
    /// Whether the customer presents the others; otherwise a second notification reports them.
    package private(set) var isPresented = true

    /// How often it was changed since it was made.
    private var changes = 0
    /// Whether the customer had presented something before the change.
    private var hadAccount = false

    private let number: Int
    private let app: BundleID
    private let environment: InAppPurchase.Environment
    private let storefront: String?
    private let currency: String?
    private let ownershipType: Transaction.OwnershipType

    package init(_ number: Int, using generator: inout SeededGenerator) {
        self.number = number
        app = generator.pick("hangman", "hangman", "chess")
        environment = generator.pick(.production, .production, .sandbox)
        storefront = generator.pick("DEU", "USA", "JPN", nil)
        currency = generator.pick("EUR", "USD", "JPY", nil)
        ownershipType = generator.pick(.purchased, .purchased, .purchased, .purchased, .familyShared, .assigned)
        if generator.flip() { subscribe(using: &generator) } else { buy(using: &generator) }
        for place in transactions.indices where Int.random(in: 0..<4, using: &generator) == 0 {
            refund(place, using: &generator)
        }
        reported = generator.pick(0, Int.random(in: 0...transactions.count, using: &generator))
        isPresented = reported == 0 || Int.random(in: 0..<4, using: &generator) > 0
    }

    private func transaction(
        _ product: ProductID, _ type: ProductType, original: TransactionID?, on date: Date, until end: Date? = nil,
        using generator: inout SeededGenerator
    ) -> Transaction {
        let id = TransactionID(stored: String(1_000_000 + number * 100 + transactions.count))
        var transaction = Transaction(
            id: id, originalID: original ?? id, app: app, environment: environment, productID: product,
            productType: generator.pick(type, nil), quantity: end == nil ? generator.pick(1, 2, 10) : 1,
            purchaseDate: date, expirationDate: end, ownershipType: ownershipType, signedDate: date + 1, isSigned: true)
        transaction.details = details(using: &generator)
        return transaction
    }

    private func details(using generator: inout SeededGenerator) -> PurchaseDetails? {
        guard Int.random(in: 0..<8, using: &generator) > 0 else { return nil }
        var details = PurchaseDetails()
        details.price = generator.pick(Int.random(in: 1...99_990, using: &generator), 0, 990, .max / 3, -1, nil)
        details.currency = currency
        details.storefront = storefront
        details.appVersion = ["1.9", "1.10", "2.0-beta", nil][number % 4]
        guard Int.random(in: 0..<4, using: &generator) == 0 else { return details }
        details.isTrialPeriod = generator.pick(nil, true, false)
        details.isIntroductoryPeriod = generator.pick(nil, true, false)
        let type = generator.pick(1, 2, 3, 4, 5, nil)
        details.offer = generator.pick(
            PurchaseOffer(type: type, discountType: generator.pick("FREE_TRIAL", "PAY_AS_YOU_GO", nil)), nil)
        return details
    }

    private static func date(using generator: inout SeededGenerator) -> Date {
        // Often at midnight, where the days of a report begin and end.
        let day = start + Double(Int.random(in: 0..<days, using: &generator)) * 86_400
        return day + generator.pick(0, Double(Int.random(in: 0..<86_400_000, using: &generator)) / 1_000)
    }

    private mutating func buy(using generator: inout SeededGenerator) {
        let choices: [(ProductID, ProductType)] = [
            ("hints", .consumable), ("words", .nonConsumable), ("night", .nonRenewing), ("gone", .consumable),
        ]
        guard let (product, type) = choices.randomElement(using: &generator) else { return }
        let date = Self.date(using: &generator)
        transactions = [transaction(product, type, original: nil, on: date, using: &generator)]
        for copy in 0..<generator.pick(0, 0, 1, 2) {
            transactions.append(
                transaction(
                    product, type, original: transactions[0].id, on: date + Double(copy) * 86_400, using: &generator))
        }
    }

    private mutating func subscribe(using generator: inout SeededGenerator) {
        var (date, product): (Date, ProductID) = (
            Self.date(using: &generator), generator.pick("club.week", "club.month")
        )
        var reason: String? = "PURCHASE"
        for period in 0..<Int.random(in: 1...6, using: &generator) {
            let end = date + (product == "club.week" ? 7 : 30) * 86_400
            var next = transaction(
                product, .autoRenewable, original: transactions.first?.id, on: date, until: end, using: &generator)
            next.details?.webOrderLineItemID = generator.pick("\(number).\(period)", nil)
            next.details?.reason = generator.pick(reason, nil)
            if period == 0, generator.flip() { next.details?.isTrialPeriod = true }
            transactions.append(next)
            addCopy(of: next, using: &generator)
            (date, reason) = continuation(after: end, &product, using: &generator)
        }
        renewal = generator.pick(renewalFacts(using: &generator), nil)
    }

    /// Adds a copy of the period with an ID of its own, now and then.
    private mutating func addCopy(of period: Transaction, using generator: inout SeededGenerator) {
        guard Int.random(in: 0..<8, using: &generator) == 0 else { return }
        var copy = period
        copy.id = TransactionID(stored: String(1_000_000 + number * 100 + transactions.count))
        transactions.append(copy)
    }

    /// The beginning of the next period and its reason: a renewal, one after a gap, or an upgrade.
    private mutating func continuation(
        after end: Date, _ product: inout ProductID, using generator: inout SeededGenerator
    ) -> (Date, String?) {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0:
            let gap = Double(Int.random(in: 0...40, using: &generator)) * 86_400
            return (end + gap, generator.pick("PURCHASE", "RENEWAL"))
        case 1:
            product = product == "club.week" ? "club.month" : "club.week"
            let last = transactions.count - 1
            if generator.flip() { transactions[last].isUpgraded = true }
            return (end - 86_400, "PURCHASE")
        default: return (end, "RENEWAL")
        }
    }

    private func renewalFacts(using generator: inout SeededGenerator) -> RenewalFacts {
        let end = transactions.last?.expirationDate ?? Self.start
        return RenewalFacts(
            willAutoRenew: generator.flip(), isInBillingRetry: Int.random(in: 0..<6, using: &generator) == 0,
            gracePeriodExpirationDate: generator.pick(nil, end + 16 * 86_400),
            expirationReason: generator.pick(nil, 1, 2, 3, 4, 5, 6),
            signedDate: end + Double(Int.random(in: -40...10, using: &generator)) * 86_400)
    }

    private mutating func refund(_ place: Int, using generator: inout SeededGenerator) {
        let date = transactions[place].purchaseDate + Double(Int.random(in: 0...40, using: &generator)) * 86_400
        transactions[place].revocation = Transaction.Revocation(
            date: date, reason: generator.pick(nil, 0, 1),
            percentage: generator.pick(nil, Int.random(in: 0...100_000, using: &generator), 40_000, 100_001))
        transactions[place].signedDate = date + 1
        transactions[place].details?.revocation = generator.pick(
            nil,
            RevocationDetails(
                date: generator.pick(date, date - 1), reason: generator.pick(nil, 0, 1),
                type: generator.pick("REFUND_PRORATED", "REFUND_FULL", "FAMILY_REVOKE", nil)))
        // Reversed, by a copy that is signed later.
        guard Int.random(in: 0..<5, using: &generator) == 0 else { return }
        var reversed = transactions[place]
        (reversed.revocation, reversed.signedDate) = (nil, date + 2)
        transactions.append(reversed)
    }
}

extension ReportHistory {
    /// Refunds, lengthens or reverses some of it later, says something else about the renewal, and has the customer
    /// present what waited.
    package mutating func changeLate(using generator: inout SeededGenerator) {
        (changes, hadAccount) = (changes + 1, isPresented && reported < transactions.count)
        for place in transactions.indices {
            transactions[place].signedDate += 86_400 * 600
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: refund(place, using: &generator)
            case 1: transactions[place].expirationDate? += 90 * 86_400
            case 2: transactions[place].revocation = nil
            default: break
            }
        }
        renewal = generator.pick(renewalFacts(using: &generator), renewal)
        if generator.flip() { (reported, isPresented) = (0, true) }
    }

    /// Writes it by the ledger's own rules: what notifications report, then what the customer presents.
    ///
    /// After ``changeLate(using:)`` it is written again, as changed.
    package func write(to ledger: any Ledger, catalog: Catalog) async throws {
        let context = RecordingContext(catalog: catalog, date: Self.start + Double(Self.days) * 86_400)
        let renewals = renewal.flatMap { facts in transactions.first.map { [$0.originalTransactionKey: facts] } }
        let presented = isPresented ? Array(transactions.dropFirst(reported)) : []
        for (part, copies) in [Array(transactions.prefix(reported)), isPresented ? [] : transactions].enumerated() {
            guard let first = copies.first else { continue }
            _ = try await ledger.record(
                AppStoreNotification(
                    id: "\(number).\(part).\(changes)", type: "DID_RENEW", app: first.app,
                    environment: first.environment, signedDate: first.signedDate, content: "",
                    facts: VerifiedReceipt(transactions: copies, renewals: renewals ?? [:])), in: context)
        }
        guard !presented.isEmpty else { return }
        let account = AccountID(UUID(uuid: Self.bytes(of: number)))
        let name = Data("\(number)".utf8)
        if !hadAccount { try await ledger.createAccount(account, token: name, recoveryCode: name, at: Self.start) }
        _ = try await ledger.record(
            Receipt(
                id: "r_\(number).\(changes)", account: account, kind: .signedTransaction, content: "\(number)",
                digest: Data("\(number).\(changes)".utf8)),
            .success(VerifiedReceipt(transactions: presented, renewals: renewals ?? [:])), in: context)
    }

    private static func bytes(of number: Int) -> uuid_t {
        let digits = (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        return (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, digits[3], digits[2], digits[1], digits[0])
    }
}
