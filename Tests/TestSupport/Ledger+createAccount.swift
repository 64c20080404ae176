package import Foundation
package import InAppPurchase
package import Ledger

extension Ledger {
    /// Creates an account by a request without an idempotency key.
    package func createAccount(_ account: AccountID, token: Data, recoveryCode: Data, at date: Date) async throws {
        _ = try await createAccount(NewAccount(account, token: token, recoveryCode: recoveryCode, at: date))
    }
}
