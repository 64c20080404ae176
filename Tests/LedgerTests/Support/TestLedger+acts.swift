import Foundation
import InAppPurchase
import Ledger
import TestSupport

extension Ledger {
    /// Keeps a receipt within the budgets that hold by default.
    func enqueue(_ receipt: Receipt, retryAt retry: Date, at date: Date) async throws -> PendingReceipt {
        try await enqueue(receipt, isVerified: false, retryAt: retry, within: ReceiptByteBudgets(), at: date)
    }
}

extension PresentedEvidence {
    /// The evidence of bytes of the kind that hold the copies; nil if they have no date.
    init?(_ kind: Receipt.Kind, _ copies: [Transaction]) {
        guard kind == .signedTransaction || kind == .appReceipt, let date = copies.map(\.signedDate).max() else {
            return nil
        }
        self.init(
            date: date, transactions: Set(copies.map(\.id)), isForDevice: false,
            deviceRemedy: kind == .appReceipt ? .deviceIdentifier : .deviceVerificationID)
    }
}

// What a test does with a ledger, without what is usually the same.
/// - Parameter end: `nil` for none.
func grant(
    _ product: ProductID, to digit: UInt8 = 1, id: String = "g_1", until end: Date? = nil, key: String = "k",
    app: BundleID = "hangman", _ environment: InAppPurchase.Environment = .production
) -> ProductGrant {
    ProductGrant(
        id: id, account: account(digit), scope: Scope(app: app, environment: environment), product: product,
        until: end, idempotencyKey: key)
}

extension TestLedger {
    @discardableResult func give(
        _ product: ProductID, to digit: UInt8 = 1, id: String = "g_1", until end: Date? = nil, key: String = "k",
        app: BundleID = "hangman", _ environment: InAppPurchase.Environment = .production, in catalog: Catalog? = nil,
        on date: Date = today
    ) async throws -> String {
        let context = RecordingContext(catalog: try catalog ?? LedgerTests.catalog(), date: date)
        return try await ledger.grant(
            grant(product, to: digit, id: id, until: end, key: key, app: app, environment), try act(on: date),
            in: context
        ).id
    }

    @discardableResult func takeBack(_ id: String = "g_1", of digit: UInt8 = 1, on date: Date = today) async throws
        -> Date
    {
        try await ledger.revokeGrant(id, of: account(digit), try act(on: date), in: try context(on: date))
    }

    /// Makes the accounts. Their token, and their recovery code, is their digit.
    func join(_ digits: UInt8...) async throws {
        for digit in digits {
            try await ledger.createAccount(
                account(digit), token: Data([digit]), recoveryCode: Data([digit]), at: day(0))
        }
    }

    /// Makes an account by a request with an idempotency key. Its token, and its recovery code, is its digit.
    @discardableResult func create(_ digit: UInt8, key: UInt8, on date: Date) async throws -> AccountID {
        try await ledger.createAccount(
            NewAccount(
                account(digit), token: Data([digit]), recoveryCode: Data([digit]), idempotencyKey: Data([key]), at: date
            ))
    }

    @discardableResult func record(
        _ receipt: Receipt, _ copies: Transaction..., renewals: [OriginalTransaction.Key: RenewalFacts] = [:],
        in catalog: Catalog? = nil, testers: Set<AccountID> = [], on date: Date = today
    ) async throws -> String {
        let context = RecordingContext(catalog: try catalog ?? LedgerTests.catalog(), testers: testers, date: date)
        let verified = VerifiedReceipt(
            transactions: copies, renewals: renewals, evidence: PresentedEvidence(receipt.kind, copies))
        return try await ledger.record(receipt, .success(verified), in: context).text
    }

    /// The remedy that the app is told if what a test presents stays with another account.
    func present(
        _ receipt: Receipt, _ copies: Transaction..., shown: [Transaction]? = nil, on date: Date = today
    ) async throws -> ReceiptAnswer {
        let verified = VerifiedReceipt(
            transactions: copies, evidence: PresentedEvidence(receipt.kind, shown ?? copies))
        return try await ledger.record(receipt, .success(verified), in: try context(on: date))
    }

    @discardableResult func reject(
        _ receipt: Receipt, _ reason: ReceiptRejection.Reason, on date: Date = today
    ) async throws -> String {
        try await ledger.record(receipt, .failure(ReceiptRejection(reason)), in: try context(on: date)).text
    }

    /// A receipt that was accepted once is answered from the ledger, even if it could no longer be verified.
    func presentAgain(_ name: String, by digit: UInt8) async throws -> String {
        try await reject(receipt(name, by: digit), .chain)
    }

    /// The present status of the receipt.
    func answer(to receipt: Receipt, on date: Date = today) async throws -> String? {
        try await ledger.receipt(receipt.id, of: receipt.account, in: try context(on: date))?.text
    }

    /// Entitlements and balances.
    func holdings(
        of digit: UInt8, in catalog: Catalog? = nil, testers: Set<AccountID> = [], on date: Date = today,
        hours: Double = 0
    ) async throws -> String {
        let context = RecordingContext(
            catalog: try catalog ?? LedgerTests.catalog(), testers: testers, date: date, provisionalTime: hours * 3_600)
        let entitlements = try await ledger.entitlements(of: account(digit), in: context)
        var originals = entitlements.map(\.text)
        for scope in Set(entitlements.map(\.scope)).sorted(by: { $0.app < $1.app }) {
            originals.append(try await ledger.balances(of: account(digit), scope: scope, in: context).text)
        }
        return originals.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    func spend(
        _ amount: Int, _ currency: Currency = "hints", key: String, by digit: UInt8 = 1, app: BundleID = "hangman",
        on date: Date = today
    ) async throws -> Int {
        try await ledger.spend(
            Spend(
                account: account(digit), scope: Scope(app: app, environment: .production), currency: currency,
                amount: amount, idempotencyKey: key), in: try context(on: date))
    }

    /// - Parameter hours: of provisional access.
    func context(on date: Date = today, hours: Double = 0) throws -> RecordingContext {
        RecordingContext(catalog: try catalog(), date: date, provisionalTime: hours * 3_600)
    }

    /// The audit trail, oldest first: kind, subject and content.
    func trail() async throws -> [String] {
        try await rows("SELECT kind, coalesce(subject, '-'), content FROM audit ORDER BY sequence")
    }
}
