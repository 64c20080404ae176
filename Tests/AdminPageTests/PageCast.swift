import Basics
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import TestSupport
import Testing

@testable import AdminPages
@testable import ServerCore
@testable import ServerHTTP

/// Those who visit the pages, and what there is to look at and to act on.
struct PageCast {
    let subject: Player
    private let other: Player
    private let world: World
    private let visitors: [AdminPageAccessTests.Visitor: PageVisitor]
    /// The values for the places in paths.
    private let parts: [String: String]
    /// The original transactions of a purchase that was transferred, and of a subscription.
    private let (moved, subscription): (String, String)
    /// The ID of a session that nobody uses.
    private let session: String
    /// The drafts that are published and discarded.
    private static let drafts = ["1.1.0", "1.2.0"]

    /// A server with all pages and a content folder of its own.
    static func run(_ test: @escaping @Sendable (World, PageCast) async throws -> Void) async throws {
        let content = FileManager.default.temporaryDirectory.appending(path: "content-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: URL(filePath: Project.folder("content")), to: content)
        defer { try? FileManager.default.removeItem(at: content) }
        let environment = World.pagesOn.merging(["QUARTERMASTER_CONTENT": content.path]) { $1 }
        try await World.run(environment: environment, hasServerKey: true, hasSimulatorPages: true) { world in
            try await test(world, try await PageCast(world))
        }
    }

    private init(_ world: World) async throws {
        self.world = world
        try await world.setNotificationURL()
        (subject, other) = (try await world.newPlayer(), try await world.newPlayer())
        _ = try await world.newAdmin(.read, name: "reader")
        _ = try await world.newAdmin(.support, name: "supporter")
        let writer = try await world.newAdmin(.write, name: "writer")
        _ = try await world.newAdmin(.write, name: "appWriter", for: [BundleID(stored: World.app)])
        _ = try await world.newAdmin(.write, name: "otherAppWriter", for: ["com.example.chess"])
        let bought = try await Self.buy("hardwords", "non-consumable", subject, world)
        (moved, subscription) = try await Self.others(of: subject, other, writer, world)
        parts = [
            "{account}": subject.account, "{environment}": "Production", "{originalID}": bought, "{code}": "x",
            "{bundleID}": World.app, "{id}": "\(World.app).hardwords", "{number}": "1", "{name}": "hard-words",
            "{receipt}": try await Self.waitingReceipt(of: subject, world),
            "{grant}": try await Self.grant(to: subject, writer, world),
            "{note}": try await Self.writtenNote(on: subject, writer, world),
        ]
        let uploader = try await world.visitor(.write, name: "uploader")
        let secret = try #require(uploader.cookie)
        session = AccessToken.digest(of: secret).hex
        let csrf = SessionCookie.formToken(secret)
        for draft in Self.drafts {
            #expect(try await uploader.upload("/admin/new-version", Self.version(draft, csrf)).status == 303)
        }
        #expect(try await world.act("tester", .put, on: other, as: writer).status == 200)
        visitors = try await Self.strangers(to: world, subject)
    }

    // MARK: What there is

    /// A file of the version that pages about a version show.
    private static let words =
        (try? Data(contentsOf: URL(filePath: Project.folder("content/hard-words/1.0.0/words.txt"))))
        .map { World.sha256(String(decoding: $0, as: UTF8.self)) } ?? ""

    private static func buy(
        _ product: String, _ type: String, _ player: Player, _ world: World
    ) async throws -> String {
        let more: [String: JSONValue] = type == "auto-renewable" ? ["period": "P30D", "renews": true] : [:]
        let bought = try await world.buy(product, type, more)
        #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
        return bought.originalID
    }

    private static func others(
        of subject: Player, _ other: Player, _ admin: Player, _ world: World
    ) async throws -> (String, String) {
        let moved = try await buy("tenhints", "consumable", other, world)
        let transferred = try await world.call(
            .post, "/admin/v1/original-transactions/Production/\(moved)/transfer",
            ["to": .string(subject.account), "reason": "ticket 7"], as: admin)
        #expect(transferred.status == 200, "\(transferred)")
        let sandbox = try await world.buy("tenhints", "consumable", ["environment": "Sandbox"])
        #expect(try await world.post(sandbox.signedTransaction, as: subject).status == 200)
        return (moved, try await buy("club.monthly", "auto-renewable", subject, world))
    }

    private static func waitingReceipt(of player: Player, _ world: World) async throws -> String {
        let bought = try await world.buy("tenhints", "consumable")
        _ = try await world.act("faults", ["http": 503])
        let sent = try await world.post(bought.appReceipt, as: player)
        try await world.endFaults()
        return try #require(sent.json["receipt"].text)
    }

    private static func grant(to player: Player, _ admin: Player, _ world: World) async throws -> String {
        let product = JSONValue.string("\(World.app).hardwords")
        let given = try await world.act("grants", on: player, ["product": product], as: admin, key: "cast")
        return try #require(given.json["grant"].text, "\(given)")
    }

    private static func writtenNote(on player: Player, _ admin: Player, _ world: World) async throws -> String {
        let written = try await world.act("notes", on: player, ["text": "plays at night"], as: admin)
        return try #require(written.json["note"].text, "\(written)")
    }

    private static func version(_ version: String, _ csrf: String?) -> [UploadPart] {
        (csrf.map { [UploadPart("csrf", $0)] } ?? []) + [
            UploadPart("bundle", "hard-words"), UploadPart("version", version), UploadPart("channel", "beta"),
            UploadPart("files", "jazz\tMusic\r\n", file: "words.txt"),
        ]
    }

    // MARK: Who comes

    private static func strangers(
        to world: World, _ subject: Player
    ) async throws -> [AdminPageAccessTests.Visitor: PageVisitor] {
        var player = world.visitor
        player.cookie = subject.token
        let revoked = try await world.visitor(.write, name: "revoked")
        #expect(
            try await world.ledger.revokeAdminToken(named: "revoked", by: .command(user: "root"), at: world.clock.now))
        return [.nobody: world.visitor, .player: player, .revoked: revoked]
    }

    /// Administrators come with a new session each time, since one of the forms ends it.
    func visitor(_ caller: AdminPageAccessTests.Visitor) async throws -> PageVisitor {
        if let visitor = visitors[caller] { return visitor }
        let token = try #require(try await world.ledger.adminToken(named: "\(caller)"))
        let sessions = AdminSessions(ledger: world.ledger, random: systemRandomBytes)
        var visitor = world.visitor
        visitor.cookie = try await sessions.open(token, from: nil, at: world.clock.now)
        return visitor
    }

    // MARK: What they ask for

    /// The route's path with existing things in its places, in the state that an act needs.
    func path(_ route: String) -> String {
        let isOfDraft = route.hasSuffix("/publish") || route.hasSuffix("/promote")
        var parts = parts
        parts["{version}"] = isOfDraft ? Self.drafts[0] : route.hasSuffix("/discard") ? Self.drafts[1] : "1.0.0"
        if route.hasSuffix("/transfer/undo") { parts["{originalID}"] = moved }
        if route.hasSuffix("/extend") {
            parts["{originalID}"] = subscription
            parts["{id}"] = "\(World.app).club.monthly"
        }
        return parts.reduce(route) { $0.replacing($1.key, with: $1.value) }
    }

    /// The query by which a page shows what it is about.
    func query(_ route: String) -> String {
        if route.hasPrefix("/admin/purchases/") { return "?bundleID=\(World.app)" }
        if route.hasSuffix("/file") { return "?sha256=\(Self.words)" }
        return route.hasSuffix("/test-notification") ? "?app=\(World.app)&environment=Sandbox" : ""
    }

    /// Sends an act's form, filled in so that it is carried out.
    func send(
        _ act: String, as visitor: PageVisitor, csrf: String?, _ site: String? = "same-origin", _ origin: String? = nil
    ) async throws -> Answer {
        guard act != "/admin/new-version" else {
            return try await visitor.upload(act, Self.version("1.3.0", csrf), site: site)
        }
        if act == "/admin/gifts" {
            let values = (csrf.map { [("csrf", $0)] } ?? []) + values(act) + [("accounts", other.account)]
            return try await visitor.upload(act, values.map { UploadPart($0.0, $0.1) }, site: site)
        }
        var fields = PageVisitor.fields(site, cookie: visitor.cookie)
        fields[.origin] = origin
        return try await visitor.post(path(act), (csrf.map { [("csrf", $0)] } ?? []) + values(act), fields)
    }

    /// The fields of all acts together.
    private func values(_ act: String) -> [(String, String)] {
        let product = act.hasSuffix("/grant") ? "\(World.app)/Production/\(World.app).ioswords" : ""
        return [
            ("reason", "ticket 7"), ("bundleID", World.app), ("app", World.app), ("environment", "Sandbox"),
            ("to", other.account), ("balance", "\(World.app)/Production/hints"), ("amount", "5"), ("days", "7"),
            ("key", "forged"), ("product", product), ("until", ""), ("session", session),
            ("externalID", "4711"), ("text", "called"), ("list", "[\"\(other.account)\"]"),
        ]
    }
}
