import ArgumentParser
import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

extension SupportCommand {
    struct Give: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give each account in a file a product or credits.",
            discussion: """
                The file names an account a line, by its UUID or its external ID; of a CSV file the first column is \
                read. Each account is given it once per --key: a run that broke off goes on with the same key, and \
                the next one gives nothing. The answer has the numbers of the lines that give nobody anything.

                Example: quartermaster support give --accounts partner.csv \
                --product com.example.hangman.hardwords --key partner-2026 --reason 'partner campaign' --dry-run
                """)

        @OptionGroup var act: SupportOptions
        @OptionGroup var place: SupportPlace
        @Option(help: "The file with the accounts (at most \(AccountList.maximumLines) lines).") var accounts: String
        @Option(help: "The product's ID.") var product: ProductID?
        @Option(help: "When the access ends, an RFC 3339 time (default: never).", transform: Grant.time)
        var until: Date?
        @Option(help: "The currency of the credits.") var currency: String?
        @Option(parsing: .unconditional, help: "The number of credits; negative to take them back.") var amount: Int?
        @Option(help: "The idempotency key: the same key again gives nobody anything twice.") var key: String

        func validate() throws {
            try SupportKey.check(key)
            guard (product == nil) != (currency == nil), (currency == nil) == (amount == nil),
                until == nil || product != nil
            else { throw ValidationError("either --product, and perhaps --until, or --currency and --amount") }
        }

        func run(_ program: any ServerProgram) async throws {
            let list = try list
            try await act.run(program, or: try remote(list)) { acts in
                try await Gifts(acts: acts, random: systemRandomBytes).answer(
                    to: try gift(acts), for: list, by: .operatingSystemUser, reason: act.reason, isDryRun: act.dryRun)
            }
        }

        private var list: AccountList {
            get throws {
                guard let text = String(validating: try bytes, as: UTF8.self) else {
                    throw CommandError("\(accounts): not UTF-8")
                }
                return try AccountList(file: text)
            }
        }

        /// The beginning of the file, up to one byte more than a list may have.
        private var bytes: Data {
            get throws {
                do {
                    let file = try FileHandle(forReadingFrom: URL(filePath: accounts))
                    defer { try? file.close() }
                    return try file.read(upToCount: AccountList.maximumBytes + 1) ?? Data()
                } catch { throw CommandError("\(accounts): \(error.localizedDescription)") }
            }
        }

        private func gift(_ acts: SupportActs) throws -> Gift {
            let scope = try place.scope(acts)
            guard let product else {
                return Gift(.credits(Currency(stored: currency ?? ""), amount: amount ?? 0), in: scope, key: key)
            }
            try acts.decisions.context.catalog.require(product, of: scope.app)
            return Gift(.product(product, until: until), in: scope, key: key)
        }

        private func remote(_ list: AccountList) throws -> RemoteQuestion {
            let members = place.members(app: "app").merging([
                "accounts": .array(list.names.map { .string($0) }), "product": product.map { .string($0.text) },
                "until": until.map { .string($0.rfc3339) }, "currency": currency.map { .string($0) },
                "amount": amount.map { .integer($0) },
            ]) { $1 }
            return try .send(["gifts"], members, key: key)
        }
    }
}
