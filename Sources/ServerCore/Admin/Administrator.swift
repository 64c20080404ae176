import Foundation
import HTTPTypes
package import InAppPurchase
package import Ledger
import ServerHTTP

/// An actor on the side of the operator, and the apps that it may act on.
package struct Administrator: Hashable, Sendable {
    package let actor: AuditActor
    package let reach: AdminReach
    private let role: AdminToken.Role

    /// The holder of an admin token.
    package init(_ token: AdminToken) {
        actor = .admin(token)
        reach = token.reach
        role = token.role
    }

    private init(actor: AuditActor, reach: AdminReach, role: AdminToken.Role) {
        self.actor = actor
        self.reach = reach
        self.role = role
    }

    /// The user who runs this process, who may do everything that the permissions of the files allow.
    package static var operatingSystemUser: Administrator {
        Administrator(actor: .operatingSystemUser, reach: .everything, role: .write)
    }

    /// Whether the token has this role, or one that may do more.
    package func may(_ role: AdminToken.Role) -> Bool { self.role >= role }

    /// - Throws: 403 for a token whose role may do less.
    package func require(_ role: AdminToken.Role) throws {
        guard may(role) else { throw self.role == .read ? Problem.readOnly : Problem.supportOnly }
    }

    /// - Throws: 403 for an app that the token is not for.
    package func require(_ app: BundleID) throws { guard reach.includes(app) else { throw Problem.outOfReach(reach) } }

    /// - Throws: 403 for a token that is for some apps only.
    package func requireEverything() throws { guard reach == .everything else { throw Problem.outOfReach(reach) } }

    /// The refusal of an edit while the catalog has an error, which may be in any app.
    package func refusal(of error: CatalogError) -> CatalogRefusal {
        .invalidCatalog(
            reach == .everything
                ? "it is wrong now, correct it first: \(error)"
                : "it is wrong now; an administrator of every app has to correct it")
    }

    /// The bundles whose names a form may tell; `nil` for a token for some apps, since others may have them.
    package func bundlesToTell(_ all: () -> [BundleName]) -> [BundleName]? { reach == .everything ? all() : nil }

    /// A bundle that is named is given away, by a product or to everybody.
    ///
    /// - Throws: 403 for a change of the catalog that names a bundle which other apps alone name so far.
    func requireBundles(of change: some RecordedChange) throws {
        guard reach != .everything, let changed = change.files.new.catalog.app(change.app) else { return }
        let before = change.files.old.catalog.apps
        let ours = before.filter { reach.includes($0.bundleID) }.flatMap(\.namedBundles)
        let named = Set(before.flatMap(\.namedBundles))
        guard named.subtracting(ours).isDisjoint(with: changed.namedBundles) else { throw Problem.outOfReach(reach) }
    }
}

extension App {
    fileprivate var namedBundles: [BundleName] { openBundles + products.flatMap(\.bundles) }
}

extension Problem {
    fileprivate static let readOnly = Problem(.forbidden, "forbidden", "This admin token is read-only")
    fileprivate static let supportOnly = Problem(
        .forbidden, "forbidden", "This admin token is for support",
        detail: "It may act on accounts and what they own. The catalog, bundles, tokens and the App Store's settings "
            + "need one with the role write.")

    /// The longest list of apps in a detail: enough for the tokens that people make.
    private static let shownApps = 20

    /// The refusal of what a narrowed token is not for.
    static func outOfReach(_ reach: AdminReach) -> Problem {
        let apps = (reach.apps ?? []).map(\.text)
        let more = apps.count > shownApps ? " and \(apps.count - shownApps) more" : ""
        return Problem(
            .forbidden, "forbidden", "This admin token is for some apps only",
            detail: "It is for \(apps.prefix(shownApps).joined(separator: ", "))\(more), and for nothing that concerns "
                + "other apps or no single one. Name one of them where the route takes an app.")
    }
}

extension AuditActor {
    /// The user who runs this process.
    package static var operatingSystemUser: AuditActor { .command(user: ProcessInfo.processInfo.userName) }
}
