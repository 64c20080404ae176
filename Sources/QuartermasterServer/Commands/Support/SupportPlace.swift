import ArgumentParser
import InAppPurchase
import Ledger

/// The app and the environment of an act.
struct SupportPlace: ParsableArguments {
    @Option(help: "The app's bundle ID (needed if several apps are served).")
    var app: BundleID?
    @Option(help: "Production, Sandbox or Xcode (default: Production).")
    var environment: String?

    func original(_ id: String, _ acts: SupportActs) throws -> OriginalTransaction.Key {
        let scope = try scope(acts)
        return OriginalTransaction.Key(
            app: scope.app, environment: scope.environment, originalID: TransactionID(stored: id))
    }

    func scope(_ acts: SupportActs) throws -> Scope {
        try acts.scope(bundleID: app, environment: environment, by: .operatingSystemUser)
    }
}
