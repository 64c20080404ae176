import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import LedgerPostgres
import PostgresSupport
import ServerTestSupport
import Testing

@testable import AdminPages
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// A subscription that one account has presented, presented by another: every kind of receipt, judged by everybody who
/// can judge it, of every age, whomever its token names.
@Suite(.serialized) struct TransferTableTests {
    enum Judge: CaseIterable { case local, verifyReceipt, serverAPI }
    /// Compared with what the owner has presented.
    enum Age: CaseIterable { case older, same, newer }
    enum Token: CaseIterable { case other, own, erased, none }

    struct Way: Sendable, CustomTestStringConvertible {
        var kind: Receipt.Kind
        var judge: Judge

        var testDescription: String { "\(kind) by \(judge)" }
    }

    static let ways = [
        Way(kind: .signedTransaction, judge: .local), Way(kind: .signedTransaction, judge: .serverAPI),
        Way(kind: .appReceipt, judge: .local), Way(kind: .appReceipt, judge: .verifyReceipt),
        Way(kind: .appReceipt, judge: .serverAPI), Way(kind: .transactionReceipt, judge: .verifyReceipt),
        Way(kind: .transactionID, judge: .serverAPI),
    ]

    struct Row {
        var kind: Receipt.Kind
        var age: Age
        /// The very period that the owner presented; otherwise the next, which is new here.
        var isKnown: Bool
        var token: Token
        var namesDevice: Bool
        var mayTransfer: Bool

        var hasDate: Bool { kind == .signedTransaction || kind == .appReceipt }

        /// The remedy that the app is told; nil if the purchase is then the account's.
        var remedy: String? {
            if token == .own { return nil }
            guard hasDate, age == .newer else { return "freshReceipt" }
            if token == .other, !namesDevice {
                return kind == .appReceipt ? "deviceIdentifier" : "deviceVerificationID"
            }
            return mayTransfer ? nil : "transfer"
        }
    }

    static func rows(_ kind: Receipt.Kind) -> [Row] {
        // Without dates in the bytes, all have the same age.
        let ages = kind == .signedTransaction || kind == .appReceipt ? Age.allCases : [.same]
        let all = ages.flatMap { age in
            [true, false].flatMap { isKnown in
                Token.allCases.flatMap { token in
                    [true, false].map { mayTransfer in
                        Row(
                            kind: kind, age: age, isKnown: isKnown, token: token, namesDevice: true,
                            mayTransfer: mayTransfer)
                    }
                }
            }
        }
        let withoutDevice = all.filter { $0.token == .other && $0.age == .newer }.map { row in
            var row = row
            row.namesDevice = false
            return row
        }
        return all + withoutDevice
    }

    @Test(arguments: ways.map { ($0, false) } + [(ways[1], true), (ways[3], true)])
    func `A subscription is transferred as the table says`(way: Way, isOnPostgres: Bool) async throws {
        let ledger =
            try isOnPostgres
            ? PostgresLedger.open(
                url: PostgresServer.shared.get().newLedger(), handlers: Server.standardHandlers, limits: .patient) : nil
        let appReceipts = way.judge == .verifyReceipt ? "verifyReceipt" : "local"
        try await World.run(
            ledger: ledger, environment: ["QUARTERMASTER_APP_RECEIPTS": appReceipts],
            hasServerKey: way.judge == .serverAPI
        ) { world in
            for row in Self.rows(way.kind) { try await Self.play(row, in: world) }
            _ = try await world.ledger.checkAccounts(at: world.clock.now) { Issue.record("\($0)") }
        }
    }

    private static func play(_ row: Row, in world: World) async throws {
        let (owner, other) = (try await world.newPlayer(), try await world.newPlayer())
        let (customer, device) = (UUID().uuidString, UUID())
        var order: [String: JSONValue] = ["customer": .string(customer)]
        switch row.token {
        case .other: order["appAccountToken"] = .string(owner.account)
        case .own: order["appAccountToken"] = .string(other.account)
        case .erased: order["appAccountToken"] = .string(UUID().uuidString)
        case .none: break
        }
        let bought = try await world.buy("club.monthly", "auto-renewable", order)
        world.clock.advance(by: 10)
        var shown = bought.transactionID
        if !row.isKnown {
            let renewed = try await world.act("subscriptions/\(bought.originalID)/renew")
            shown = try #require(renewed["transactionID"].text)
        }
        func bytes() async throws -> String {
            switch row.kind {
            case .signedTransaction: try #require(try await world.transactions(of: customer, for: device).first)
            case .appReceipt: try await world.appReceipt(of: customer, for: device)
            case .transactionReceipt: bought.transactionReceipt
            case .transactionID: shown
            }
        }
        world.clock.advance(by: 10)
        let older = try await bytes()
        world.clock.advance(by: 10)
        let same = try await bytes()
        let own = row.isKnown && row.kind == .signedTransaction ? same : try await world.signAgain(bought.transactionID)
        #expect(try await world.send(own, as: owner).status == (row.token == .own ? 409 : 200))
        world.clock.advance(by: 2 * 86_400)
        let sent = row.age == .older ? older : row.age == .same ? same : try await bytes()
        let answer = try await world.send(
            sent, as: other, from: row.namesDevice ? device : nil, mayTransfer: row.mayTransfer)
        #expect(answer.json["remedy"].text == row.remedy, "\(row)\n\(answer)")
        #expect(answer.status == (row.remedy == nil ? 200 : 409), "\(row)\n\(answer)")
        let access = try await world.entitlement(to: "club.monthly", of: owner)
        let isOwners = row.remedy != nil
        #expect(access["access"].text == (isOwners ? "granted" : row.token == .own ? nil : "denied"), "\(row)")
        if !isOwners, row.token != .own { #expect(access["reason"] == "transferred") }
        let theirs = try await world.entitlement(to: "club.monthly", of: other)
        #expect((theirs["access"] == "granted") == !isOwners, "\(row)")
    }
}
