import ArgumentParser
import Basics
import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// The app and the environment of an act.
struct SupportPlace: ParsableArguments {
    @Option(help: "The app's bundle ID (needed if several apps are served).") var app: BundleID?
    @Option(help: "Production, Sandbox or Xcode (default: Production).") var environment: String?

    func original(_ id: String, _ acts: SupportActs) throws -> OriginalTransaction.Key {
        try scope(acts).original(TransactionID(stored: id))
    }

    /// A request to a distant server about a purchase.
    func send(
        _ original: String, _ path: [String], _ members: [String: JSONValue?] = [:], key: String? = nil
    ) throws -> RemoteQuestion {
        let place = environment ?? InAppPurchase.Environment.production.rawValue
        let members = members.merging(["bundleID": app?.json]) { $1 }
        return try .send(["original-transactions", place, original] + path, members, key: key)
    }

    /// The path of a request to a distant server about a product.
    ///
    /// - Throws: ``/ServerCore/CommandError`` without an app: only a ledger beside the command tells which it is.
    func path(to product: ProductID, _ rest: [String]) throws -> [String] {
        guard let app else { throw CommandError("--server: needs --app, too") }
        return ["apps", app.text, "products", product.text] + rest
    }

    /// The members of a body that name the place.
    func members(app name: String) -> [String: JSONValue?] {
        [name: app?.json, "environment": environment.map { .string($0) }]
    }

    func scope(_ acts: SupportActs) throws -> Scope {
        if let app { try acts.decisions.context.catalog.require(app) }
        return try acts.scope(bundleID: app, environment: environment, by: .operatingSystemUser)
    }
}

extension BundleID {
    /// The bundle ID as a member of a body.
    var json: JSONValue { .string(text) }
}

struct SupportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "support", abstract: "Help players: transfers, credits, products, blocks, sessions, sandbox.",
        discussion: """
            Every act needs --reason and is recorded in the audit trail. With --dry-run, it prints what it would \
            change without changing anything. You can run these while a server is serving.
            """,
        subcommands: [
            Transfer.self, UndoTransfer.self, Credit.self, Grant.self, RevokeGrant.self, Give.self,
            FetchAppTransaction.self, Extend.self, ExtendAll.self, Block.self, Unblock.self, SessionsRevoke.self,
            NewRecoveryCode.self,
            Tester.self, Beta.self, SetExternalID.self, SandboxReset.self,
        ])
}

/// The idempotency key of an act on the command line.
enum SupportKey {
    /// The number of random bytes of a generated key.
    private static let randomBytes = 16

    /// - Throws: `ValidationError` for a key that is empty or too long.
    static func check(_ key: String?) throws {
        guard (key?.utf8.count ?? 1) <= Limits.idempotencyKeyCharacters, key != "" else {
            throw ValidationError("--key: 1 to \(Limits.idempotencyKeyCharacters) characters")
        }
    }

    /// The given key, or a generated one.
    static func chosen(_ key: String?) -> String { key ?? "command-\(Data(systemRandomBytes(randomBytes)).hex)" }
}
