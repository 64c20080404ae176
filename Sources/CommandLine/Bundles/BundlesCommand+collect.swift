import ArgumentParser
import Content
import Foundation
import InAppPurchase
import ServerCore
import ServerHTTP

extension BundlesCommand {
    struct Collect: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Remove files from the content repository that no version and no draft references, and leftovers of interrupted uploads.",
            discussion: """
                Published and yanked versions keep all their files. You can run this while a server is running.
                Example: quartermaster bundles collect --dry-run
                """)

        @OptionGroup var options: SettingOptions
        @Option(help: "Keep files written within this number of hours.") var grace = Int(
            ContentCollector.usualGrace / 3_600)
        @Flag(help: "Dry run: print what would be removed.") var dryRun = false
        @OptionGroup var confirmation: Confirmation
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            guard (0...Self.maximumHours).contains(grace) else {
                throw ValidationError("--grace: 0 to \(Self.maximumHours) hours.")
            }
        }

        /// A century; to keep everything, do not run this command.
        private static let maximumHours = 876_000

        func run(_ program: any ServerProgram) async throws {
            let content = try await options.settings().contentPlace(clock: { Date() })
            do {
                let found = try await ContentCollector(content: content)
                    .collect(grace: TimeInterval(grace) * 3_600, isDryRun: dryRun, at: Date())
                let (files, leftovers) = (found.objects.counted("file"), found.leftovers.counted("leftover"))
                let text = "\(files) and \(leftovers), \(found.bytes.counted("byte"))"
                guard !json else { return print(try found.json) }
                // With --dry-run it is the requested output, and printed with --quiet too.
                if dryRun { print(text + " to remove") } else { confirmation.print(text + " removed") }
            } catch let refusal as PublishRefusal {
                throw CommandError("\(content): \(refusal)")
            }
        }
    }
}
