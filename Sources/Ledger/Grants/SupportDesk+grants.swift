package import Foundation
package import InAppPurchase

extension SupportRecorder {
    package func grant(_ grant: ProductGrant, in context: RecordingContext) throws -> ProductGrant {
        _ = try facts(of: grant.account)
        let earlier = try rows.grant(withKey: grant.idempotencyKey, of: grant.account, in: grant.scope.app)?.grant
        if let earlier {
            guard earlier.gives(theSameAs: grant) else { throw LedgerRefusal.idempotencyKeyReused }
            return earlier
        }
        let terms = try terms(of: grant, in: context)
        guard grant.end.map({ $0 > act.date }) ?? true else { throw LedgerRefusal.grantEnded }
        guard try rows.standingGrants(of: grant.account, at: act.date).count < ProductGrant.maximumStanding else {
            throw LedgerRefusal.tooManyGrants
        }
        let before = try state(of: grant, in: context)
        try rows.write(
            RecordedGrant(grant: grant, terms: terms, actor: act.actor.name, reason: act.reason, date: act.date))
        try append(
            .entitlementGranted, grant.account, grant.id, grant.auditContent, before: before,
            after: try state(of: grant, in: context))
        return grant
    }

    /// - Returns: the date since which the grant is taken back.
    package func revokeGrant(_ id: String, of account: AccountID, in context: RecordingContext) throws -> Date {
        _ = try facts(of: account)
        guard let known = try rows.grant(id, of: account) else { throw LedgerRefusal.unknownGrant }
        if let since = known.revokedAt { return since }
        let before = try state(of: known.grant, in: context)
        try rows.revokeGrant(id, of: account, at: act.date)
        try append(
            .entitlementRevoked, account, id, known.grant.auditContent, before: before,
            after: try state(of: known.grant, in: context))
        return act.date.wholeMilliseconds
    }

    private func terms(of grant: ProductGrant, in context: RecordingContext) throws -> Product {
        guard let terms = context.catalog.product(grant.product, of: grant.scope.app) else {
            throw LedgerRefusal.unknownProduct
        }
        guard terms.type != .consumable || !terms.bundles.isEmpty else { throw LedgerRefusal.nothingToGrant }
        return terms
    }

    /// The access to the grant's product, by whatever gives it, and how many grants of it stand.
    func state(of grant: ProductGrant, in context: RecordingContext) throws -> [String: JSONValue] {
        let entitlement = try ReceiptRecorder(rows, context).entitlements(of: grant.account)
            .first { $0.scope == grant.scope && $0.product == grant.product }
        let standing = try rows.standingGrants(of: grant.account, at: act.date)
            .count { $0.grant.scope == grant.scope && $0.grant.product == grant.product }
        var state: [String: JSONValue] = ["access": .string("denied"), "grants": .integer(standing)]
        if case .granted(let end)? = entitlement?.access {
            state["access"] = .string("granted")
            if let end { state["until"] = .date(end) }
        }
        return state
    }
}

extension ProductGrant {
    /// The audit trail's content for the grant.
    fileprivate var auditContent: [String: JSONValue] {
        var content: [String: JSONValue] = [
            "app": .string(scope.app.text), "environment": .string(scope.environment.rawValue),
            "product": .string(product.text),
        ]
        if let end { content["until"] = .date(end) }
        return content
    }
}
