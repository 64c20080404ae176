package import InAppPurchase

extension LedgerTransaction {
    /// Records the settings of the catalog's apps that differ from the newest recorded ones: accounts that are created
    /// from now on start with them, and no other account. Idempotent.
    package func recordStartingCredits(in context: RecordingContext) throws {
        let recorded = try newestStartingCredits()
        for app in context.catalog.apps {
            let setting = StartingCredits(app)
            guard setting != recorded[app.bundleID] ?? StartingCredits() else { continue }
            try write(setting, of: app.bundleID, since: context.date)
        }
    }

    /// Posts the credits that the account starts with, once per app and environment: those of the setting that was in
    /// force when the account was created. Does nothing if the app has no such setting any more, or if its sandbox
    /// setting does not admit the account.
    ///
    /// - Parameter appTransactionID: Apple's `appTransactionId` of a signed app transaction that the account shows.
    package func giveStartingCredits(
        to account: AccountID, in scope: Scope, showing appTransactionID: String? = nil, _ context: RecordingContext
    ) throws {
        guard let setting = try startingCredits(of: account, in: scope, context),
            try isAdmitted(account, to: scope, context)
        else { return }
        if setting.proof == .appTransaction, appTransactionID == nil { return }
        let grant = StartingCreditsGrant(
            account: account, scope: scope, credits: setting.credits,
            appTransactionID: setting.proof == .appTransaction ? appTransactionID : nil, date: context.date)
        guard try write(grant) else { return }
        for (currency, amount) in setting.credits.sorted(by: { $0.key < $1.key }) {
            try record(
                Posting(
                    account: account, scope: scope, currency: currency, amount: amount, kind: .starting, cause: nil,
                    date: context.date))
        }
    }

    /// Returns the starting credits that the account has not got yet and gets with its next request about the app,
    /// provided that the app's sandbox setting admits it to the scope.
    func expectedStartingCredits(
        of account: AccountID, in scope: Scope, _ context: RecordingContext
    ) throws -> Credits {
        guard let setting = try startingCredits(of: account, in: scope, context), setting.proof == nil else {
            return [:]
        }
        return setting.credits
    }

    private func startingCredits(
        of account: AccountID, in scope: Scope, _ context: RecordingContext
    ) throws -> StartingCredits? {
        // Most apps have no such setting, and need no query.
        guard context.catalog.app(scope.app)?.startingCredits.isEmpty == false else { return nil }
        return try ungivenStartingCredits(of: account, in: scope)
    }
}
