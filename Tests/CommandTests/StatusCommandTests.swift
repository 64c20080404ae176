import Foundation
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import ServerTestSupport
import TestSupport
import Testing

@testable import AdminPages
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// `quartermaster status`, as people and as programs read it.
@Suite struct StatusCommandTests {
    private static let people = TextOutput(isTerminal: true, hasColours: false)
    private static let programs = TextOutput(isTerminal: false, hasColours: false)

    private func overview(_ alarms: Alarm...) -> Overview {
        Overview(date: World.start, alarms: alarms, newestNotification: nil)
    }

    private let serves = ServerAnswer(address: "http://127.0.0.1:8080", trouble: nil)
    private let starts = StartCheck(user: "alice", error: nil)

    /// Each number says of what.
    @Test func `The status on a terminal is a table, the bad lines first`() {
        let bad = Alarm(
            kind: .missingProducts, level: .bad, count: 3, since: World.start - 7_200, detail: "gone of hangman")
        let good = Alarm(kind: .neverFetched, level: .good, count: 0, since: nil, detail: "None for a day or longer.")
        let waits = Alarm(kind: .unconfirmedDeliveries, level: .waiting, count: 1, since: nil, detail: "words 1.0.0")
        #expect(
            StatusReport(overview(good, waits, bad), serves, starts).text(for: Self.people) == """
                One thing needs you.

                STATE    WHAT                          COUNT        SINCE        DETAIL
                bad      Bought, and not given         3 purchases  2 hours ago  gone of hangman
                waiting  Downloads not confirmed       1 download   -            words 1.0.0
                good     The server                    -            -            serves, at http://127.0.0.1:8080
                good     The next start                -            -            a server would start as alice
                good     Bought, and never downloaded  -            -            None for a day or longer.

                Bought, and not given: \(Alarm.Kind.missingProducts.remedy)
                """)
        #expect(StatusReport(overview(good), serves, starts).text(for: Self.people).hasPrefix("All is well.\n"))
    }

    /// A timer's mail is read by people, too; a program reads JSON.
    @Test func `The status in a mail is the same table, with times in full`() {
        let bad = Alarm(kind: .receiptsWaiting, level: .bad, count: 101, since: World.start - 60, detail: "a\tb\nc")
        let unknown = Alarm(kind: .storeOutage, level: .unknown, count: 0, since: nil, detail: "Unknown.")
        let away = ServerAnswer(address: "http://127.0.0.1:1", trouble: "does not answer")
        let fails = StartCheck(user: "alice", error: "products.json: at byte 1")
        let since = (World.start - 60).rfc3339
        let blank = String(repeating: " ", count: since.count - 1)
        let mail = StatusReport(overview(unknown, bad), away, fails).text(for: Self.programs)
        #expect(
            mail == """
                3 things need you. One thing is not known.

                STATE    WHAT                                COUNT                   SINCE\(blank.dropFirst(4))  DETAIL
                bad      The server                          -                       -\(blank)  does not answer, at \
                http://127.0.0.1:1
                bad      The next start                      -                       -\(blank)  no server starts as \
                alice: products.json: at byte 1
                bad      Receipts waiting for the App Store  more than 100 receipts  \(since)  a b c
                unknown  App Store                           -                       -\(blank)  Unknown.

                The server: start it, or look at its log.
                The next start: correct this before the server is stopped or updated.
                Receipts waiting for the App Store: \(Alarm.Kind.receiptsWaiting.remedy)
                App Store: \(unknown.remedy ?? "")
                """, "\(mail)")
        #expect(!StatusReport(overview(unknown), serves, starts).isWell)
        #expect(!StatusReport(overview(), serves, fails).isWell && StatusReport(overview(), serves, starts).isWell)
        let text = StatusReport(overview(unknown), serves, starts).text(for: Self.people)
        #expect(text.hasPrefix("One thing is not known.\n"))
    }

    /// They cost nobody anything yet, and so change no exit status.
    @Test func `The status ends with what is still to set up`() {
        var overview = overview()
        overview.setup = [
            SetupItem(.simulator, "simulated", remedy: "Remove it."),
            SetupItem(.unknownApp, of: "com.example.go", "unknown", mistake: "apps\u{1B}", remedy: "Add it."),
        ]
        let report = StatusReport(overview, serves, starts)
        let end = """


            Still to set up:
            - simulated. Remove it.
            - com.example.go: unknown: apps\u{FFFD}. Add it.
            """
        #expect(report.isWell && report.text(for: Self.people).hasSuffix(end), "\(report.text(for: Self.people))")
        #expect(!StatusReport(self.overview(), serves, starts).text(for: Self.people).contains("set up"))
    }

    @Test func `Colours do not change the columns of the status`() {
        let coloured = TextOutput(isTerminal: true, hasColours: true)
        let good = Alarm(kind: .neverFetched, level: .waiting, count: 0, since: nil, detail: "x")
        let plain = StatusReport(overview(good), serves, starts).text(for: Self.people)
        let text = StatusReport(overview(good), serves, starts).text(for: coloured)
        #expect(text != plain && text.replacing(/\u{1B}\[\d+m/, with: "") == plain)
    }

    @Test(arguments: [([:], true), (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true), (["TERM": "dumb"], false)])
    func `Colours are for terminals that want them`(environment: [String: String], has: Bool) {
        #expect(TextOutput.standard(environment, isTerminal: true).hasColours == has)
        #expect(!TextOutput.standard(environment, isTerminal: false).hasColours)
    }

    /// The program: its exit status tells a timer whether to mail what it prints.
    @Test(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
    func `The exit status says whether all is well`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        let ledger = try SQLiteLedger.open(path: folder.database, handlers: Server.standardHandlers)
        let catalog = [
            "QUARTERMASTER_PRODUCTS": folder.path("products.json"), "QUARTERMASTER_CONTENT": folder.path("none"),
        ]
        try FileManager.default.createDirectory(atPath: folder.path("none"), withIntermediateDirectories: true)
        try #"{"apps": []}"#.write(toFile: folder.path("products.json"), atomically: true, encoding: .utf8)
        let nobody = ["QUARTERMASTER_DATABASE": folder.database, "QUARTERMASTER_PORT": "1"].merging(catalog) { $1 }
        let away = try await Program.run("status", environment: nobody)
        #expect(away.status == 1 && away.output.contains("\nbad      The server   "), "\(away)")
        let unknown = "\(ServerState.kinds.count) things are not known."
        #expect(away.output.hasPrefix("One thing needs you. \(unknown)\n"), "\(away)")
        let json = try await Program.run("status", "--json", environment: nobody)
        #expect(json.status == 1 && json.json["well"] == false && json.json["server"]["ready"] == false, "\(json)")
        #expect(json.json["overview"]["well"] == false, "nobody tells of the store: \(json)")
        #expect(json.json["start"]["possible"] == true && json.json["start"]["error"] == .null, "\(json)")
        try "{".write(toFile: folder.path("products.json"), atomically: true, encoding: .utf8)
        let broken = try await Program.run("status", "--json", environment: nobody)
        let error = broken.json["start"]["error"].text ?? ""
        #expect(broken.json["start"]["possible"] == false && error.contains("at byte 1"), "\(broken)")
        #expect(error.hasPrefix(folder.path("products.json")), "\(broken)")
        try await expectTheNextStartFails(in: folder, ledger, nobody: nobody)
        try #"{"apps": []}"#.write(toFile: folder.path("products.json"), atomically: true, encoding: .utf8)
        try await expectAllIsWell(in: folder, ledger, nobody: nobody)
    }

    /// Before, a server that runs and serves hid what keeps the next one from starting.
    private func expectTheNextStartFails(
        in folder: LedgerFolder, _ ledger: SQLLedger, nobody: [String: String]
    ) async throws {
        try await World.run { world in
            try await ServerStates(ledger).write(ServerState(of: "here:1", Self.well, at: Date()))
            let runs = nobody.merging(["QUARTERMASTER_PORT": "\(world.port ?? 0)"]) { $1 }
            let broken = try await Program.run("status", "--quiet", environment: runs)
            #expect(broken.status == 1 && broken.output.hasPrefix("One thing needs you.\n"), "\(broken)")
            #expect(broken.output.contains("\nbad    The next start "), "\(broken)")
            #expect(broken.output.contains("no server starts as \(LocalUser.current.name): "), "\(broken)")
            try #"{"apps": []}"#.write(toFile: folder.path("products.json"), atomically: true, encoding: .utf8)
            let more = [
                "QUARTERMASTER_CONTENT": folder.path("away"),
                "QUARTERMASTER_ROOT_CERTIFICATES": folder.path("away.cer"),
                "QUARTERMASTER_TLS_CERTIFICATE": folder.path("away.pem"),
                "QUARTERMASTER_CHECKPOINTS": folder.path("away/checkpoints.jsonl"),
            ]
            for (name, path) in more {
                var variables = runs.merging([name: path]) { $1 }
                if name.contains("TLS") { variables["QUARTERMASTER_TLS_PRIVATE_KEY"] = path }
                let refused = try await Program.run("status", "--json", environment: variables)
                #expect(refused.json["start"]["error"].text?.contains(path) == true, "\(name): \(refused)")
            }
            #expect(try folder.names.filter { $0.hasPrefix("away") } == [], "nothing is created")
        }
    }

    /// Root reads everything; the server's user does not.
    @Test(.enabled(if: ServerProcess.isBuilt && geteuid() == 0, "The program is not built, or this is not root."))
    func `As root the status reads as the user that the ledger belongs to`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        try SQLiteLedger.open(path: folder.database, handlers: Server.standardHandlers).close()
        try #"{"apps": []}"#.write(toFile: folder.path("products.json"), atomically: true, encoding: .utf8)
        try FileManager.default.createDirectory(atPath: folder.path("content"), withIntermediateDirectories: true)
        let names = try folder.names
        for name in names + [""] { chown(folder.path(name), 54_321, 54_321) }
        let variables = [
            "QUARTERMASTER_DATABASE": folder.database, "QUARTERMASTER_PORT": "1",
            "QUARTERMASTER_PRODUCTS": folder.path("products.json"), "QUARTERMASTER_CONTENT": folder.path("content"),
        ]
        let readable = try await Program.run("status", "--json", environment: variables)
        #expect(readable.json["start"] == ["possible": true, "user": "user 54321"], "\(readable)")
        // As a command of root's with umask 077 leaves it.
        chown(folder.path("products.json"), 0, 0)
        chmod(folder.path("products.json"), 0o600)
        let hidden = try await Program.run("status", "--json", environment: variables)
        let words = "belongs to root (mode 0600), and this command runs as user 54321"
        #expect(hidden.json["start"]["error"].text?.contains(words) == true, "\(hidden)")
    }

    private static var well: Overview {
        Overview(
            date: Date(),
            alarms: ServerState.kinds.map { Alarm(kind: $0, level: .good, count: 0, since: nil, detail: "Well.") })
    }

    /// A running server, and what it told of itself; before each command, since that is too old after three minutes.
    private func expectAllIsWell(in folder: LedgerFolder, _ ledger: SQLLedger, nobody: [String: String]) async throws {
        let receive = { @Sendable in
            try await ServerStates(ledger).write(ServerState(of: "here:1", Self.well, at: Date()))
        }
        try await World.run { world in
            try await receive()
            let well = nobody.merging(["QUARTERMASTER_PORT": "\(world.port ?? 0)"]) { $1 }
            let reported = try await Program.run("status", environment: well)
            #expect(reported.status == 0 && reported.output.contains("  serves, at http"), "\(reported)")
            #expect(reported.output.hasPrefix("All is well.\n"), "\(reported)")
            try await receive()
            let named = try await Program.run(
                "status", "--server", "http://localhost:\(world.port ?? 0)", environment: nobody)
            #expect(named.status == 0, "\(named)")
            try await receive()
            let quiet = try await Program.run("status", "--quiet", environment: well)
            #expect(quiet.status == 0 && quiet.output.isEmpty && quiet.error.isEmpty, "\(quiet)")
        }
    }
}
