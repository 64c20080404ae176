public import Foundation

extension Quartermaster {
    /// The code that opens the account on another device, or `nil` if there is no account yet. Show it when the player
    /// asks.
    ///
    /// - Throws: ``CredentialsUnavailable``.
    public func recoveryCode() async throws -> String? { try await session.current()?.recoveryCode }

    /// Signs in to the account with the recovery code. What the device knew of another account is removed.
    ///
    /// - Throws: ``ServerProblem`` with ``ServerProblem/Code/invalidCredentials`` if no account has the code, or
    ///   ``ConnectionError``.
    public func signIn(recoveryCode: String) async throws {
        let before = try await session.current()?.id
        let account = try await session.signIn(recoveryCode: recoveryCode)
        if account.id != before { await forgetAccount() }
        ownedByAnotherAccount = nil
        // They are requested later if the refresh fails.
        needsEntitlements = true
        await engine.retryNow()
        try await refresh()
        await afterRefresh()
    }

    /// Signs in to one of ``ShopState/accountsFound`` with the recovery code that came with it.
    ///
    /// - Throws: as ``signIn(recoveryCode:)``; ``NoAccount`` if it is no longer among them.
    public func signIn(account id: UUID) async throws {
        let code = try await session.others().first { $0.id == id }?.recoveryCode
        guard let code else { throw NoAccount() }
        try await signIn(recoveryCode: code)
    }

    /// Ends the session and removes the account from the device: without its recovery code the player cannot come back.
    /// Bundles stay on disk, but are not readable.
    public func signOut() async throws {
        try await session.signOut()
        await forgetAccount()
        await publish()
    }

    private func forgetAccount() async {
        entitlements.remove()
        bundleList.remove()
        await spending.removeAll()
    }
}
