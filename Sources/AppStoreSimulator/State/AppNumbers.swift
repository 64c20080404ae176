import InAppPurchase

/// The numbers of apps in the App Store, as receipts name them.
struct AppNumbers: Sendable {
    /// The number in notifications of an app whose number is not known.
    static let standIn = 1

    /// Looks up an app's number; `nil` if it is not known.
    var lookUp: @Sendable (BundleID) async -> Int?

    /// The number of an app, 0 in the sandbox; `nil` if it is not known.
    func number(of app: BundleID, in environment: Environment) async -> Int? {
        environment == .production ? await lookUp(app) : 0
    }
}
