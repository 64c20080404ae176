import Foundation
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import ServerTestSupport
import StrictJSON
import TestSupport
import Testing

@testable import AdminPages
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// The alarms that only a server's process knows reach `quartermaster status` through the ledger, and only while they
/// are true.
@Suite struct ServerStateTests {
    /// The alarms as the command finds them.
    private func reported(_ ledger: any Ledger, at date: Date) async throws -> [Alarm.Kind: Alarm] {
        let overview = try await Overview(ledger, withServersAt: date)
        #expect(overview.alarms.map(\.kind) == Alarm.Kind.allCases)
        return Dictionary(uniqueKeysWithValues: overview.alarms.map { ($0.kind, $0) })
    }

    private func watch(_ world: World) async throws {
        await (try #require(world.assembly.services.compactMap { $0 as? OverviewWatch }.first)).runOnce()
    }

    /// Before, `status` said that all was well while a server refused its catalog, or had no answer from the store.
    @Test func `The alarms of a server reach the status command`() async throws {
        try await World.run { world in
            try await watch(world)
            let well = try await reported(world.ledger, at: world.clock.now)
            #expect(ServerState.kinds.allSatisfy { well[$0]?.level == .good }, "\(well)")
            let file = world.folder.appending(path: "products.json")
            try "{".write(to: file, atomically: true, encoding: .utf8)
            var seen = CatalogWatcher.Seen()
            let watcher = try #require(world.assembly.services.compactMap { $0 as? CatalogWatcher }.first)
            for _ in 1...3 { await watcher.lookAtCatalog(&seen) }
            _ = try await world.act("faults", ["http": 503])
            let player = try await world.newPlayer()
            for _ in 1...6 {
                let bought = try await world.buy("hardwords", "non-consumable")
                #expect(try await world.post(bought.appReceipt, as: player).status == 202)
            }
            world.clock.advance(by: 60)
            try await watch(world)
            let bad = try await reported(world.ledger, at: world.clock.now)
            let refused = try #require(bad[.catalogRefused])
            #expect(
                refused.level == .bad && refused.since == World.start && refused.detail.contains("at byte 1"),
                "\(refused)")
            #expect(bad[.storeOutage]?.level == .bad)
            #expect(bad[.storeOutage]?.detail == "No answer: verifyReceipt Production")
        }
    }

    /// A value that is not written again says nothing: neither that all is well nor that it is bad.
    @Test(arguments: [Alarm.Level.good, .bad])
    func `An old state of a server is shown as unknown`(level: Alarm.Level) async throws {
        let ledger = try SQLiteLedger.inMemory(handlers: [])
        #expect(try await reported(ledger, at: World.start)[.storeOutage]?.detail == "Unknown: no server wrote it.")
        try await ServerStates(ledger).write(state("a:1", level, at: World.start))
        let end = World.start + ServerState.maximumAge
        #expect(try await reported(ledger, at: end)[.storeOutage]?.level == level)
        for date in [end + 1, World.start - ServerState.maximumAge - 1] {
            let old = try await reported(ledger, at: date)
            for kind in ServerState.kinds {
                #expect(old[kind]?.level == .unknown && old[kind]?.since == World.start)
                #expect(old[kind]?.detail == "Unknown: no server wrote it since Wed 18 Nov 2026, 11:06 UTC.")
            }
        }
    }

    /// Servers tell of it while they run; several say it once. A server of an earlier version
    /// writes none.
    @Test func `What is still to set up reaches the status command`() async throws {
        let ledger = try SQLiteLedger.inMemory(handlers: [])
        let item = SetupItem(.noStoreKey, of: "com.example.hangman", "no key", mistake: "x", remedy: "Make one.")
        var told = Overview(date: World.start, alarms: [])
        told.setup = [item]
        for server in ["a:1", "b:1"] {
            try await ServerStates(ledger).write(ServerState(of: server, told, at: World.start))
        }
        let earlier = #"{"server": "c:1", "writtenAt": \#(World.start.milliseconds), "alarms": []}"#
        try await ledger.set(["servers/c:1": Data(earlier.utf8)])
        #expect(try await Overview(ledger, withServersAt: World.start).setup == [item])
        #expect(try await ServerStates(ledger).all().count == 3)
        let end = World.start + ServerState.maximumAge
        #expect(try await Overview(ledger, withServersAt: end + 1).setup == [])
        told.setup = (0..<1_000).map { SetupItem(.noStoreID, "\($0)", remedy: "x") }
        let many = ServerState(of: "a:1", told, at: World.start)
        #expect(many.setup?.count == ServerState.maximumItems)
    }

    /// One of several servers is bad: it is named, whichever wrote last.
    @Test(arguments: [-30.0, 30]) func `The worst state of several servers is shown`(later: Double) async throws {
        let ledger = try SQLiteLedger.inMemory(handlers: [])
        try await ServerStates(ledger).write(state("a:1", .good, at: World.start))
        try await ServerStates(ledger).write(state("b:1", .bad, at: World.start + later))
        let alarms = try await reported(ledger, at: World.start)
        #expect(alarms[.storeOutage]?.level == .bad && alarms[.storeOutage]?.detail == "x (b:1)")
        try await ServerStates(ledger).write(state("b:1", .good, at: World.start + later))
        #expect(try await reported(ledger, at: World.start)[.storeOutage]?.detail == "x")
    }

    /// Servers that have another name at each start leave nothing behind.
    @Test func `The states of servers that are gone are deleted`() async throws {
        let ledger = try SQLiteLedger.inMemory(handlers: [])
        let states = ServerStates(ledger)
        try await states.write(state("old:1", .good, at: World.start))
        try await states.write(state("new:1", .good, at: World.start + ServerStates.maximumSilence))
        #expect(try await states.all().map(\.server) == ["new:1", "old:1"])
        try await states.write(state("new:1", .good, at: World.start + ServerStates.maximumSilence + 1))
        #expect(try await states.all().map(\.server) == ["new:1"])
        try await ledger.set(["servers/strange": Data("[]".utf8)])
        for number in 0..<ServerStates.maximumServers + 5 {
            let date = World.start + ServerStates.maximumSilence + Double(number)
            try await states.write(state("s\(number):1", .good, at: date))
        }
        let left = try await ledger.values(withPrefix: "servers/").keys
        #expect(left.count == ServerStates.maximumServers && !left.contains("servers/strange"))
        #expect(left.contains("servers/s\(ServerStates.maximumServers + 4):1") && !left.contains("servers/new:1"))
    }

    /// A error that quotes a whole file makes no large value.
    @Test func `A long detail of a server's state is cut off`() async throws {
        let ledger = try SQLiteLedger.inMemory(handlers: [])
        try await ServerStates(ledger).write(
            state("a:1", .bad, at: World.start, detail: String(repeating: "x", count: 100_000)))
        #expect(try await reported(ledger, at: World.start)[.catalogRefused]?.detail.count == ServerState.maximumDetail)
    }

    private func state(_ server: String, _ level: Alarm.Level, at date: Date, detail: String = "x") -> ServerState {
        let alarms = ServerState.kinds.map { Alarm(kind: $0, level: level, count: 1, since: nil, detail: detail) }
        return ServerState(of: server, Overview(date: date, alarms: alarms), at: date)
    }
}
