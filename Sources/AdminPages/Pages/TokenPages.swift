import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// The admin tokens, and the sessions of the pages, which can be ended here.
struct TokenPages: Sendable {
    let ledger: any AdminTokenLedger & AuditLedger
    let sessions: AdminSessions
    let trueClock: @Sendable () -> Date

    func add(to pages: PageRouter) {
        pages.page("/admin/tokens", .tokens) { .page(try await content($0)) }
        pages.act("/admin/tokens/sessions/end", .tokens, on: { .page(try await content($0)) }) { visit, form in
            try await end(form["session"], reason: form["reason"], by: visit.context.actor, at: visit.date)
            return .redirect("/admin/tokens?done=ended")
        }
    }

    /// Ends a session. Nothing is recorded about one that has ended already.
    ///
    /// - Throws: ``/ServerHTTP/Problem``: 422 for a reason that is empty, too long or has control characters.
    private func end(_ id: String, reason: String, by actor: AuditActor, at date: Date) async throws {
        guard let act = SupportAct(by: actor, reason: reason, at: date) else { throw Problem.wrongReason }
        guard let ended = try await sessions.all(at: trueClock()).first(where: { $0.id == id }) else { return }
        let opened = Date(milliseconds: ended.session.opened)
        let content: [String: JSONValue] = [
            "openedAt": .string(opened.rfc3339), "address": ended.session.address.map { .string($0) } ?? .null,
            "reason": .string(act.reason),
        ]
        try await ledger.append(
            AuditEntry(.adminSessionEnded, by: actor, subject: ended.session.token, content: content, at: date))
        try await sessions.close(id: id)
    }

    private func content(_ visit: Visit) async throws -> PageContent {
        let open = try await sessions.all(at: trueClock())
        let rows = open.map { listed -> [Cell] in
            [
                Cell(listed.session.token, note: listed.session.address.map { "from \($0)" }),
                .time(visit.time(Date(milliseconds: listed.session.opened)).moment),
                .time(visit.time(listed.lastUsed).moment),
            ]
        }
        let choices = open.map { listed in
            let opened = visit.time(Date(milliseconds: listed.session.opened)).text
            return (value: listed.id, text: "\(listed.session.token), since \(opened)")
        }
        let form = Form.act(
            "/admin/tokens/sessions/end", csrf: visit.csrf,
            [.choice("Session", name: "session", choices), AccountActPages.reason],
            button: "End the session", isDangerous: true)
        return PageContent(
            "Admin tokens", notice: visit.query("done") == nil ? nil : Notice("The session was ended.", .good),
            [
                Block(
                    "Tokens", text: "Tokens are created and revoked on the command line.",
                    table: try await tokens(visit)),
                Block(
                    "Sessions in these pages",
                    table: Table("Open sessions", columns: ["Token", "Opened", "Last used"], rows: rows),
                    form: visit.mayChange ? form : nil),
            ])
    }

    private func tokens(_ visit: Visit) async throws -> Table {
        let rows = try await ledger.adminTokens().reversed().map { token -> [Cell] in
            [
                Cell(token.name),
                Cell(
                    token.role.words,
                    note: token.reach.apps.map { "only \($0.map(\.text).joined(separator: ", "))" }),
                .time(visit.time(token.createdAt).moment),
                token.revokedAt.map { Cell.badge("Revoked", .plain, note: visit.time($0).text) }
                    ?? Cell.badge("In force", .good),
            ]
        }
        return Table("Newest first", columns: ["Name", "Role", "Created", "State"], rows: rows)
    }
}
