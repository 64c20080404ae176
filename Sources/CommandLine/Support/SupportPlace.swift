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

    func scope(_ acts: SupportActs) throws -> Scope {
        if let app { try acts.decisions.context.catalog.require(app) }
        return try acts.scope(bundleID: app, environment: environment, by: .operatingSystemUser)
    }
}

struct SupportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "support", abstract: "Help players: transfers, credits, products, blocks, sessions, sandbox.",
        discussion: """
            Every act needs --reason and is recorded in the audit trail. With --dry-run, it prints what it would \
            change without changing anything. You can run these while a server is serving.
            """,
        subcommands: [
            Transfer.self, UndoTransfer.self, Credit.self, Grant.self, RevokeGrant.self, FetchAppTransaction.self,
            Extend.self, ExtendAll.self, Block.self, Unblock.self, SessionsRevoke.self, NewRecoveryCode.self,
            Tester.self, Beta.self, SandboxReset.self,
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
