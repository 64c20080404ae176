import ArgumentParser
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

extension SupportCommand {
    struct Transfer: SupportActCommand {
        static let configuration = CommandConfiguration(
            abstract: "Transfer a purchase to an account, or give it a purchase that no account presented.",
            discussion: """
                Access moves at once; credits stay with the account that got them first. No player's receipt can move \
                the purchase back afterwards.

                Example: quartermaster support transfer 2000000000000001 --to 946cfa6b-15d2-4a46-80c4-54ee4b20b092 \
                --reason 'ticket 4711'
                """)

        @OptionGroup var act: SupportOptions
        @OptionGroup var place: SupportPlace
        @Argument(help: "The original transaction ID.") var originalTransaction: String
        @Option(help: "The UUID of the new owner's account.", transform: AccountID.argument) var to: AccountID

        func request(_ acts: SupportActs) throws -> SupportRequest {
            .transfer(try place.original(originalTransaction, acts), to: to)
        }

        var remote: RemoteQuestion {
            get throws { try place.send(originalTransaction, ["transfer"], ["to": .string(to.text)]) }
        }
    }

    struct UndoTransfer: SupportActCommand {
        static let configuration = CommandConfiguration(
            commandName: "undo-transfer",
            abstract: "Undo the last transfer of a purchase, so that it belongs to its former owner again.",
            discussion: "Example: quartermaster support undo-transfer 2000000000000001 --reason 'ticket 4711'")

        @OptionGroup var act: SupportOptions
        @OptionGroup var place: SupportPlace
        @Argument(help: "The original transaction ID.") var originalTransaction: String

        func request(_ acts: SupportActs) throws -> SupportRequest {
            .undoTransfer(try place.original(originalTransaction, acts))
        }

        var remote: RemoteQuestion { get throws { try place.send(originalTransaction, ["transfer", "undo"]) } }
    }

    struct Credit: SupportActCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give an account credits; with a negative amount, take them back.",
            discussion: """
                Example: quartermaster support credit 946cfa6b-15d2-4a46-80c4-54ee4b20b092 --currency hints --amount 50 \
                --key ticket-4711 --reason 'ticket 4711'
                """)

        @OptionGroup var act: SupportOptions
        @OptionGroup var place: SupportPlace
        @Argument(help: "The account's UUID.", transform: AccountID.argument) var account: AccountID
        @Option(help: "The currency.") var currency: String
        @Option(parsing: .unconditional, help: "The number of credits; negative to take them back.") var amount: Int
        @Option(help: "The idempotency key: the same key again changes nothing (default: a new one).") var key: String?

        func validate() throws { try SupportKey.check(key) }

        func request(_ acts: SupportActs) throws -> SupportRequest {
            let adjustment = Adjustment(
                account: account, scope: try place.scope(acts), currency: Currency(stored: currency), amount: amount,
                idempotencyKey: SupportKey.chosen(key))
            guard let adjustment else { throw Problem.wrongAdjustment }
            return .adjust(adjustment)
        }

        var remote: RemoteQuestion {
            get throws {
                let members = place.members(app: "bundleID").merging(
                    ["currency": .string(currency), "amount": .integer(amount)]) { $1 }
                return try .send(["accounts", account.text, "credits"], members, key: SupportKey.chosen(key))
            }
        }
    }
}

extension SupportCommand {
    struct FetchAppTransaction: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "fetch-app-transaction",
            abstract: "Have the App Store tell the app transaction of a player's customer.",
            discussion: """
                It counts as if the player's app had sent it: credits to start with that wait for it are given, and \
                introductory offers can be signed for 30 days. It has the version of the app that the customer first got.

                Example: quartermaster support fetch-app-transaction 2000000000000001 --reason 'ticket 4711'
                """)

        @OptionGroup var act: SupportOptions
        @OptionGroup var place: SupportPlace
        @Argument(help: "The original transaction ID of a purchase of the player.") var originalTransaction: String

        func run(_ program: any ServerProgram) async throws {
            let remote = try place.send(originalTransaction, ["app-transaction"])
            try await act.run(program, or: remote) { store, ledger, acts in
                let purchase = try place.original(originalTransaction, acts)
                let fetch = AppTransactionFetch(
                    ledger: ledger, decisions: acts.decisions, store: store, random: systemRandomBytes)
                return try await fetch.answer(
                    about: purchase, by: .operatingSystemUser, reason: act.reason, isDryRun: act.dryRun)
            }
        }
    }
}
