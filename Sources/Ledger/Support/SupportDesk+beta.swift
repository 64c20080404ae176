package import Foundation
package import InAppPurchase

extension SupportDesk {
    package func addToBeta(_ account: AccountID) throws -> Date {
        if let since = try facts(of: account).betaSince { return since }
        try rows.setBeta(account, since: act.date)
        try append(
            .betaAdded, account, before: ["betaSince": .null], after: ["betaSince": .string(act.date.rfc3339)])
        return act.date
    }

    package func removeFromBeta(_ account: AccountID) throws {
        guard let since = try facts(of: account).betaSince else { return }
        try rows.setBeta(account, since: nil)
        try append(
            .betaRemoved, account, before: ["betaSince": .string(since.rfc3339)], after: ["betaSince": .null])
    }
}
