import Foundation
import InAppPurchase
import Ledger
import TestSupport

@testable import LedgerSQL

/// Random acts of three accounts, the App Store and administrators on one ledger, by servers of different versions.
struct StandingHistoryMaker {
    /// The same apps at four times: other terms, groups, levels and bundles, and products that come and go.
    private static let products: [[String]] = [
        [
            #"{"id": "hints", "type": "consumable", "credits": {"hints": 10}, "bundles": ["tips"]}"#,
            #"{"id": "starter", "type": "non-consumable", "credits": {"hints": 3}, "bundles": ["starter"]}"#,
            #"{"id": "day", "type": "non-renewing", "duration": "P1D", "group": "passes"}"#,
            #"{"id": "month", "type": "non-renewing", "duration": "P1M", "group": "passes", "credits": {"gems": 1}}"#,
            #"{"id": "club.low", "type": "auto-renewable", "group": "club", "level": 2, "credits": {"gems": 7}}"#,
            #"{"id": "club.high", "type": "auto-renewable", "group": "club", "level": 1, "bundles": ["gold"]}"#,
            #"{"id": "paper", "type": "auto-renewable", "bundles": ["issues"], "afterExpiry": "keep"}"#,
        ],
        [
            #"{"id": "hints", "type": "consumable", "credits": {"hints": 12}}"#,
            #"{"id": "starter", "type": "non-consumable", "partialRefund": "revoke", "bundles": ["starter", "more"]}"#,
            #"{"id": "day", "type": "non-renewing", "duration": "P2D"}"#,
            #"{"id": "month", "type": "non-renewing", "duration": "P1M", "group": "passes", "afterExpiry": "keep"}"#,
            #"{"id": "club.low", "type": "auto-renewable", "group": "club", "level": 1, "trialCredits": "withhold"}"#,
            #"{"id": "club.high", "type": "auto-renewable", "group": "union", "credits": {"gems": 2}}"#,
        ],
        [
            #"{"id": "starter", "type": "consumable", "credits": {"hints": 4}, "ownership": "transfer"}"#,
            #"{"id": "club.low", "type": "auto-renewable", "group": "club", "level": 2}"#,
        ],
        [],
    ]

    private static let names: [ProductID] = ["hints", "starter", "day", "month", "club.low", "club.high", "paper"]

    /// The parts that a catalog is made of.
    private struct Source: Hashable {
        var number: Int
        var refund: String
        var handlers: [ObjectIdentifier]
    }

    private mutating func catalog() throws -> Catalog {
        let source = Source(number: lastCatalog, refund: refund, handlers: handlers.map { ObjectIdentifier($0) })
        if let known = catalogs[source] { return known }
        let list = Self.products[lastCatalog].joined(separator: ", ")
        let text = #"""
            {"apps": [
              {"bundleID": "hangman", "currencies": {"hints": {"refund": "\#(refund)"}}, "products": [\#(list)]},
              {"bundleID": "chess", "sandbox": "everyone", "products": [\#(list)]}]}
            """#
        let catalog = try JSONDecoder().decode(Catalog.self, from: Data(text.utf8), configuration: handlers)
        catalogs[source] = catalog
        return catalog
    }

    private var generator: SeededGenerator
    private var known: [Transaction] = []
    private var lastID = 100
    private(set) var date = day(100)
    private var number = 0
    private var lastCatalog = 0
    private var refund = "debt"
    private var catalogs: [Source: Catalog] = [:]

    /// Those of the server that acts.
    var handlers = standardHandlers

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func context() throws -> RecordingContext { RecordingContext(catalog: try catalog(), date: date) }

    /// Makes one act.
    mutating func act(on ledger: SQLLedger) async throws {
        number += 1
        date += Double(generator.pick(1, 20, 24 * 9, -24 * 5)) * 3_600
        if Int.random(in: 0..<6, using: &generator) == 0 {
            lastCatalog = generator.pick(0, 1, 2, 3)
            refund = generator.pick("debt", "clamp")
        }
        switch Int.random(in: 0..<20, using: &generator) {
        case 0: _ = try await ledger.bindTerms(in: context())
        case 1: try await move(on: ledger)
        case 2: try await reset(on: ledger)
        case 3, 4: try await spend(on: ledger)
        case 5...9: try await receive(ledger)
        default: try await present(to: ledger)
        }
    }

    private mutating func digit() -> UInt8 { generator.pick(1, 2, 3) }

    private mutating func move(on ledger: SQLLedger) async throws {
        guard let some = known.randomElement(using: &generator) else { return }
        _ = try? await ledger.transfer(
            some.originalTransactionKey, to: account(digit()), try LedgerTests.act(on: date), in: context())
    }

    private mutating func reset(on ledger: SQLLedger) async throws {
        _ = try await ledger.resetSandbox(of: account(digit()), app: nil, try LedgerTests.act(on: date), in: context())
    }

    private mutating func spend(on ledger: SQLLedger) async throws {
        let spend = Spend(
            account: account(digit()), scope: Scope(app: "hangman", environment: .production), currency: "hints",
            amount: Int.random(in: 1...15, using: &generator), idempotencyKey: "\(number)")
        _ = try? await ledger.spend(spend, in: context())
    }

    private mutating func receive(_ ledger: SQLLedger) async throws {
        let copies = copies()
        var renewals: [OriginalTransaction.Key: RenewalFacts] = [:]
        for copy in copies where copy.expirationDate != nil && generator.flip() {
            renewals[copy.originalTransactionKey] = RenewalFacts(
                willAutoRenew: generator.flip(), isInBillingRetry: generator.flip(),
                gracePeriodExpirationDate: generator.pick(nil, date + 86_400 * 5), signedDate: date)
        }
        let facts = VerifiedReceipt(transactions: copies, renewals: renewals)
        let notification = AppStoreNotification(
            id: "n\(number)", type: "REFUND", app: "hangman", environment: .production, signedDate: date,
            content: "n\(number)", facts: facts)
        _ = try await ledger.record(notification, in: context())
    }

    private mutating func present(to ledger: SQLLedger) async throws {
        let copies = copies()
        let kind: Receipt.Kind = generator.pick(.signedTransaction, .appReceipt)
        let verified = VerifiedReceipt(transactions: copies, evidence: PresentedEvidence(kind, copies))
        _ = try await ledger.record(
            receipt("\(generator.pick(number, number / 2))", by: digit(), kind: kind), .success(verified), in: context()
        )
    }

    /// Purchases that wait for the store's answer; nothing is recorded of them.
    func pending(of account: AccountID) throws -> [ProvisionalPurchase] {
        // Of a copy, so that what is recorded later is the same as without them.
        var maker = self
        let context = try maker.context()
        return (0..<maker.generator.pick(0, 1, 3)).compactMap { _ in
            let transaction = maker.purchase()
            return context.catalog.product(transaction.productID, of: transaction.app).map {
                ProvisionalPurchase(
                    account: account, receipt: "r_\(transaction.id)", transaction: transaction, terms: $0, since: date)
            }
        }
    }

    private mutating func copies() -> [Transaction] {
        (0..<generator.pick(1, 2, 5)).map { _ in
            generator.flip() || known.isEmpty ? purchase() : generator.pick(false, false, true) ? copied() : changed()
        }
    }

    private mutating func purchase() -> Transaction {
        lastID += 1
        let earlier = known.randomElement(using: &generator)
        let isNext = generator.flip()
        let product = (isNext ? earlier?.productID : nil) ?? Self.names.randomElement(using: &generator) ?? "hints"
        let isSubscription = product.text.hasPrefix("club") || product == "paper"
        let hours = Double(generator.pick(-1, 0, -400, -3_000))
        let start = (date + hours * 3_600 + Double(generator.pick(0, 0.123, 0.001, 0.999))).wholeMilliseconds
        let (app, environment) =
            isNext
            ? (earlier?.app ?? "hangman", earlier?.environment ?? .production)
            : generator.pick(("hangman", .production), ("chess", .sandbox)) as (BundleID, InAppPurchase.Environment)
        var transaction = bought(
            product, TransactionID(stored: "\(lastID)"), original: isNext ? earlier?.originalID : nil, app: app,
            environment, on: start,
            until: isSubscription ? (start + Double(generator.pick(30, 1, 7)) * 86_400).wholeMilliseconds : nil,
            quantity: isSubscription ? 1 : generator.pick(1, 2),
            ownershipType: generator.pick(.purchased, .purchased, .familyShared),
            token: generator.pick(nil, 1, 2, 3), signed: date, isSigned: generator.pick(true, true, false))
        if isSubscription {
            transaction.subscriptionGroupID = generator.pick("g", nil)
            transaction.details = PurchaseDetails()
            transaction.details?.isTrialPeriod = generator.pick(nil, true, false)
            transaction.details?.webOrderLineItemID = generator.pick(nil, "w\(lastID)")
            transaction.details?.additionalReason = lastID % 3 == 0 ? PurchaseDetails.seatAddition : nil
            transaction.details = transaction.details?.nonEmpty
        }
        known.append(transaction)
        return transaction
    }

    /// A known purchase under another ID, with or without Apple's ID of the period.
    private mutating func copied() -> Transaction {
        guard var copy = known.randomElement(using: &generator) else { return purchase() }
        lastID += 1
        copy.id = TransactionID(stored: "\(lastID)")
        if generator.flip() { copy.details?.webOrderLineItemID = nil }
        if generator.flip() { copy.purchaseDate = Date(milliseconds: copy.purchaseDate.milliseconds / 1_000 * 1_000) }
        copy.revocation = nil
        copy.signedDate = date
        known.append(copy)
        return copy
    }

    /// A later or an older statement about a known purchase.
    private mutating func changed() -> Transaction {
        guard let index = known.indices.randomElement(using: &generator) else { return purchase() }
        var copy = known[index]
        copy.signedDate = date - Double(generator.pick(0, 0, 900)) * 3_600
        switch Int.random(in: 0..<8, using: &generator) {
        case 0, 1:
            copy.revocation = Transaction.Revocation(
                date: copy.signedDate, reason: 0, percentage: generator.pick(nil, 30_000, 50_000))
        case 2: copy.revocation = nil
        case 3: copy.isUpgraded = copy.expirationDate != nil
        case 4: copy.expirationDate = copy.expirationDate.map { ($0 + 86_400).wholeMilliseconds }
        case 5: copy.isSigned = generator.flip()
        default: break
        }
        known[index] = copy
        return copy
    }
}
