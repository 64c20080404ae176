package import Basics
package import Foundation
import InAppPurchase
package import Ledger
package import ServerHTTP

/// The sessions of administrators in the pages. They are stored among the ledger's small values, under the SHA-256 of
/// their secrets, so that they survive a restart and all servers of a ledger know them.
package struct AdminSessions: Sendable {
    /// In seconds: an administrator who went to lunch is signed out.
    static let idleTime: TimeInterval = 30 * 60
    /// In seconds: a working day.
    static let totalTime: TimeInterval = 12 * 3_600
    /// The interval, in seconds, at which the use of a session is recorded, instead of with each page.
    static let noteInterval: TimeInterval = 60
    /// The maximum number of sessions of all administrators together; one more ends the session that is unused for
    /// longest.
    package static let maximum = 100

    private static let prefix = "adminSessions/"
    /// The prefix of the values with the last use of each session. They are separate, since a late write must not bring
    /// back a session that ended meanwhile.
    private static let usePrefix = "adminSessionUses/"

    package let ledger: any AdminTokenLedger & KeyValueStore
    package let random: RandomBytes

    package init(ledger: any AdminTokenLedger & KeyValueStore, random: @escaping RandomBytes) {
        self.ledger = ledger
        self.random = random
    }

    /// A session with its ID, which is no secret.
    package struct Listed: Sendable {
        package var id: String
        package var session: AdminSession
        package var lastUsed: Date
    }

    /// Opens a session.
    ///
    /// - Returns: its secret.
    package func open(_ token: AdminToken, from address: String?, at date: Date) async throws -> String {
        try await sweep(at: date)
        let secret = AccessToken(random).text
        let id = Self.id(of: secret)
        try await ledger.set([
            Self.prefix + id: try JSONEncoder().encode(AdminSession(token, from: address, at: date)),
            Self.usePrefix + id: Self.value(of: date),
        ])
        return secret
    }

    /// Returns the token that the session was opened with; `nil` if the session or the token is no longer in force.
    package func token(secret: String, at date: Date) async throws -> AdminToken? {
        let id = Self.id(of: secret)
        guard let stored = try await ledger.value(forKey: Self.prefix + id),
            let session = try? JSONDecoder().decode(AdminSession.self, from: stored),
            let used = try await ledger.value(forKey: Self.usePrefix + id).flatMap(Self.date),
            Self.isInForce(session, lastUsed: used, at: date),
            let token = try await ledger.adminToken(named: session.token), session.belongs(to: token)
        else { return nil }
        if abs(date.timeIntervalSince(used)) >= Self.noteInterval {
            try await ledger.set([Self.usePrefix + id: Self.value(of: date)])
        }
        return token
    }

    /// Ends a session. Idempotent.
    package func close(secret: String) async throws { try await close(id: Self.id(of: secret)) }

    /// Ends the session with this ID. Idempotent.
    package func close(id: String) async throws {
        try await ledger.removeValues(forKeys: [Self.prefix + id, Self.usePrefix + id])
    }

    /// Returns the sessions that have not ended by themselves, those in use last first.
    package func all(at date: Date) async throws -> [Listed] { try await stored().listed(at: date) }

    /// Removes what has ended, and makes room for another session. A session that is opened meanwhile stays: nothing is
    /// removed but what was read, once.
    private func sweep(at date: Date) async throws {
        let stored = try await stored()
        let kept = Set(stored.listed(at: date).prefix(Self.maximum - 1).map(\.id))
        let ended = stored.sessions.keys.filter { !kept.contains($0) } + stored.strayUses(at: date)
        try await ledger.removeValues(forKeys: ended.flatMap { [Self.prefix + $0, Self.usePrefix + $0] })
    }

    /// The uses are read last: a session is written together with its use, so that each one that was read has it.
    private func stored() async throws -> Stored {
        let sessions = try await ledger.values(withPrefix: Self.prefix)
        let uses = try await ledger.values(withPrefix: Self.usePrefix)
        return Stored(sessions: Self.byID(sessions, Self.prefix), uses: Self.byID(uses, Self.usePrefix))
    }

    private static func byID(_ values: [String: Data], _ prefix: String) -> [String: Data] {
        Dictionary(values.map { (String($0.dropFirst(prefix.count)), $1) }) { first, _ in first }
    }

    /// The sessions in the ledger and their last uses, by ID.
    private struct Stored {
        var sessions: [String: Data]
        var uses: [String: Data]

        func listed(at date: Date) -> [Listed] {
            sessions.compactMap { id, value in
                guard let session = try? JSONDecoder().decode(AdminSession.self, from: value),
                    let used = uses[id].flatMap(AdminSessions.date),
                    AdminSessions.isInForce(session, lastUsed: used, at: date)
                else { return nil }
                return Listed(id: id, session: session, lastUsed: used)
            }
            .sorted { ($0.lastUsed, $0.id) > ($1.lastUsed, $1.id) }
        }

        /// The IDs of uses that were written after the end of their sessions, and are old: a newer one may be of a
        /// session that was opened after the sessions were read.
        func strayUses(at date: Date) -> [String] {
            uses.filter { id, value in
                sessions[id] == nil
                    && AdminSessions.date(value).map { date.timeIntervalSince($0) >= AdminSessions.idleTime } ?? true
            }
            .map(\.key)
        }
    }

    private static func isInForce(_ session: AdminSession, lastUsed: Date, at date: Date) -> Bool {
        date.timeIntervalSince(lastUsed) < idleTime
            && date.timeIntervalSince(Date(milliseconds: session.opened)) < totalTime
    }

    private static func id(of secret: String) -> String { AccessToken.digest(of: secret).hex }

    private static func value(of date: Date) -> Data { Data(String(date.milliseconds).utf8) }

    private static func date(_ value: Data) -> Date? {
        Int(String(decoding: value, as: UTF8.self)).map(Date.init(milliseconds:))
    }
}

/// A session of an administrator in the pages, as it is stored. It ends with the token that it was opened with.
package struct AdminSession: Codable, Sendable {
    /// The name of the token; a later token of the same name is another one, see ``tokenCreated``.
    package var token: String
    /// In milliseconds since 1970, as in the ledger.
    var tokenCreated: Int
    /// In milliseconds since 1970.
    package var opened: Int
    /// The client's address when it was opened.
    package var address: String?

    init(_ token: AdminToken, from address: String?, at date: Date) {
        self.token = token.name
        tokenCreated = token.createdAt.milliseconds
        opened = date.milliseconds
        self.address = address
    }

    /// Whether it was opened with this token.
    func belongs(to token: AdminToken) -> Bool {
        token.name == self.token && token.createdAt.milliseconds == tokenCreated
    }
}
