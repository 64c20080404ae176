import Foundation
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// Times are words on a terminal, and RFC 3339 in a pipe.
@Suite struct HumanTimeTests {
    private static let people = TextOutput(isTerminal: true, hasColours: false)
    private static let programs = TextOutput(isTerminal: false, hasColours: false)
    private static let words = "Wed 18 Nov 2026, 11:06 UTC"

    @Test(arguments: [(people, words), (programs, "2026-11-18T11:06:40.000Z")])
    func `The time of an act is words on a terminal and RFC 3339 in a pipe`(output: TextOutput, time: String) throws {
        let date = "2026-11-18T11:06:40.000Z"
        let json = #"{"account": "a", "blockedAt": "\#(date)", "list": [{"at": "\#(date)"}]}"#
        #expect(try SupportOptions.lines(json, for: output) == "account: a\nblockedAt: \(time)\nlist: at \(time)")
    }

    @Test(arguments: [(people, words), (programs, World.start.rfc3339)])
    func `The end of an open sandbox is words on a terminal and RFC 3339 in a pipe`(output: TextOutput, time: String)
        throws
    {
        let sandbox = #"{"everyoneUntil": "\#(World.start.rfc3339)"}"#
        let text = #"{"apps": [{"bundleID": "a", "sandbox": \#(sandbox), "products": []}]}"#
        let catalog = try CatalogFile.decode(Data(text.utf8), handlers: Server.standardHandlers)
        let table = AppsCommand.List.table(of: catalog, for: output)
        #expect(table.rows == [["a", "-", "0", "everyone until \(time)"]])
    }

    @Test(arguments: [(people, words), (programs, World.start.rfc3339)])
    func `The time of a silence is words on a terminal and RFC 3339 in a pipe`(output: TextOutput, time: String)
        async throws
    {
        let ledger = try SQLiteLedger.inMemory(handlers: [])
        let notification = AppStoreNotification(
            id: "n", type: "TEST", app: "a", environment: .production, signedDate: World.start, content: "n")
        _ = try await ledger.record(notification, in: RecordingContext(catalog: Catalog(apps: []), date: World.start))
        let body = try await NotificationListBody(ledger, after: nil, limit: 9, at: World.start + 2 * 86_400)
        #expect(body.remarks(for: output) == ["nothing has come since \(time)"])
    }

    /// An audit row, whose content is JSON for the next program.
    @Test(arguments: [
        (people, [words, "at \(words), reason ticket"]),
        (programs, [World.start.rfc3339, #"{"at":"2026-11-18T11:06:40Z","reason":"ticket"}"#]),
    ])
    func `The time of an audit row is words on a terminal and RFC 3339 in a pipe`(output: TextOutput, cells: [String])
        throws
    {
        let row = AuditRow(
            sequence: 3, date: World.start, kind: "account.blocked", actor: "admin:a", account: nil, subject: nil,
            content: #"{"at": "2026-11-18T11:06:40Z", "reason": "ticket"}"#, contentHash: Data())
        let body = AuditListBody(AuditRowPage(rows: [row], next: 3), limit: 2)
        #expect(try body.table(for: output).rows == [["3", cells[0], "account.blocked", "admin:a", "", "", cells[1]]])
        #expect(body.remarks == ["10000 rows were looked at; there may be more: --before 3"])
    }
}
