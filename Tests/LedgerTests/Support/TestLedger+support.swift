import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

// What a test does as an administrator.

/// An act of alice's.
func act(_ reason: String = "ticket 7", on date: Date = today) throws -> SupportAct {
    let token = AdminToken(name: "alice", role: .write, createdAt: day(0))
    return try #require(SupportAct(by: .admin(token), reason: reason, at: date))
}

func original(_ id: TransactionID, app: BundleID = "hangman") -> OriginalTransaction.Key {
    OriginalTransaction.Key(app: app, environment: .production, originalID: id)
}

func adjustment(
    _ amount: Int, _ currency: Currency = "hints", key: String = "k", of digit: UInt8 = 1
) throws -> Adjustment {
    try #require(
        Adjustment(
            account: account(digit), scope: Scope(app: "hangman", environment: .production), currency: currency,
            amount: amount, idempotencyKey: key))
}

extension TestLedger {
    @discardableResult func move(_ id: TransactionID, to digit: UInt8, on date: Date = today) async throws
        -> OriginalTransaction
    {
        try await ledger.transfer(original(id), to: account(digit), try act(on: date), in: try context(on: date))
    }

    func adjust(
        _ amount: Int, _ currency: Currency = "hints", key: String = "k", of digit: UInt8 = 1
    ) async throws -> Int {
        try await ledger.adjust(try adjustment(amount, currency, key: key, of: digit), try act(), in: try context())
    }

    /// The trail's rows about acts: kind, actor, subject and content.
    func acts() async throws -> [String] {
        try await rows(
            "SELECT kind, actor, coalesce(subject, '-'), content FROM audit WHERE actor IS NOT NULL ORDER BY sequence")
    }
}
