public import Foundation

/// Proof that a customer obtained the app itself (StoreKit's `AppTransaction`). It proves no in-app purchase.
public struct AppTransaction: Hashable, Sendable {
    /// Apple's `appTransactionId`: the same for one customer and app through refunds and reinstallations. Present since
    /// 2025.
    public var id: String?
    /// Apple's `bundleId`.
    public var app: BundleID
    /// The number in the app's App Store address; `nil` in the sandbox.
    public var appAppleID: Int?
    /// The environment that signed it.
    public var environment: Environment
    /// The date when the customer first obtained the app.
    public var originalPurchaseDate: Date
    /// The version that was first obtained; always `1.0` in the sandbox.
    public var originalAppVersion: String
    /// The version that was installed when this was signed; `nil` if it states none.
    public var appVersion: AppVersion?
    /// The date when the App Store signed this (`receiptCreationDate`).
    public var signedDate: Date

    public init(
        id: String? = nil, app: BundleID, appAppleID: Int? = nil, environment: Environment, originalPurchaseDate: Date,
        originalAppVersion: String, appVersion: AppVersion? = nil, signedDate: Date
    ) {
        self.id = id
        self.app = app
        self.appAppleID = appAppleID
        self.environment = environment
        self.originalPurchaseDate = originalPurchaseDate
        self.originalAppVersion = originalAppVersion
        self.appVersion = appVersion
        self.signedDate = signedDate
    }
}
