/// An app in one environment: what balances and entitlements are kept by.
public struct Scope: Hashable, Codable, Sendable {
    public var app: BundleID
    public var environment: Environment

    public init(app: BundleID, environment: Environment) {
        self.app = app
        self.environment = environment
    }
}
