public import Foundation

/// What administrators do for players, and to them. Each act is one database transaction, stands in the audit trail with
/// what was before and after it, and is safe to repeat.
///
/// All throw ``LedgerRefusal/unknownAccount`` where this server has no such account.
public protocol SupportActs: Sendable {
    /// Gives an original transaction to an account, whatever its product's ownership and however often it moved before. Access follows at
    /// once; credits stay with whom they were given to. No player's claim transfers the original transaction afterwards, only another act.
    ///
    /// - Returns: the original transaction as it is then. The second time nothing happens.
    /// - Throws: ``LedgerRefusal/unknownOriginalTransaction`` where nobody presented a transaction of the original transaction yet.
    func transfer(
        _ original: OriginalTransaction.Key, to account: AccountID, _ act: SupportAct, in context: RecordingContext
    ) async throws -> OriginalTransaction

    /// Gives or takes back credits, once per key. Taking back more than there is makes the balance negative, as a refund
    /// does: what was spent already is made good by what is earned next.
    ///
    /// - Returns: the balance after it; the same again for the same key.
    /// - Throws: ``LedgerRefusal/idempotencyKeyReused`` where the key stands for another amount or currency;
    ///   ``LedgerRefusal/unknownCurrency(named:)`` where neither the app and its products name the currency nor the
    ///   account ever had any of it; then the key is not used up.
    func adjust(_ adjustment: Adjustment, _ act: SupportAct, in context: RecordingContext) async throws -> Int

    /// Shuts an account out: its tokens and its recovery code are answered ``LedgerRefusal/accountBlocked(_:)``. What it
    /// owns stays its own, and receipts that wait for the store are settled.
    ///
    /// - Returns: since when it is blocked; the second time the first date.
    func block(_ account: AccountID, _ act: SupportAct) async throws -> Date

    /// Lets a blocked account in again: everything is as before. Nothing happens where it is not blocked.
    func unblock(_ account: AccountID, _ act: SupportAct) async throws

    /// Makes an account a tester, as the setting `testers` does: sandbox purchases entitle it where the app admits
    /// testers.
    ///
    /// - Returns: since when it is one; the second time the first date.
    func addTester(_ account: AccountID, _ act: SupportAct) async throws -> Date

    /// Takes that back. Nothing happens where it is none by an administrator.
    func removeTester(_ account: AccountID, _ act: SupportAct) async throws

    /// Offers an account the versions on the channel beta too.
    ///
    /// - Returns: since when; the second time the first date.
    func addToBeta(_ account: AccountID, _ act: SupportAct) async throws -> Date

    /// Takes that back. Nothing happens where it is not so.
    func removeFromBeta(_ account: AccountID, _ act: SupportAct) async throws

    /// Empties the sandbox of a tester, who can then buy everything again: the original transactions that the account owns in
    /// environments other than Production are forgotten, and every balance there becomes zero by postings.
    ///
    /// What is forgotten belongs to nobody. The first account that presents it again gets it as if it were new; what
    /// the store tells by itself brings nothing back. Credits that other accounts got by these original transactions go too.
    ///
    /// - Parameter app: nil for all apps.
    /// - Returns: how many original transactions were forgotten; the second time 0.
    func resetSandbox(
        of account: AccountID, app: BundleID?, _ act: SupportAct, in context: RecordingContext
    ) async throws -> Int

    /// Ends every session of an account for ever. Its recovery code opens new ones.
    ///
    /// - Returns: how many were open; the second time 0.
    func revokeSessions(of account: AccountID, _ act: SupportAct) async throws -> Int
}

/// Who acts, why, and when.
public struct SupportAct: Sendable {
    /// The number of a ticket and a few sentences.
    public static let maximumReasonCharacters = 500

    public let actor: AuditActor
    /// Stands in the audit trail as it is.
    public let reason: String
    public let date: Date

    /// Nil where the reason is empty, longer than ``maximumReasonCharacters`` (Unicode scalars), or has control characters
    /// or line separators.
    public init?(by actor: AuditActor, reason: String, at date: Date) {
        let reason = reason.trimmingCharacters(in: .whitespacesAndNewlines)
        let scalars = reason.unicodeScalars
        guard !scalars.isEmpty, scalars.count <= Self.maximumReasonCharacters,
            !reason.hasControlCharacters
        else { return nil }
        self.actor = actor
        self.reason = reason
        self.date = date
    }
}

/// Credits that an administrator gives, or takes back.
public struct Adjustment: Hashable, Sendable {
    /// As much as a product may give at once.
    public static let maximumAmount = Product.creditBounds.upperBound
    public static let maximumCurrencyCharacters = 64

    public let account: AccountID
    public let scope: Scope
    public let currency: Currency
    /// Never 0; negative takes back.
    public let amount: Int
    /// Chosen by the client; the same key is the same adjustment.
    public let idempotencyKey: String

    /// Nil where the amount is 0 or beyond ``maximumAmount`` either way, or the currency is empty, longer than
    /// ``maximumCurrencyCharacters`` (Unicode scalars), or has control characters.
    public init?(account: AccountID, scope: Scope, currency: Currency, amount: Int, idempotencyKey: String) {
        guard amount != 0, (-Self.maximumAmount...Self.maximumAmount).contains(amount),
            (1...Self.maximumCurrencyCharacters).contains(currency.unicodeScalars.count),
            !currency.hasControlCharacters
        else { return nil }
        self.account = account
        self.scope = scope
        self.currency = currency
        self.amount = amount
        self.idempotencyKey = idempotencyKey
    }
}

/// An adjustment as it was answered.
public struct RecordedAdjustment: Sendable {
    public var adjustment: Adjustment
    /// The balance after it.
    public var balance: Int
    public var actor: String
    public var reason: String
    public var date: Date

    public init(adjustment: Adjustment, balance: Int, actor: String, reason: String, date: Date) {
        self.adjustment = adjustment
        self.balance = balance
        self.actor = actor
        self.reason = reason
        self.date = date
    }
}
