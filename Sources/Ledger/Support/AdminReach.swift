package import InAppPurchase

/// The apps that an admin token is for.
package enum AdminReach: Hashable, Sendable {
    /// Every app, and what concerns no single app: bundles, whole accounts, tokens, the server.
    case everything
    /// These apps, and of each account their part.
    case apps(Set<BundleID>)

    /// The reach of a token that was created for these apps; everything if none is named.
    package init(_ apps: [BundleID]) { self = apps.isEmpty ? .everything : .apps(Set(apps)) }

    /// The apps in the order of their names; `nil` for everything.
    package var apps: [BundleID]? {
        switch self {
        case .everything: nil
        case .apps(let apps): apps.sorted()
        }
    }

    /// Whether the app is one of them.
    package func includes(_ app: BundleID) -> Bool {
        switch self {
        case .everything: true
        case .apps(let apps): apps.contains(app)
        }
    }

    /// Whether a row of the audit trail is about one of the apps. A row that names none, or whose content was erased,
    /// may be about any.
    package func includes(_ row: AuditRow) -> Bool {
        guard self != .everything else { return true }
        return row.app.map(includes) ?? false
    }
}

extension AccountReport {
    /// The part of the report about the apps of a token. Sessions, notes and the external ID belong to no app, and
    /// receipts to none until one is known of them.
    package func narrowed(to reach: AdminReach) -> AccountReport {
        guard reach != .everything else { return self }
        var part = self
        part.sessions = Newest([], limit: 0)
        part.facts.externalID = nil
        part.notes = []
        part.entitlements = entitlements.filter { reach.includes($0.scope.app) }
        part.balances = balances.filter { reach.includes($0.key.app) }
        part.transactions = transactions.filter { reach.includes($0.transaction.app) }
        part.originalTransactions = originalTransactions.filter { reach.includes($0.key.app) }
        part.renewals = renewals.filter { reach.includes($0.key.app) }
        part.appTransactions = appTransactions.filter { reach.includes($0.transaction.app) }
        part.receipts = receipts.filter { $0.isWithin(reach) }
        part.contested = contested.filter { reach.includes($0.record.transaction.app) }
        part.spends = spends.filter { reach.includes($0.spend.scope.app) }
        part.adjustments = adjustments.filter { reach.includes($0.adjustment.scope.app) }
        part.postings = postings.filter { reach.includes($0.scope.app) }
        part.grants = grants.filter { reach.includes($0.grant.scope.app) }
        return part
    }
}

extension ReceiptFacts {
    /// Whether a token may see the receipt; one whose app is not known, only a token for everything.
    package func isWithin(_ reach: AdminReach) -> Bool { reach == .everything || app.map(reach.includes) ?? false }
}
