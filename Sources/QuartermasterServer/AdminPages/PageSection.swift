/// The pages that the head of every page links to.
enum PageSection: String, CaseIterable {
    case overview = "Overview"
    case accounts = "Accounts"
    case receipts = "Receipts"
    case deliveries = "Deliveries"
    case products = "Products"
    case bundles = "Bundles"
    case store = "Store"
    case sandbox = "Sandbox"
    case reports = "Reports"
    case audit = "Audit"
    case tokens = "Tokens"
    /// Present with the simulated App Store only.
    case simulator = "Simulator"

    /// The sections that have something for a token for some apps.
    static let forSomeApps: Set<PageSection> = [.accounts, .receipts, .products, .reports]

    var path: String { self == .overview ? "/admin" : "/admin/" + rawValue.lowercased() }
}
