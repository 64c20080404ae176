import Foundation
import InAppPurchase
import Ledger

/// A balance that credits can be given to, as the value of a form's field.
struct BalanceChoice: Hashable, Sendable {
    var scope: Scope
    var currency: Currency
    /// The credits now; 0 if the account never had any.
    var amount: Int

    /// The balances of an account, and the currencies of the apps that it can have in Production.
    ///
    /// - Parameter reach: the apps that are offered.
    static func all(_ report: AccountReport, _ catalog: Catalog, of reach: AdminReach) -> [BalanceChoice] {
        let had = report.narrowed(to: reach).balances.flatMap { scope, credits in
            credits.map { BalanceChoice(scope: scope, currency: $0.key, amount: $0.value) }
        }
        let new = named(catalog, of: reach).filter { choice in
            !had.contains { $0.scope == choice.scope && $0.currency == choice.currency }
        }
        return (had + new).sorted { $0.text < $1.text }
    }

    /// The currencies of the apps in Production.
    ///
    /// - Parameter reach: the apps that are offered.
    static func named(_ catalog: Catalog, of reach: AdminReach) -> [BalanceChoice] {
        catalog.apps.filter { reach.includes($0.bundleID) }.flatMap { app in
            app.namedCurrencies.sorted().map {
                BalanceChoice(scope: Scope(app: app.bundleID, environment: .production), currency: $0, amount: 0)
            }
        }
    }

    var value: String {
        [scope.app.text, scope.environment.rawValue, currency.text].map(\.pathEncoded).joined(separator: "/")
    }

    var text: String { "\(currency) in \(scope.text) (now \(amount))" }
}
