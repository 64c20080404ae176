import ArgumentParser
import Foundation
import InAppPurchase
import Ledger
import Logging
import NIOCore
import ServerCore
import ServerHTTP

extension NotificationsCommand {
    struct Test: ServerCommand {
        /// In seconds; the App Store sends a test within some seconds.
        static let usualWait = 60
        /// In seconds.
        static let maximumWait = 600
        /// The time between two polls of the ledger.
        static let interval = Duration.milliseconds(250)

        static let configuration = CommandConfiguration(
            abstract: "Have the App Store send a test notification, and check whether it arrives.",
            discussion: """
                A server with the same ledger must be serving, and the app needs a key for the App Store Server API. \
                The exit status is 1 if the notification does not arrive.

                Example: quartermaster notifications test --app com.example.hangman --environment Sandbox --reason 'ticket 7'
                """)

        @OptionGroup var options: SettingOptions
        @Option(help: "The app's bundle ID.") var app: BundleID
        @Option(help: "Production or Sandbox.") var environment = InAppPurchase.Environment.production.rawValue
        @Option(help: "How many seconds to wait for it.") var wait = Test.usualWait
        @Option(help: "The reason, such as a ticket number and a few words. It is recorded in the audit trail.")
        var reason: String
        @Flag(help: "Print the last test and what a request would change, without requesting anything.")
        var dryRun = false
        @OptionGroup var confirmation: Confirmation
        @Flag(help: "Print JSON.") var json = false

        private struct Outcome: Encodable {
            var app: BundleID
            var environment: InAppPurchase.Environment
            var requestedAt: Date
            /// Omitted if it did not come.
            var arrivedAt: Date?
            /// The App Store's result of its last attempt; omitted if the notification came, or there was no attempt.
            var result: String?
        }

        func validate() throws {
            guard (1...Self.maximumWait).contains(wait) else {
                throw ValidationError("--wait: 1 to \(Self.maximumWait)")
            }
        }

        func run(_ program: any ServerProgram) async throws {
            let outcome: Outcome? = try await options.withLedger(program.handlers) { ledger, settings in
                try await program.withStore(
                    settings, ledger: ledger, needsCatalog: true, logger: settings.logger
                ) { store, decisions in
                    try decisions.context.catalog.require(app)
                    let test = NotificationTest(ledger: ledger, decisions: decisions, store: store)
                    guard !dryRun else {
                        try await preview(test)
                        return nil
                    }
                    return try await ask(test)
                }
            }
            if let outcome { try tell(outcome) }
        }

        private var actor: AuditActor { .command(user: NSUserName()) }

        private func preview(_ test: NotificationTest) async throws {
            let change = try await test.preview(of: app, in: environment, by: actor, reason: reason)
            let text = try DryRunBody(change).json
            print(try json ? text : SupportOptions.lines(text, for: .standard()))
        }

        private func tell(_ outcome: Outcome) throws {
            if json { print(try outcome.json) }
            guard let arrivedAt = outcome.arrivedAt else {
                let words = outcome.result.map { "the App Store says \($0)" } ?? "the App Store reports no attempt"
                throw CommandError("the test notification did not arrive within \(wait.counted("second")): \(words)")
            }
            if !json {
                let seconds = max(0, arrivedAt.timeIntervalSince(outcome.requestedAt))
                confirmation.print(
                    "the test notification arrived after \(Int(clamping: seconds.rounded(.up)).counted("second"))")
            }
        }

        private func ask(_ test: NotificationTest) async throws -> Outcome {
            let asked = try await test.request(of: app, in: environment, by: actor, reason: reason)
            var outcome = Outcome(app: app, environment: asked.environment, requestedAt: asked.requestedAt)
            let end = ContinuousClock.now + .seconds(wait)
            repeat {
                outcome.arrivedAt = try await TestNotifications(ledger: test.ledger)
                    .last(of: app, in: asked.environment)?.arrivedAt
                if outcome.arrivedAt != nil { return outcome }
                try await Task.sleep(for: Self.interval)
            } while ContinuousClock.now < end
            outcome.result = await test.store.testNotificationResult(
                asked.token, for: app, in: asked.environment, at: test.decisions.clock())
            return outcome
        }
    }
}
