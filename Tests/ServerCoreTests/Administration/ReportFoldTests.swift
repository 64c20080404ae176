import Foundation
import InAppPurchase
import Ledger
import LedgerSQLite
import NIOCore
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// The numbers in reports are those that `scripts/reports/fold.py` computes from the rows of the same ledger, with
/// other code in another language.
@Suite struct ReportFoldTests {
    /// `make check-reports` has 20,000.
    static let histories =
        ProcessInfo.processInfo.environment["QUARTERMASTER_REPORT_HISTORIES"].flatMap { Int($0) } ?? 300

    @Test func `The numbers in reports are those of an independent program`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "qm-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "ledger.sqlite").path
        let ledger = try SQLiteLedger.open(path: file, handlers: Server.standardHandlers)
        try await Self.write(Self.histories, to: ledger)
        let queries = try Self.queries()
        let others = try await Self.fold(file, queries, in: folder)
        try #require(others.count == queries.count)
        var sums: [String: Int] = [:]
        for ((query, now), other) in zip(queries, others) {
            let body = ReportBody(try await ledger.report(query, at: now))
            let bytes = try JSONCoding.encode(body).readableBytesView
            let own = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
            let names = ["rows", "total", "notServed"]
            let rest = JSONValue.object(Dictionary(uniqueKeysWithValues: names.map { ($0, own[$0]) }))
            #expect(rest == other, "\(query)")
            guard case .object(let total) = own["total"] else { continue }
            for (name, value) in total { sums[name, default: 0] += Self.amount(value) > 0 ? 1 : 0 }
        }
        // Nothing is equal only because it is absent. Seats have tests of their own.
        let columns = Set(ReportKind.allCases.flatMap(\.columns).map(\.rawValue))
            .subtracting(["seatAdditions", "refundedSeats"])
        #expect(Set(sums.filter { $0.value > 3 }.keys) == columns, "\(sums)")
    }

    /// A number, or the number of names.
    private static func amount(_ value: JSONValue) -> Int {
        switch value {
        case .integer(let number): number
        case .object(let named): named.count
        default: 0
        }
    }

    private static func write(_ count: Int, to ledger: any Ledger) async throws {
        let catalog = try JSONDecoder().decode(
            Catalog.self, from: Data(ReportHistory.catalog.utf8), configuration: Server.standardHandlers)
        var generator = SeededGenerator(seed: 16)
        let histories = (0..<count).map { ReportHistory($0, using: &generator) }
        // Some at a time, which share commits.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (place, history) in histories.enumerated() {
                if place >= 32 { try await group.next() }
                group.addTask { try await history.write(to: ledger, catalog: catalog) }
            }
            try await group.waitForAll()
        }
    }

    /// For each kind and grouping: the longest time, a month with odd ends, and a day; all apps, one, or one that is
    /// not served; and the sandbox.
    private static func queries() throws -> [(ReportQuery, Date)] {
        let start = ReportHistory.start
        let times: [(Double, Double, now: Double)] = [
            (50, 450, 500), (50, 450, 300), (99.3, 130.7, 500), (200, 201, 210),
        ]
        let hangman = try JSONDecoder().decode(
            Catalog.self, from: Data(#"{"apps": [{"bundleID": "hangman", "products": []}]}"#.utf8),
            configuration: Server.standardHandlers)
        let scopes: [(InAppPurchase.Environment, BundleID?, Catalog?)] = [
            (.production, nil, nil), (.production, "chess", nil), (.sandbox, nil, nil), (.production, nil, hangman),
        ]
        return try ReportKind.allCases.flatMap { kind in
            try ReportGrouping.allCases.flatMap { grouping in
                try times.flatMap { from, to, now in
                    try scopes.map { environment, app, catalog in
                        let query = ReportQuery(
                            kind, by: grouping, from: start + from * 86_400, to: start + to * 86_400,
                            environment: environment, app: app, servedBy: catalog)
                        return (try #require(query), start + now * 86_400)
                    }
                }
            }
        }
    }

    private static func fold(_ ledger: String, _ queries: [(ReportQuery, Date)], in folder: URL) async throws
        -> [JSONValue]
    {
        let lines = queries.map { query, now in
            let app = query.app.map { "\"\($0)\"" } ?? "null"
            let served = query.served.map { "[" + $0.map { "\"\($0)\"" }.joined(separator: ", ") + "]" } ?? "null"
            return """
                {"report": "\(query.kind)", "by": "\(query.grouping.rawValue)", "environment": "\(query.environment)", \
                "app": \(app), "served": \(served), "from": "\(query.from.rfc3339)", "to": "\(query.to.rfc3339)", \
                "at": "\(now.rfc3339)"}
                """
        }
        let (input, output) = (folder.appending(path: "queries"), folder.appending(path: "answers"))
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: input)
        try Data().write(to: output)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-B", Project.folder("scripts/reports/fold.py"), ledger]
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = try FileHandle(forWritingTo: output)
        try process.run()
        try await onDedicatedThread { process.waitUntilExit() }
        #expect(process.terminationStatus == 0)
        let answers = try Data(contentsOf: output).split(separator: UInt8(ascii: "\n"))
        return try answers.map { try JSONDecoder().decode(JSONValue.self, from: Data($0)) }
    }
}
