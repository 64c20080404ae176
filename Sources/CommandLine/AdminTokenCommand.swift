import ArgumentParser
import Basics
import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// The command for admin tokens. It can be used while a server is running: a new token is valid, and a revoked one
/// invalid, from the next request on.
struct AdminTokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin-token", abstract: "Create, list and revoke admin tokens.",
        subcommands: [Create.self, List.self, Open.self, Revoke.self])

    struct Create: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a token and print it. It cannot be shown again.",
            discussion: """
                Example: TOKEN=$(quartermaster admin-token create --name alice --role write)
                With --app, the token is limited to these apps: their products, settings, purchases, credits, receipts \
                and reports, and their part of each account. It does not cover whole accounts, bundles, tokens or the \
                server.
                """)

        @OptionGroup var options: SettingOptions
        @OptionGroup var holder: TokenName
        @Option(
            help: "read: read-only access. support: also acts on accounts and what they own. write: all acts.",
            transform: Self.role)
        var role: AdminToken.Role
        @OptionGroup var apps: TokenApps
        @Flag(help: "Print JSON.") var json = false

        fileprivate static func role(_ text: String) throws -> AdminToken.Role {
            guard let role = AdminToken.Role(rawValue: text) else { throw ValidationError("read, support or write") }
            return role
        }

        func run(_ program: any ServerProgram) async throws {
            let ledger = try LedgerOpener.openExisting(await options.settings().database, handlers: program.handlers)
            let secret = AccessToken(systemRandomBytes).text
            let token = AdminToken(name: holder.name, role: role, reach: apps.reach, createdAt: Date())
            do {
                try await ledger.createAdminToken(
                    token, digest: AccessToken.digest(of: secret), by: .operatingSystemUser)
            } catch LedgerRefusal.nameTaken {
                throw CommandError("\(holder.name): an admin token of this name is in force; revoke it first")
            }
            print(json ? try Line(token, secret: secret).json : secret)
        }
    }

    struct List: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "List all tokens by name, including revoked ones.",
            discussion: "Example: quartermaster admin-token list --json")

        @OptionGroup var options: SettingOptions
        @Flag(help: "Print JSON.") var json = false

        func run(_ program: any ServerProgram) async throws {
            let ledger = try LedgerOpener.openExisting(await options.settings().database, handlers: program.handlers)
            let lines = try await ledger.adminTokens().map { Line($0) }
            guard !json else { return print(try lines.json) }
            let output = TextOutput.standard()
            output.print(TextTable(["Name", "Role", "Created", "State", "Apps"], lines.map { $0.cells(for: output) }))
        }
    }

    struct Open: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a one-time link that signs a token's holder in to the pages for administrators.",
            discussion: """
                The link is valid for one minute, in a browser on the server's machine for ten. Example: quartermaster \
                admin-token open --name alice
                With --role, a token of this name is created if none is in force; its text is never shown.
                """)

        @OptionGroup var options: SettingOptions
        @OptionGroup var holder: TokenName
        @Option(
            help: "read, support or write. Creates the token if none of this name is in force.", transform: Create.role)
        var role: AdminToken.Role?
        @OptionGroup var apps: TokenApps
        @Option(help: "The address of the pages (default: that of the settings).") var address: String?

        func run(_ program: any ServerProgram) async throws {
            let settings = try await options.settings()
            let ledger = try LedgerOpener.openExisting(settings.database, handlers: program.handlers)
            let links = SignInLinks(ledger: ledger, random: systemRandomBytes)
            let code = try await links.code(for: try await token(in: ledger), at: Date())
            print((address ?? settings.pageAddress) + SignInLinks.path + code)
        }

        private func token(in ledger: any AdminTokenLedger & KeyValueStore) async throws -> AdminToken {
            if let token = try await ledger.adminToken(named: holder.name) { return token }
            guard let role else {
                throw CommandError(
                    "\(holder.name): no admin token of this name is in force; create one, or add "
                        + "--role read|support|write")
            }
            let token = AdminToken(name: holder.name, role: role, reach: apps.reach, createdAt: Date())
            try await ledger.createAdminToken(
                token, digest: AccessToken.digest(of: AccessToken(systemRandomBytes).text), by: .operatingSystemUser)
            return try await ledger.adminToken(named: holder.name) ?? token
        }
    }

    struct Revoke: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke a token permanently. Its name can be used again.",
            discussion: "Example: quartermaster admin-token revoke --name alice")

        @OptionGroup var options: SettingOptions
        @OptionGroup var holder: TokenName
        @OptionGroup var confirmation: Confirmation
        @Flag(help: "Print JSON.") var json = false

        func run(_ program: any ServerProgram) async throws {
            let ledger = try LedgerOpener.openExisting(await options.settings().database, handlers: program.handlers)
            guard try await ledger.revokeAdminToken(named: holder.name, by: .operatingSystemUser, at: Date()) else {
                throw CommandError("\(holder.name): no admin token of this name is in force")
            }
            guard !json else { return print(try ["revoked": holder.name].json) }
            confirmation.print("\(holder.name): revoked")
        }
    }

    struct TokenApps: ParsableArguments {
        @Option(
            name: .customLong("app"),
            help: "Limit the token to the app with this bundle ID; repeat for several (default: everything).",
            transform: Self.app) var named: [BundleID] = []

        var reach: AdminReach { AdminReach(named) }

        private static func app(_ text: String) throws -> BundleID {
            guard let app = try? BundleID(checking: text) else { throw ValidationError("the bundle ID of an app") }
            return app
        }
    }

    struct TokenName: ParsableArguments {
        @Option(help: "The holder's name, used in the log and the audit trail.") var name: String

        func validate() throws {
            guard AdminToken.isName(name) else {
                throw ValidationError(
                    "--name: 1 to 64 letters, digits, '.', '_' and '-', beginning with a letter or digit")
            }
        }
    }

    private struct Line: Encodable {
        var name: String
        var role: AdminToken.Role
        /// The apps that it is for; omitted if it is for everything.
        var apps: [BundleID]?
        var createdAt: Date
        var revokedAt: Date?
        var token: String?

        init(_ token: AdminToken, secret: String? = nil) {
            name = token.name
            role = token.role
            apps = token.reach.apps
            createdAt = token.createdAt
            revokedAt = token.revokedAt
            self.token = secret
        }

        func cells(for output: TextOutput) -> [String] {
            [
                name, role.rawValue, output.time(createdAt),
                revokedAt.map { "revoked \(output.time($0))" } ?? "in force",
                apps.map { $0.map(\.text).joined(separator: ", ") } ?? "all",
            ]
        }
    }
}
