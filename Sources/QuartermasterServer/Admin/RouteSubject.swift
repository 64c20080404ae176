import InAppPurchase
import Ledger

/// The subject of a route or a page for administrators, which decides whether a token for some apps may call it.
enum RouteSubject: Sendable {
    /// No single app. Tokens for some apps are refused.
    case everything
    /// The app in the path, `{bundleID}`. It must be one of the token's.
    case appInPath
    /// The handler narrows what it reads or does to the token's apps.
    case narrowed

    /// - Throws: 403 if the administrator's token is not for it; 404 for a path that names no app.
    func require(_ administrator: Administrator, _ context: ServerContext) throws {
        switch self {
        case .everything: try administrator.requireEverything()
        case .appInPath:
            guard administrator.reach != .everything else { return }
            try administrator.require(try context.pathPart("bundleID", as: BundleID.self))
        case .narrowed: return
        }
    }
}
