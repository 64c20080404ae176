package import InAppPurchase
package import Ledger

extension SQLLedger {
    package func entitlements(
        of account: AccountID, in context: RecordingContext
    ) async throws -> [ProductEntitlement] {
        try await read { try ReceiptRecorder($0, context).entitlements(of: account) }
    }

    package func balances(
        of account: AccountID, scope: Scope, in context: RecordingContext
    ) async throws -> Credits {
        try await read { try $0.visibleBalances(of: account, in: scope, context) }
    }

    package func spend(_ spend: Spend, in context: RecordingContext) async throws -> Int {
        try await write { try $0.spend(spend, in: context) }
    }

    package func bindTerms(in context: RecordingContext) async throws -> Int {
        try await write { try ReceiptRecorder($0, context).bindTerms() }
    }
}
