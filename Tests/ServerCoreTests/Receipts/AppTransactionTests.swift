import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import AppStoreService
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// A signed app transaction that a player's app sends, as support sees it afterwards.
@Suite struct AppTransactionTests {
    private static let obtained = World.start - 86_400 * 400

    private static func payload(_ id: String?, version: String, installed: String? = nil) -> JSONValue {
        var members: [String: JSONValue] = [
            "receiptType": "Production", "appAppleId": .integer(World.appAppleID), "bundleId": .string(World.app),
            "originalPurchaseDate": .integer(obtained.milliseconds), "originalApplicationVersion": .string(version),
            "receiptCreationDate": .integer(World.start.milliseconds),
        ]
        members["appTransactionId"] = id.map { .string($0) }
        members["applicationVersion"] = installed.map { .string($0) }
        members["versionExternalIdentifier"] = installed.map { _ in 812_345_678 }
        return .object(members)
    }

    private static func reported(
        _ id: String?, version: String, installed: String? = nil, isFirst: Bool
    ) -> JSONValue {
        var members: [String: JSONValue] = [
            "app": .string(World.app), "environment": "Production", "originalAppVersion": .string(version),
            "originalPurchaseDate": .string(obtained.rfc3339), "signedDate": .string(World.start.rfc3339),
            "shownAt": .string(World.start.rfc3339), "isFirst": .bool(isFirst),
        ]
        members["id"] = id.map { .string($0) }
        members["appVersion"] = installed.map { .string($0) }
        members["versionExternalID"] = installed.map { _ in 812_345_678 }
        return .object(members)
    }

    @Test func `Support sees which app version a customer obtained first`() async throws {
        let authority = try SigningAuthority()
        let (dated, old) = (
            try authority.jws(Self.payload("704346128300001234", version: "2.1", installed: "3.0")),
            try authority.jws(Self.payload("", version: "1.0"))
        )
        try await World.run(roots: [authority.root]) { world in
            let admin = try await world.newAdmin(.read)
            for isFirst in [true, false] {
                let player = try await world.newPlayer()
                #expect(try await world.post(dated, as: player).json["status"] == "verified")
                #expect(try await world.post(old, as: player).json["status"] == "verified")
                let report = try await world.call(.get, "/admin/v1/accounts/\(player.account)", as: admin)
                #expect(
                    report.json["appTransactions"].array == [
                        Self.reported(nil, version: "1.0", isFirst: false),
                        Self.reported("704346128300001234", version: "2.1", installed: "3.0", isFirst: isFirst),
                    ])
                try await world.expectText(of: player, isFirst: isFirst)
            }
        }
    }
}

extension World {
    /// Expects the report for a terminal to have the line.
    fileprivate func expectText(of player: Player, isFirst: Bool) async throws {
        let account = try #require(AccountID(text: player.account))
        let report = try #require(
            try await ledger.accountReport(of: account, after: nil, limit: 9, in: assembly.store.decisions.context))
        let remark = isFirst ? "" : "shown by another account before"
        let line = [
            "appTransactions", "2026-11-18T11:06:40Z", "com.example.hangman", "Production", "2.1",
            "2025-10-14T11:06:40Z", remark, "704346128300001234",
        ].joined(separator: "\t")
        let text = AccountReportBody(report).text(for: TextOutput(isTerminal: false, hasColours: false))
        #expect(text.split(separator: "\n").contains(Substring(line)), "\(text)")
    }
}
