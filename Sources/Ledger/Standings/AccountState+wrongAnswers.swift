import Foundation
import InAppPurchase

extension AccountState {
    /// The times before and after the present at which answers are compared, in hours.
    private static let comparedHours: [Double] = {
        let later: [Double] = [1, 12, 24, 36, 24 * 7, 24 * 31, 24 * 92, 24 * 366, 24 * 1_100, 24 * 3_660]
        return later.map { -$0 } + [0] + later
    }()

    /// Compares the answers by condensed histories with those by all purchases, now and at dates before and after.
    package func wrongAnswers(by histories: [HistoryID: CondensedHistory]) -> [LedgerDifference] {
        Self.comparedHours.flatMap { hours in
            var context = context
            context.date += hours * 3_600
            let state = AccountState(account: account, records: records, renewals: renewals, context: context)
            let condensed = AccountEntitlements(
                account: account, histories: histories, renewals: renewals, context: context)
            guard let stored = condensed?.all, stored != state.entitlements else {
                return [] as [LedgerDifference]
            }
            return differences(stored, state.entitlements, at: context.date)
        }
    }

    private func differences(
        _ stored: [ProductEntitlement], _ folded: [ProductEntitlement], at date: Date
    ) -> [LedgerDifference] {
        let (mine, theirs) = (Set(stored), Set(folded))
        let texts = (
            stored: stored.filter { !theirs.contains($0) }.map { "\($0)" },
            folded: folded.filter { !mine.contains($0) }.map { "\($0)" }
        )
        return [
            LedgerDifference(
                account: account, "entitlements at \(date.rfc3339)", stored: texts.stored.joined(separator: "; "),
                folded: texts.folded.joined(separator: "; "))
        ]
    }
}
