public import Foundation

extension Quartermaster {
    /// The code that opens the account on another device, or `nil` if there is no account yet. Show it when the player asks.
    ///
    /// - Throws: ``CredentialsUnavailable``.
    public func recoveryCode() async throws -> String? {
        try await session.current()?.recoveryCode
    }

    /// Makes the account that has the code this device's. What the device knew of another account is forgotten.
    ///
    /// - Throws: ``Problem`` with ``Problem/Code/invalidCredentials`` if no account has the code, or ``ConnectionError``.
    public func signIn(recoveryCode: String) async throws {
        let before = try await session.current()?.id
        let account = try await session.signIn(recoveryCode: recoveryCode)
        if account.id != before { await forgetAccount() }
        ownedByAnotherAccount = nil
        // Asked for later, if the refresh fails.
        needsEntitlements = true
        await engine.retryNow()
        try await refresh()
        await afterRefresh()
    }

    /// Makes one of ``ShopState/accountsFound`` this device's, by the recovery code that came with it.
    ///
    /// - Throws: as ``signIn(recoveryCode:)``; ``NoAccount`` if it is not among them any more.
    public func signIn(account id: UUID) async throws {
        let code = try await session.others().first { $0.id == id }?.recoveryCode
        guard let code else { throw NoAccount() }
        try await signIn(recoveryCode: code)
    }

    /// Ends the session and removes the account from the device: without its recovery code the player cannot come back.
    /// Bundles stay on disk, and are not readable.
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
