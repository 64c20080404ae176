/// The pages that the head of every page links to.
enum PageSection: String, CaseIterable {
    case overview = "Overview"
    case accounts = "Accounts"
    case receipts = "Receipts"
    case deliveries = "Deliveries"
    case products = "Products"
    case bundles = "Bundles"
    case store = "Store"
    case reports = "Reports"
    case audit = "Audit"
    case tokens = "Tokens"
    /// There with the simulated App Store only.
    case simulator = "Simulator"

    var path: String { self == .overview ? "/admin" : "/admin/" + rawValue.lowercased() }
}
