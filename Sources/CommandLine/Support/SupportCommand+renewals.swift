import ArgumentParser
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

extension SupportCommand {
    struct Extend: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have the App Store extend the renewal date of a subscription.",
            discussion: """
                The customer is charged that many days later. Apple extends a customer's subscriptions at most twice a \
                year. With the same key, repeating the command extends only once; without a key, that holds only until \
                the new date is known.

                Example: quartermaster support extend 2000000000000001 --days 7 --key ticket-4711 --reason 'ticket 4711'
                """)

        @OptionGroup var act: SupportOptions
        @OptionGroup var place: SupportPlace
        @Argument(help: "The original transaction ID of the subscription.") var originalTransaction: String
        @Option(help: "The number of days: 1 to 90.") var days: Int

        @Option(help: "The idempotency key: repeating it extends only once (default: that of the current period).")
        var key: String?

        func validate() throws {
            try SupportKey.check(key)
            guard (1...RenewalDates.maximumDays).contains(days) else {
                throw ValidationError("--days: 1 to \(RenewalDates.maximumDays)")
            }
        }

        func run(_ program: any ServerProgram) async throws {
            let remote = try place.send(originalTransaction, ["extend"], ["days": .integer(days)], key: key)
            try await act.run(program, or: remote) { store, _, acts in
                let subscription = try place.original(originalTransaction, acts)
                return try await RenewalDates(ledger: acts.ledger, decisions: acts.decisions, store: store).answer(
                    to: RenewalDates.Question(subscription: subscription, days: days, key: key),
                    by: .operatingSystemUser, reason: act.reason, isDryRun: act.dryRun)
            }
        }
    }

    struct ExtendAll: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have the App Store extend the renewal dates of all subscribers of a product.",
            discussion: """
                As after an outage: every customer is charged that many days later. The App Store does it in the \
                background; products extension prints how far it is. With the same key, repeating the command extends \
                only once. With --dry-run, it prints how many active subscribers the ledger knows.

                Example: quartermaster support extend-all com.example.hangman.club.monthly --days 3 --key outage-7 --reason 'outage of 7 May'
                """)

        @OptionGroup var act: SupportOptions
        @OptionGroup var place: SupportPlace
        @Argument(help: "The product ID of the subscription.") var product: ProductID
        @Option(help: "The number of days: 1 to 90.") var days: Int
        @Option(help: "The idempotency key: repeating it extends only once.") var key: String

        func validate() throws {
            try SupportKey.check(key)
            guard (1...RenewalDates.maximumDays).contains(days) else {
                throw ValidationError("--days: 1 to \(RenewalDates.maximumDays)")
            }
        }

        func run(_ program: any ServerProgram) async throws {
            let members = ["days": .integer(days), "environment": place.environment.map { JSONValue.string($0) }]
            try await act.run(
                program, or: try .send(place.path(to: product, ["extend"]), members, key: key)
            ) { store, ledger, acts in
                let extensions = SubscriberExtensions(ledger: ledger, decisions: acts.decisions, store: store)
                let question = SubscriberExtensions.Question(
                    product: product, scope: try place.scope(acts), days: days, key: key)
                return try await extensions.answer(
                    to: question, by: .operatingSystemUser, reason: act.reason, isDryRun: act.dryRun)
            }
        }
    }
}
