import Ledger

/// The pages that the head of every page links to.
enum PageSection: String, CaseIterable {
    case overview = "Overview"
    case accounts = "Accounts"
    case receipts = "Receipts"
    case deliveries = "Deliveries"
    case products = "Products"
    case bundles = "Bundles"
    case store = "App Store"
    case sandbox = "Sandbox"
    case reports = "Reports"
    case audit = "Audit"
    case tokens = "Tokens"
    /// Present with the simulated App Store only.
    case simulator = "Simulator"

    /// The common names under which the head of every page has its links.
    enum Group: String, CaseIterable {
        case players = "Players"
        case shop = "Shop"
        case operation = "Operation"
    }

    /// `nil` for a section that has a link of its own.
    var group: Group? {
        switch self {
        case .overview: nil
        case .accounts, .receipts, .deliveries, .sandbox: .players
        case .products, .bundles, .reports: .shop
        case .store, .audit, .tokens, .simulator: .operation
        }
    }

    /// The sections that have something for a token for some apps.
    static let forSomeApps: Set<PageSection> = [.accounts, .receipts, .products, .reports]

    /// The lowest role that may do the acts of its pages.
    var roleOfActs: AdminToken.Role {
        switch self {
        case .accounts, .receipts, .sandbox: .support
        case .overview, .deliveries, .products, .bundles, .store, .reports, .audit, .tokens, .simulator: .write
        }
    }

    var path: String { self == .overview ? "/admin" : "/admin/\(self)" }
}
