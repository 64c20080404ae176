public import Foundation

/// Compares what a ledger keeps ready with what its history comes to. The history is folded again by the same rules.
public protocol LedgerChecks: Sendable {
    /// Checks all accounts in one consistent snapshot, one at a time: memory does not grow with their number.
    ///
    /// - Parameters:
    ///   - date: for handlers whose credits depend on the time.
    ///   - progress: is called after every account, and once before, with how many were checked and how many there are.
    ///   - report: is called with each difference as it is found.
    /// - Returns: how much was checked.
    func checkAccounts(
        at date: Date, progress: @escaping @Sendable (_ accounts: Int, _ total: Int) -> Void,
        _ report: @escaping @Sendable (LedgerDifference) throws -> Void
    ) async throws -> LedgerCounts

    /// Makes every balance the sum of its postings, in one transaction, with a row in the audit trail for each that was
    /// not.
    ///
    /// - Returns: how many were not; the second time 0.
    func rebuildBalances(by actor: AuditActor, at date: Date) async throws -> Int
}

/// How much of a ledger was checked.
public struct LedgerCounts: Hashable, Codable, Sendable {
    public var accounts = 0
    public var transactions = 0
    public var postings = 0
    public var spends = 0
    public var receipts = 0
    public var differences = 0

    public init() {}
}

/// Something that is kept otherwise than the history has it.
public struct LedgerDifference: Error, Hashable, Codable, Sendable, CustomStringConvertible {
    /// Nil where it is nobody's.
    public var account: AccountID?
    public var app: BundleID?
    public var environment: Environment?
    /// A balance, a spend, a receipt: what it is about, with its key.
    public var subject: String
    public var kept: String
    public var folded: String

    public init(
        account: AccountID? = nil, scope: Scope? = nil, _ subject: String, kept: String, folded: String
    ) {
        self.account = account
        app = scope?.app
        environment = scope?.environment
        self.subject = subject
        self.kept = kept
        self.folded = folded
    }

    /// One line: what and where.
    public var description: String {
        let place = [account.map { "account \($0.text)" }, app, environment?.rawValue, subject].compactMap { $0 }
        return "\(place.joined(separator: ", ")): kept \(kept), folded \(folded)"
    }
}

extension LedgerChecks {
    /// Checks without a word of how far it is.
    public func checkAccounts(
        at date: Date, _ report: @escaping @Sendable (LedgerDifference) throws -> Void
    ) async throws -> LedgerCounts {
        try await checkAccounts(at: date, progress: { _, _ in }, report)
    }
}
