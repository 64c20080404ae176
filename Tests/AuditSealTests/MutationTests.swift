import Foundation
import GRDB
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import AuditSeal
@testable import LedgerSQL
@testable import LedgerSQLite

/// One byte is changed somewhere, a thousand times: it is found each time, at the right place.
@Suite struct MutationTests {
    static let seeds = campaign(of: 10)
    static let trials = 50

    private static let columns = [
        "audit": ["sequence", "at", "kind", "actor", "account", "subject", "content", "contentHash"],
        "auditSeals": ["position", "sequence", "hash"],
        "auditCheckpoints": ["position", "hash", "at", "key", "signature"],
    ]

    @Test(arguments: seeds) func `A changed byte in a ledger's trail is found at its place`(seed: UInt64) async throws {
        let trail = try await SealedTrail.make(seed: seed)
        try await trail.unlock()
        #expect(try await trail.verify().sealed == SealedTrail.sealedRows)
        var generator = SeededGenerator(seed: seed &* 1_000)
        for _ in 0..<Self.trials {
            let table = Self.columns.keys.sorted().randomElement(using: &generator) ?? "audit"
            let index = Int.random(
                in: 0..<(table == "auditCheckpoints" ? 3 : SealedTrail.sealedRows), using: &generator)
            let column = Self.columns[table]?.randomElement(using: &generator) ?? "hash"
            let before = try await trail.row(table, index)
            let value = try #require(before[column])
            let changed = Self.change(value, using: &generator)
            let place = try #require(Int.fromDatabaseValue(before["place"] ?? .null))
            try await trail.write(changed, to: table, column, place)
            let fault = try await trail.fault()
            let after = try await trail.row(table, index)
            let expected = Self.places(in: table, before, after)
            #expect(fault.map { expected.contains($0.place) } ?? false, "\(table).\(column) \(index): \(fault as Any)")
            try await trail.write(value, to: table, column, place)
        }
        #expect(try await trail.fault() == nil)
    }

    @Test(arguments: seeds) func `A changed byte in an export is found`(seed: UInt64) async throws {
        let trail = try await SealedTrail.make(seed: seed)
        try await trail.seal(at: moment(9), isLast: true)
        let lines = try await trail.export()
        #expect(try verify(lines, trusting: nil).unsealed == 0)
        var generator = SeededGenerator(seed: seed &* 1_000)
        for trial in 0..<Self.trials {
            var bytes = Data(lines.joined(separator: [10]))
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            let number = bytes[..<index].count { $0 == 10 } + 1
            bytes[index] ^= UInt8.random(in: 1...255, using: &generator)
            let changed = bytes.split(separator: 10, omittingEmptySubsequences: false).map { Data($0) }
            let found = fault(changed, trusting: trial.isMultiple(of: 2) ? nil : [trail.key.verifying])
            let expected = Self.places(ofLine: number, in: lines, changed)
            #expect(found.map { expected.contains($0.place) } ?? false, "line \(number): \(found as Any)")
        }
    }

    /// Another value that differs in one byte; of nothing, something.
    private static func change(_ value: DatabaseValue, using generator: inout SeededGenerator) -> DatabaseValue {
        let mask = UInt8.random(in: 1...255, using: &generator)
        switch value.storage {
        case .int64(let number):
            return (number ^ Int64(mask) << (8 * Int64.random(in: 0..<8, using: &generator))).databaseValue
        case .blob(let data): return flipped(data, by: mask, using: &generator).databaseValue
        case .string(let text): return flipped(Data(text.utf8), by: mask, using: &generator).databaseValue
        default: return Data([mask]).databaseValue
        }
    }

    private static func flipped(_ data: Data, by mask: UInt8, using generator: inout SeededGenerator) -> Data {
        guard let index = data.indices.randomElement(using: &generator) else { return Data([mask]) }
        var data = data
        data[index] ^= mask
        return data
    }

    /// The places where a fault may be found that comes from this row.
    private static func places(
        in table: String, _ before: [String: DatabaseValue], _ after: [String: DatabaseValue]
    ) -> [TrailError.Place] {
        let numbers = { (column: String) in
            [before, after].compactMap { Int.fromDatabaseValue($0[column] ?? .null) }
        }
        switch table {
        // Rows were sealed in their order, so position and sequence are the same number.
        case "audit": return numbers("sequence").flatMap { [.row(sequence: $0), .position($0)] }
        case "auditSeals": return numbers("position").map { .position($0) }
        default: return numbers("position").map { .checkpoint(position: $0) }
        }
    }

    private static func places(ofLine number: Int, in lines: [Data], _ changed: [Data]) -> [TrailError.Place] {
        let versions = [lines, changed].compactMap { all in all.indices.contains(number - 1) ? all[number - 1] : nil }
        return [.line(number)]
            + versions.compactMap { try? ExportLine($0, number: number) }.flatMap { line -> [TrailError.Place] in
                switch line {
                case .row(let row, let seal):
                    [.row(sequence: row.sequence)] + (seal.map { [.position($0.position)] } ?? [])
                case .checkpoint(let checkpoint): [.checkpoint(position: checkpoint.position)]
                case .export, .key, .end: []
                }
            }
    }
}

extension SealedTrail {
    fileprivate func write(_ value: DatabaseValue, to table: String, _ column: String, _ place: Int) async throws {
        let isText = ["kind", "actor", "account", "subject", "content", "key"].contains(column)
        try await ledger.writer.writeWithoutTransaction { db in
            try db.execute(
                sql: "UPDATE \(table) SET \(column) = \(isText ? "CAST(? AS TEXT)" : "?") WHERE rowid = ?",
                arguments: [value, place])
        }
    }
}
