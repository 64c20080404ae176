package import Foundation
package import InAppPurchase

extension SupportRecorder {
    package func addTester(_ account: AccountID) throws -> Date {
        if let since = try facts(of: account).testerSince { return since }
        try rows.setTester(account, since: act.date)
        try append(
            .testerAdded, account, before: ["testerSince": .null], after: ["testerSince": .string(act.date.rfc3339)])
        return act.date
    }

    package func removeTester(_ account: AccountID) throws {
        guard let since = try facts(of: account).testerSince else { return }
        try rows.setTester(account, since: nil)
        try append(
            .testerRemoved, account, before: ["testerSince": .string(since.rfc3339)], after: ["testerSince": .null])
    }

    package func resetSandbox(of account: AccountID, app: BundleID?, in context: RecordingContext) throws -> Int {
        _ = try facts(of: account)
        return try sandboxScopes(of: account, app: app).map { try reset($0, of: account, in: context) }.reduce(0, +)
    }

    /// The scopes that a reset concerns.
    func sandboxScopes(of account: AccountID, app: BundleID?) throws -> [Scope] {
        try rows.scopes(of: account).filter { $0.environment != .production && app ?? $0.app == $0.app }
            .sorted { $0.order < $1.order }
    }

    private func reset(_ scope: Scope, of account: AccountID, in context: RecordingContext) throws -> Int {
        let recorder = ReceiptRecorder(rows, context)
        let originals = try rows.originalTransactions(of: account, in: scope)
        let balances = try rows.balances(of: account, in: scope).filter { $0.value != 0 }
        guard !originals.isEmpty || !balances.isEmpty else { return 0 }
        let keys = Set(originals.map(\.key))
        let credited = try recorder.state(of: account).records.filter {
            keys.contains($0.transaction.originalTransactionKey)
        }
        for original in originals { try rows.forget(original, at: act.date) }
        for concerned in Set(credited.map(\.creditedTo)).union([account]).sorted(by: { $0.text < $1.text }) {
            try recorder.postCredits(of: try recorder.state(of: concerned), in: scope, cause: nil, takingBackAs: .reset)
        }
        try emptyBalances(of: account, in: scope)
        try append(
            .sandboxReset, account, nil,
            [
                "app": .string(scope.app.text), "environment": .string(scope.environment.rawValue),
                "lines": .array(originals.map { .string($0.key.originalID.text) }),
            ], before: ["balances": .object(balances.auditContent)], after: ["balances": .object([:])])
        return originals.count
    }

    /// Sets the balances to zero that are left after all earned credits were taken back: what was spent, adjusted or
    /// forgiven.
    private func emptyBalances(of account: AccountID, in scope: Scope) throws {
        let left = try rows.balances(of: account, in: scope).filter { $0.value != 0 }
        for (currency, amount) in left.sorted(by: { $0.key < $1.key }) {
            try rows.post(
                Posting(
                    account: account, scope: scope, currency: currency, amount: amount.saturatingMultiplied(by: -1),
                    kind: .reset, cause: nil, date: act.date))
        }
    }
}

extension Scope {
    fileprivate var order: (BundleID, String) { (app, environment.rawValue) }
}
