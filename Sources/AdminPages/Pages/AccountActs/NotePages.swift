import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// Writes a note on an account, and removes one.
struct NotePages: Sendable {
    static let title = "Write a note"

    let acts: SupportActs
    let random: RandomBytes

    func add(to pages: PageRouter) {
        let path = "/admin/accounts/{account}/notes"
        pages.formPage(path, .accounts) { .page(try form($0)) }
        pages.act(path, .accounts, on: { .page(try form($0)) }) { visit, form in
            guard SupportAct.checked(reason: form["text"]) != nil else { throw Problem.wrongNote }
            let account = try visit.context.namedAccount
            _ = try await acts.answer(
                to: .addNote(Names.accountNote(random), to: account), by: visit.administrator, reason: form["text"])
            return .redirect("/admin/accounts/\(account.text)?done=note")
        }
        let removal = "\(path)/{note}/remove"
        pages.formPage(removal, .accounts) { .page(try await confirmation($0)) }
        pages.act(removal, .accounts, on: { .page(try await confirmation($0)) }) { visit, form in
            let account = try visit.context.namedAccount
            _ = try await acts.answer(
                to: .removeNote(try visit.context.pathPart("note"), of: account), by: visit.administrator,
                reason: form["reason"])
            return .redirect("/admin/accounts/\(account.text)?done=remove-note")
        }
    }

    private func form(_ visit: Visit) throws -> PageContent {
        let account = try visit.context.namedAccount
        let path = "/admin/accounts/\(account.text)"
        let text = Field.input(
            "Note", name: "text", value: visit.query("text") ?? "",
            hint: "What the next one who helps this player should know. Recorded in the audit trail, too.",
            maximum: AccountNote.maximumCharacters)
        return PageContent(
            Self.title,
            [
                Block(facts: [Fact("Account", .code(account.text))]),
                Block(
                    form: .act("\(path)/notes", csrf: visit.csrf, [text], button: Self.title),
                    links: [Link("Back without changes", path)]),
            ])
    }

    private func confirmation(_ visit: Visit) async throws -> PageContent {
        let (account, id) = (try visit.context.namedAccount, try visit.context.pathPart("note"))
        let path = "/admin/accounts/\(account.text)"
        let report = try await acts.ledger.accountReport(of: account, after: nil, limit: 1, in: acts.decisions.context)
        guard let report else { throw LedgerRefusal.unknownAccount }
        guard let note = report.notes.first(where: { $0.id == id }) else {
            return PageContent(
                "Remove a note", notice: Notice("There is nothing to do: this is already the case.", .waiting),
                [Block(links: [Link("Back to the account", path)])])
        }
        return PageContent(
            "Remove a note",
            [
                Block(facts: [
                    Fact("Account", .code(account.text)), Fact("Note", Cell(note.text, note: note.actor)),
                    Fact("Written", .time(visit.time(note.date).moment)),
                ]),
                Block(
                    text: "The audit trail keeps it, and that it was removed.",
                    form: .act(
                        "\(path)/notes/\(id.pathEncoded)/remove", csrf: visit.csrf, [AccountActPages.reason],
                        button: "Remove the note", isDangerous: true), links: [Link("Back without changes", path)]),
            ])
    }
}
