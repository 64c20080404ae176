import Crypto
import Foundation
import GRDB
import HTTPTypes
import InAppPurchase
import Ledger
import LedgerPostgres
import LedgerSQLite
import PostgresSupport
import ServerTestSupport
import Testing

@testable import AdminPages
@testable import CommandLine
@testable import LedgerSQL
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// Ledgers made by earlier releases are read as those releases read them, in SQLite and after being copied to
/// PostgreSQL.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."), .serialized)
struct ReleasedLedgerTests {
    enum Database: CaseIterable { case sqlite, postgres }

    // MARK: Rows

    /// A change that a migration makes on purpose: a table, and why.
    static let changedTables = [
        "grdb_migrations": "names the migrations that ran",
        "reportDays": "days are due again, for their sums by version",
    ]

    @Test(arguments: ReleasedLedger.all)
    func `Migrations change no row of a released ledger`(release: ReleasedLedger) async throws {
        try await withFolder { folder in
            let (old, new) = (try release.write(to: folder, as: "old"), try release.write(to: folder))
            let ledger = try SQLiteLedger.open(path: new, handlers: Server.standardHandlers)
            try ledger.close()
            var configuration = Configuration()
            configuration.readonly = true
            let released = try DatabaseQueue(path: old, configuration: configuration)
            let migrated = try DatabaseQueue(path: new, configuration: configuration)
            let names = try await released.read { try $0.tables }
            for table in names where Self.changedTables[table] == nil {
                let columns = try await released.read { try $0.columns(in: table).map(\.name) }
                let query = "SELECT \(columns.joined(separator: ", ")) FROM \(table)"
                let before = try await released.read { try Row.fetchAll($0, sql: query).map(\.text).sorted() }
                let after = try await migrated.read { try Row.fetchAll($0, sql: query).map(\.text).sorted() }
                #expect(before.count == after.count, "\(table)")
                for (before, after) in zip(before, after) where before != after {
                    Issue.record("\(table): \(before) became \(after)")
                }
            }
            let record = try release.record()
            let tables = record.kinds.keys.filter { $0.hasPrefix("table ") }.map { String($0.dropFirst(6)) }
            #expect(names == tables.sorted() && record.kinds.values.allSatisfy { $0 > 0 })
        }
    }

    // MARK: Commands

    @Test(arguments: ReleasedLedger.all, Database.allCases)
    func `The audit trail and accounts of a released ledger verify`(release: ReleasedLedger, database: Database)
        async throws
    {
        try await withFolder { folder in
            let (record, place) = (try release.record(), try await Self.place(of: release, database, in: folder))
            let trail = try await Program.run("audit", "verify", "--database", place)
            #expect(trail.status == 0 && trail.output == record.verify, "\(trail)")
            let check = try await Program.run("ledger", "rebuild", "--check", "--database", place)
            #expect(check.status == 0 && check.output == record.check, "\(check)")
            let file = folder.appending(path: "trail.jsonl")
            let export = try await Program.run("audit", "export", "--database", place, "--output", file.path)
            #expect(export.status == 0, "\(export)")
            let lines = try Data(contentsOf: file)
            let digest = SHA256.hash(data: lines).map { String(format: "%02x", $0) }.joined()
            let rows = lines.count { $0 == UInt8(ascii: "\n") }
            #expect(ReleasedLedger.Export(sha256: digest, rows: rows) == record.export)
        }
    }

    // MARK: Answers

    @Test(arguments: ReleasedLedger.all, Database.allCases)
    func `A released ledger is answered as by its release`(release: ReleasedLedger, database: Database) async throws {
        try await withFolder { folder in
            let (record, place) = (try release.record(), try await Self.place(of: release, database, in: folder))
            let ledger = try LedgerOpener.open(place, handlers: Server.standardHandlers)
            let (content, xcode) = (folder.appending(path: "content"), folder.appending(path: "xcode.der"))
            try record.writeContent(to: content)
            try record.xcode.write(to: xcode)
            let settings = [
                "QUARTERMASTER_CONTENT": content.path, "QUARTERMASTER_CATALOG": "database",
                "QUARTERMASTER_PROVISIONAL_HOURS": "24",
                "QUARTERMASTER_APPS_COM_EXAMPLE_HANGMAN_XCODE_CERTIFICATES": xcode.path,
            ]
            let start = try #require(record.exchanges.first.flatMap { Date(rfc3339: $0.at) })
            try await World.run(products: record.products, ledger: ledger, environment: settings, at: start) { world in
                for exchange in record.exchanges {
                    let time = try #require(Date(rfc3339: exchange.at))
                    world.clock.advance(by: time.timeIntervalSince(world.clock.now))
                    let player = exchange.token.map { Player(account: "", token: $0, recoveryCode: "") }
                    let answer = try await world.call(.get, exchange.path, as: player)
                    #expect(answer.status == exchange.status, "\(exchange.path): \(answer)")
                    Self.compare(answer.json, exchange, keepers: record.keepers)
                }
            }
        }
    }

    /// The members of answers that differ on purpose, and why.
    static let changedMembers = [
        "at": "whole seconds, since the decoders that apps use refuse fractions",
        "until": "the same, rounded up as the end of a time",
        "fresh": "signed for the time of the answer",
        "signed":
            "new in entitlements; a manifest may be signed by an earlier key, as a new one is announced for longer",
        "signsFrom": "new",
        "reason": "`expired` instead of `transferred` once a former owner's own periods are over",
        "remedy": "new: what the app can do",
        "finish": "false in the answer to a rejected receipt",
        "purchasedAt": "new", "ownershipType": "new", "basis": "new", "subscription": "new", "runs": "new",
        "group": "new", "level": "new", "renewal": "new", "contents": "new", "size": "new", "publishedAt": "new",
        "appTransactions": "new", "unclaimed": "new", "grants": "new", "refunds": "new",
        "notes": "new", "contested": "new",
        "app": "new in deliveries: that of the purchase", "transaction": "new in deliveries: what paid for it",
    ]

    /// An account that keeps versions of a subscription that ended also has the one that was the newest when it began.
    private static func compare(
        _ now: JSONValue, _ exchange: ReleasedLedger.Exchange, keepers: ReleasedLedger.Keepers
    ) {
        let (path, then) = (exchange.path, exchange.body)
        if path.hasPrefix("/v1/bundles"), let token = exchange.token, keepers.tokens.contains(token) {
            #expect(versions(in: now).isSuperset(of: versions(in: then)), "\(path)")
        } else if path.hasPrefix("/admin/v1/deliveries?unconfirmed=true") {
            // What nobody paid for is no longer waited for.
            let known = Set(keepers.without(then).array)
            let listed = keepers.without(now).array.map(withoutPayment)
            #expect(!listed.isEmpty && known.isSuperset(of: listed), "\(path)")
        } else if path.hasPrefix("/admin/v1/deliveries") {
            report(differences(keepers.without(now), keepers.without(then)), path)
        } else {
            report(differences(now, then), path)
        }
    }

    /// A delivery without the members that say what paid for it.
    private static func withoutPayment(_ delivery: JSONValue) -> JSONValue {
        guard case .object(var members) = delivery else { return delivery }
        (members["app"], members["transaction"]) = (nil, nil)
        return .object(members)
    }

    private static func report(_ differences: [String], _ path: String) {
        for difference in differences { Issue.record("\(path): \(difference)") }
    }

    /// The versions that a list of bundles or a manifest offers.
    private static func versions(in answer: JSONValue) -> Set<JSONValue> {
        let own = Set([answer["version"]] + answer["previousVersions"].array).subtracting([.null])
        return answer["bundles"].array.reduce(own) { all, bundle in
            all.union(bundle["versions"].array.map { [bundle["bundle"], $0] })
        }
    }

    /// The differences of two answers, member by member.
    private static func differences(_ now: JSONValue, _ then: JSONValue, at place: String = "") -> [String] {
        switch (now, then) {
        case (.object(let new), .object(let old)):
            return Set(new.keys).union(old.keys).sorted().flatMap { name in
                let (now, then) = (new[name] ?? .null, old[name] ?? .null)
                return isChangedOnPurpose(name, now, then) ? [] : differences(now, then, at: "\(place).\(name)")
            }
        case (.array(let new), .array(let old)) where new.count == old.count:
            return zip(new, old).enumerated().flatMap { differences($1.0, $1.1, at: "\(place)[\($0)]") }
        default: return now == then ? [] : ["\(place) was \(then), is \(now)"]
        }
    }

    private static func isChangedOnPurpose(_ member: String, _ now: JSONValue, _ then: JSONValue) -> Bool {
        guard changedMembers[member] != nil else { return false }
        switch member {
        case "fresh": return claims(of: now) == claims(of: then)
        case "signed": return then == .null || claims(of: now) == claims(of: then)
        case "at", "until":
            let dates = [now, then].map { $0.text.flatMap { Date(rfc3339: $0) }?.timeIntervalSince1970 }
            guard let now = dates[0], let then = dates[1] else { return false }
            return now == then.rounded(member == "until" ? .up : .down)
        case "reason": return then == .string("transferred") && now == .string("expired")
        case "finish": return then == .bool(true) && now == .bool(false)
        default: return then == .null
        }
    }

    /// The content of a signed text, except for the times.
    private static func claims(of signed: JSONValue) -> JSONValue? {
        guard let part = signed.text?.split(separator: ".").dropFirst().first, let data = data(ofBase64URL: part),
            case .object(var claims)? = try? JSONDecoder().decode(JSONValue.self, from: data)
        else { return nil }
        (claims["at"], claims["expires"]) = (nil, nil)
        return .object(claims)
    }

    private static func data(ofBase64URL text: Substring) -> Data? {
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4))
    }

    /// The SQLite file, or the URL of a database to which it is copied.
    private static func place(of release: ReleasedLedger, _ database: Database, in folder: URL) async throws -> String {
        let file = try release.write(to: folder)
        guard database == .postgres else { return file }
        try SQLiteLedger.open(path: file, handlers: Server.standardHandlers).close()
        let server = try PostgresServer.shared.get()
        let url = server.url(try server.newDatabase())
        let copy = try await Program.run("ledger", "copy", "--from", file, "--to", url)
        #expect(copy.status == 0, "\(copy)")
        return url
    }
}

extension GRDB.Database {
    fileprivate var tables: [String] {
        get throws {
            try String.fetchAll(
                self,
                sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
        }
    }
}

extension Row {
    fileprivate var text: String { databaseValues.map(\.description).joined(separator: " | ") }
}
