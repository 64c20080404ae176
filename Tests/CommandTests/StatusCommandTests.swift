import Foundation
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import ServerTestSupport
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

    @Test func `The status on a terminal is a table`() {
        let bad = Alarm(
            kind: .missingProducts, level: .bad, count: 3, since: World.start - 7_200, detail: "gone of hangman")
        let good = Alarm(kind: .neverFetched, level: .good, count: 0, since: nil, detail: "None for a day or longer.")
        #expect(
            StatusReport(overview(bad, good), serves).text(for: Self.people) == """
                One thing needs you.

                STATE  WHAT                              COUNT  SINCE        DETAIL
                good   The server                        -      -            serves, at http://127.0.0.1:8080
                bad    Paid for, and not in the catalog  3      2 hours ago  gone of hangman
                good   Paid for, and never asked for     0      -            None for a day or longer.

                Paid for, and not in the catalog: \(Alarm.Kind.missingProducts.remedy)
                """)
        #expect(StatusReport(overview(good), serves).text(for: Self.people).hasPrefix("All is well.\n"))
    }

    /// A timer's mail also has the sentence and the advice; a program reads the lines with tabs, or JSON.
    @Test func `The status in a mail has the advice`() {
        let bad = Alarm(kind: .receiptsWaiting, level: .bad, count: 101, since: World.start - 60, detail: "a\tb\nc")
        let unknown = Alarm(kind: .storeOutage, level: .unknown, count: 0, since: nil, detail: "Unknown.")
        let away = ServerAnswer(address: "http://127.0.0.1:1", trouble: "does not answer")
        #expect(
            StatusReport(overview(bad, unknown), away).text(for: Self.programs) == """
                2 things need you. One thing is not known.

                bad\tThe server\t-\t-\tdoes not answer, at http://127.0.0.1:1
                bad\tReceipts waiting for the store\tmore than 100\t\((World.start - 60).rfc3339)\ta b c
                unknown\tThe store\t0\t-\tUnknown.

                The server: start it, or look at its log.
                Receipts waiting for the store: \(Alarm.Kind.receiptsWaiting.remedy)
                The store: \(unknown.remedy ?? "")
                """)
        #expect(!StatusReport(overview(unknown), serves).isWell)
        #expect(StatusReport(overview(unknown), serves).text(for: Self.people).hasPrefix("One thing is not known.\n"))
    }

    @Test func `Colours do not change the columns of the status`() {
        let coloured = TextOutput(isTerminal: true, hasColours: true)
        let good = Alarm(kind: .neverFetched, level: .waiting, count: 0, since: nil, detail: "x")
        let plain = StatusReport(overview(good), serves).text(for: Self.people)
        let text = StatusReport(overview(good), serves).text(for: coloured)
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
        #expect(away.status == 1 && away.output.contains("\nbad\tThe server\t"), "\(away)")
        #expect(away.output.hasPrefix("One thing needs you. 8 things are not known.\n"), "\(away)")
        let json = try await Program.run("status", "--json", environment: nobody)
        #expect(json.status == 1 && json.json["well"] == false && json.json["server"]["ready"] == false, "\(json)")
        #expect(json.json["overview"]["well"] == false, "nobody tells of the store: \(json)")
        try "{".write(toFile: folder.path("products.json"), atomically: true, encoding: .utf8)
        let broken = try await Program.run("status", environment: nobody)
        #expect(broken.output.contains("bad\tThe catalog\t1\t-\tNo server starts with it: "), "\(broken)")
        #expect(broken.output.contains("products.json") && broken.output.contains("at byte 1"), "\(broken)")
        try await expectAllIsWell(in: folder, ledger, nobody: nobody)
    }

    /// A running server, and what it told of itself; before each command, since that is too old after three minutes.
    private func expectAllIsWell(in folder: LedgerFolder, _ ledger: SQLLedger, nobody: [String: String]) async throws {
        let well = Overview(
            date: Date(),
            alarms: ServerState.kinds.map { Alarm(kind: $0, level: .good, count: 0, since: nil, detail: "Well.") })
        let receive = { @Sendable in try await ServerStates(ledger).write(ServerState(of: "here:1", well, at: Date())) }
        try await World.run { world in
            try await receive()
            let well = ["QUARTERMASTER_DATABASE": folder.database, "QUARTERMASTER_PORT": "\(world.port ?? 0)"]
            let reported = try await Program.run("status", environment: well)
            #expect(reported.status == 0 && reported.output.contains("\ngood\tThe server\t-\t-\tserves"), "\(reported)")
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
