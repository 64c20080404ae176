package import Basics
package import Foundation
import InAppPurchase
package import Ledger
package import ServerHTTP

/// Links that sign an administrator in once, and expire soon: the command line makes one, a browser opens it.
package struct SignInLinks: Sendable {
    /// In seconds: to copy the link from a terminal.
    static let lifetime: TimeInterval = 60
    /// In seconds, for a browser on this machine, whose users read what the server printed at its start.
    static let localLifetime: TimeInterval = 600
    /// The path before the code.
    package static let path = "/admin/open/"

    private static let prefix = "adminLinks/"
    private static let usePrefix = "adminLinkUses/"
    /// The time, in seconds, for which a used link is remembered as such.
    private static let memory: TimeInterval = 3_600

    private struct Stored: Codable {
        var session: AdminSession
        /// In milliseconds since 1970.
        var made: Int
    }

    package let ledger: any AdminTokenLedger & KeyValueStore
    package let random: RandomBytes

    package init(ledger: any AdminTokenLedger & KeyValueStore, random: @escaping RandomBytes) {
        self.ledger = ledger
        self.random = random
    }

    /// Makes a link's code for the holder of a token.
    package func code(for token: AdminToken, at date: Date) async throws -> String {
        try await sweep(at: date)
        let code = AccessToken(random).text
        let stored = Stored(session: AdminSession(token, from: nil, at: date), made: date.milliseconds)
        try await ledger.set([Self.prefix + Self.id(of: code): try JSONEncoder().encode(stored)])
        return code
    }

    /// Returns the token that a code is for; the second time `nil`, also for two requests at once.
    ///
    /// - Parameter isLocal: whether the browser runs on this machine.
    package func redeem(_ code: String, isLocal: Bool, at date: Date) async throws -> AdminToken? {
        let id = Self.id(of: code)
        guard let value = try await ledger.value(forKey: Self.prefix + id),
            let stored = try? JSONDecoder().decode(Stored.self, from: value),
            Self.age(of: stored, at: date) < (isLocal ? Self.localLifetime : Self.lifetime)
        else { return nil }
        // Of several concurrent requests only one gets its own value back.
        let mine = Data(random(AccessToken.bytes))
        guard try await ledger.establish(mine, forKey: Self.usePrefix + id) == mine,
            let token = try await ledger.adminToken(named: stored.session.token), stored.session.belongs(to: token)
        else { return nil }
        return token
    }

    private func sweep(at date: Date) async throws {
        let old = try await ledger.values(withPrefix: Self.prefix).filter { _, value in
            let stored = try? JSONDecoder().decode(Stored.self, from: value)
            return stored.map { Self.age(of: $0, at: date) >= Self.memory } ?? true
        }
        let ids = old.keys.map { String($0.dropFirst(Self.prefix.count)) }
        try await ledger.removeValues(forKeys: ids.flatMap { [Self.prefix + $0, Self.usePrefix + $0] })
    }

    private static func age(of stored: Stored, at date: Date) -> TimeInterval {
        abs(date.timeIntervalSince(Date(milliseconds: stored.made)))
    }

    private static func id(of code: String) -> String { AccessToken.digest(of: code).hex }
}
