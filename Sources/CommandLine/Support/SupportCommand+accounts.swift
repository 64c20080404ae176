import ArgumentParser
import InAppPurchase
import Ledger
import NIOHTTP1
import ServerCore
import ServerHTTP

extension SupportCommand {
    struct Block: SupportActCommand {
        static let configuration = CommandConfiguration(
            abstract: "Block an account. It keeps what it owns.",
            discussion: "Example: quartermaster support block 946cfa6b-15d2-4a46-80c4-54ee4b20b092 --reason 'ticket 7'")

        static let needsCatalog = false

        @OptionGroup var act: SupportOptions
        @Argument(help: "The account's UUID.", transform: AccountID.argument) var account: AccountID

        func request(_ acts: SupportActs) -> SupportRequest { .setBlocked(account, true) }

        var remote: RemoteQuestion { get throws { try .send(["accounts", account.text, "block"]) } }
    }

    struct Unblock: SupportActCommand {
        static let configuration = CommandConfiguration(
            abstract: "Unblock an account.",
            discussion:
                "Example: quartermaster support unblock 946cfa6b-15d2-4a46-80c4-54ee4b20b092 --reason 'ticket 7'")

        static let needsCatalog = false

        @OptionGroup var act: SupportOptions
        @Argument(help: "The account's UUID.", transform: AccountID.argument) var account: AccountID

        func request(_ acts: SupportActs) -> SupportRequest { .setBlocked(account, false) }

        var remote: RemoteQuestion { get throws { try .send(["accounts", account.text, "unblock"]) } }
    }

    struct SessionsRevoke: SupportActCommand {
        static let configuration = CommandConfiguration(
            commandName: "sessions-revoke",
            abstract: "End all sessions of an account. Its recovery code opens new ones.",
            discussion:
                "Example: quartermaster support sessions-revoke 946cfa6b-15d2-4a46-80c4-54ee4b20b092 --reason 'ticket 7'"
        )

        static let needsCatalog = false

        @OptionGroup var act: SupportOptions
        @Argument(help: "The account's UUID.", transform: AccountID.argument) var account: AccountID

        func request(_ acts: SupportActs) -> SupportRequest { .revokeSessions(account) }

        var remote: RemoteQuestion { get throws { try .send(["accounts", account.text, "sessions", "revoke"]) } }
    }

    struct NewRecoveryCode: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "recovery-code",
            abstract: "Give an account a new recovery code and print it. It cannot be shown again.",
            discussion: """
                For a player who lost the code and whose identity you have checked. The previous code stops working at \
                once; open sessions stay open.

                Example: quartermaster support recovery-code 946cfa6b-15d2-4a46-80c4-54ee4b20b092 --reason 'ticket 7'
                """)

        @OptionGroup var act: SupportOptions
        @Argument(help: "The account's UUID.", transform: AccountID.argument) var account: AccountID

        func run(_ program: any ServerProgram) async throws {
            let remote = try RemoteQuestion.send(["accounts", account.text, "recovery-code"])
            try await act.run(program, or: remote, needsCatalog: false, isAskedFor: true) { acts in
                try await acts.newRecoveryCode(
                    of: account, by: .operatingSystemUser, reason: act.reason, isDryRun: act.dryRun,
                    random: systemRandomBytes)
            }
        }
    }

    struct Tester: SupportActCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an account a tester, so that its sandbox purchases give access; with --remove, undo that.",
            discussion:
                "Example: quartermaster support tester 946cfa6b-15d2-4a46-80c4-54ee4b20b092 --reason 'plays the beta'")

        static let needsCatalog = false

        @OptionGroup var act: SupportOptions
        @Argument(help: "The account's UUID.", transform: AccountID.argument) var account: AccountID
        @Flag(help: "Remove the account from the testers.") var remove = false

        func request(_ acts: SupportActs) -> SupportRequest { .setTester(account, !remove) }

        var remote: RemoteQuestion {
            get throws { try .send(["accounts", account.text, "tester"], method: remove ? .DELETE : .PUT) }
        }
    }

    struct Beta: SupportActCommand {
        static let configuration = CommandConfiguration(
            abstract: "Offer an account the versions on the beta channel; with --remove, stop offering them.",
            discussion:
                "Example: quartermaster support beta 946cfa6b-15d2-4a46-80c4-54ee4b20b092 --reason 'asked for it'")

        static let needsCatalog = false

        @OptionGroup var act: SupportOptions
        @Argument(help: "The account's UUID.", transform: AccountID.argument) var account: AccountID
        @Flag(help: "Stop offering them.") var remove = false

        func request(_ acts: SupportActs) -> SupportRequest { .setBeta(account, !remove) }

        var remote: RemoteQuestion {
            get throws { try .send(["accounts", account.text, "beta"], method: remove ? .DELETE : .PUT) }
        }
    }

    struct SetExternalID: SupportActCommand {
        static let configuration = CommandConfiguration(
            commandName: "external-id",
            abstract: "Record the ID that the studio's own systems have for an account; without --id, remove it.",
            discussion: """
                Example: quartermaster support external-id 946cfa6b-15d2-4a46-80c4-54ee4b20b092 --id 4711 --reason \
                'from the game server'
                """)

        static let needsCatalog = false

        @OptionGroup var act: SupportOptions
        @Argument(help: "The account's UUID.", transform: AccountID.argument) var account: AccountID
        @Option(help: "The external ID. No other account may have it.", transform: Self.externalID)
        var id: ExternalID?

        func request(_ acts: SupportActs) -> SupportRequest { .setExternalID(account, id) }

        var remote: RemoteQuestion {
            get throws {
                try .send(
                    ["accounts", account.text, "external-id"], ["externalID": id.map { .string($0.text) }],
                    method: id == nil ? .DELETE : .PUT)
            }
        }

        private static func externalID(_ text: String) throws -> ExternalID {
            guard let id = ExternalID(text) else {
                throw ValidationError(
                    "1 to \(ExternalID.maximumCharacters) characters, none of them a control character")
            }
            return id
        }
    }

    struct SandboxReset: SupportActCommand {
        static let configuration = CommandConfiguration(
            commandName: "sandbox-reset",
            abstract: "Forget an account's sandbox purchases, so that they can be made again.",
            discussion:
                "Example: quartermaster support sandbox-reset 946cfa6b-15d2-4a46-80c4-54ee4b20b092 --reason 'plays the beta'"
        )

        @OptionGroup var act: SupportOptions
        @Argument(help: "The account's UUID.", transform: AccountID.argument) var account: AccountID
        @Option(help: "The bundle ID of the app (default: all apps).") var app: BundleID?

        func request(_ acts: SupportActs) throws -> SupportRequest {
            if let app { try acts.decisions.context.catalog.require(app) }
            return .resetSandbox(account, app: app)
        }

        var remote: RemoteQuestion {
            get throws { try .send(["accounts", account.text, "sandbox-reset"], ["bundleID": app?.json]) }
        }
    }
}
