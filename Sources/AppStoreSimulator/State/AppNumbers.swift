import InAppPurchase

/// The numbers of apps in the App Store, as receipts name them.
struct AppNumbers: Sendable {
    /// What notifications say of an app whose number is not known.
    static let standIn = 1

    /// Nil where the number is not known.
    var lookUp: @Sendable (BundleID) async -> Int?

    /// Apps have no number in the sandbox: it says 0. Nil where it is not known.
    func number(of app: BundleID, in environment: Environment) async -> Int? {
        environment == .production ? await lookUp(app) : 0
    }
}
