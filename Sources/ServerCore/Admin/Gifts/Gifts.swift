import InAppPurchase
import Ledger
package import ServerHTTP

/// Gives each account of a list a product or credits, for the admin API, the pages and the command line: each account
/// by an act of its own, as if somebody had given it to that account alone.
package struct Gifts: Sendable {
    package let acts: SupportActs
    private let random: RandomBytes

    package init(acts: SupportActs, random: @escaping RandomBytes) {
        self.acts = acts
        self.random = random
    }

    /// Returns who would be given it, and records nothing.
    ///
    /// - Throws: 403 for an app that the administrator's token is not for; ``/Ledger/LedgerRefusal`` for a product or
    ///   credits that nobody can be given, and for a key that was used for something else.
    package func plan(
        _ gift: Gift, for list: AccountList, by administrator: Administrator
    ) async throws -> GiftPlan {
        try administrator.require(gift.scope.app)
        var (plan, seen) = (GiftPlan(), Set<AccountID>())
        for (line, name) in list.numbered {
            guard let facts = try await account(name, for: administrator) else {
                plan.pass(over: line, for: .unknown)
                continue
            }
            let isNew = seen.insert(facts.account).inserted
            let obstacle =
                !isNew
                ? .repeated
                : facts.blockedAt != nil ? .blocked : try await obstacle(gift, facts.account, administrator)
            if let obstacle { plan.pass(over: line, for: obstacle) } else { plan.add(facts.account) }
        }
        return plan
    }

    /// Gives it to everybody whom ``plan(_:for:by:)`` names. A run that broke off goes on with the same key; the next
    /// one gives nothing.
    ///
    /// - Throws: as ``plan(_:for:by:)``, before anything is given; 422 for a reason that is none.
    package func give(
        _ gift: Gift, to list: AccountList, by administrator: Administrator, reason: String
    ) async throws -> GiftPlan {
        guard SupportAct.checked(reason: reason) != nil else { throw Problem.wrongReason }
        let plan = try await plan(gift, for: list, by: administrator)
        for account in plan.accounts {
            _ = try await acts.answer(to: gift.request(for: account, random), by: administrator, reason: reason)
        }
        return plan
    }

    /// Does it, or says what it would do.
    ///
    /// - Throws: as ``give(_:to:by:reason:)``.
    package func answer(
        to gift: Gift, for list: AccountList, by administrator: Administrator, reason: String, isDryRun: Bool
    ) async throws -> any Encodable & Sendable {
        guard isDryRun else {
            return GiftBody(try await give(gift, to: list, by: administrator, reason: reason), isDryRun: nil)
        }
        guard SupportAct.checked(reason: reason) != nil else { throw Problem.wrongReason }
        return GiftBody(try await plan(gift, for: list, by: administrator), isDryRun: true)
    }

    private func obstacle(
        _ gift: Gift, _ account: AccountID, _ administrator: Administrator
    ) async throws -> GiftPlan.Obstacle? {
        do {
            let change = try await acts.preview(gift.request(for: account, random), by: administrator)
            return Gift.isHad(change) ? .alreadyHad : nil
        } catch LedgerRefusal.tooManyGrants { return .full } catch LedgerRefusal.unknownAccount { return .unknown }
    }

    /// The account of an ID or an external ID; for a token for some apps only that of an ID, as external IDs belong to
    /// no app.
    private func account(_ name: String, for administrator: Administrator) async throws -> AccountFacts? {
        if let id = AccountID(text: name), let prefix = AccountPrefix(id.text),
            let facts = try await acts.ledger.accounts(beginning: prefix, limit: 1).first
        {
            return facts
        }
        guard administrator.reach == .everything, let id = ExternalID(name) else { return nil }
        return try await acts.ledger.account(withExternalID: id)
    }
}

/// The number of accounts of a list that were given something, and the lines that gave nobody anything.
private struct GiftBody: Encodable {
    /// The accounts that were given it; of a dry run, those that would be.
    var given: Int
    var unknown: [Int]
    var blocked: [Int]
    var alreadyHad: [Int]
    var repeated: [Int]
    var full: [Int]
    /// Present and true for a dry run.
    var dryRun: Bool?

    init(_ plan: GiftPlan, isDryRun: Bool?) {
        given = plan.accounts.count
        unknown = plan.lines(.unknown)
        blocked = plan.lines(.blocked)
        alreadyHad = plan.lines(.alreadyHad)
        repeated = plan.lines(.repeated)
        full = plan.lines(.full)
        dryRun = isDryRun
    }
}
