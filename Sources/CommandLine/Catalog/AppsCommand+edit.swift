import ArgumentParser
import InAppPurchase
import ServerCore
import ServerHTTP

extension AppsCommand {
    struct Set: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change settings of an app, or add an app without products.",
            discussion: """
                Settings that are not named stay as they are (JSON merge patch, RFC 7396), and so do the products; null \
                removes a setting. Prints each setting that is added (+), removed (-) or changed (~). A running server \
                uses the new settings within two seconds. The change is recorded in the audit trail.

                Example: quartermaster apps set --app com.example.chess '{"sandbox": "testers", "notice": null}'
                """)

        @OptionGroup var options: SettingOptions
        @OptionGroup var edit: EditOptions
        @Option(help: "A file with the settings.") var file: String?
        @Flag(help: "Remove the settings that are not named.") var replace = false
        @Argument(help: "The settings as in the catalog, without products; - reads them from standard input.")
        var settings: String?

        func validate() throws {
            guard (file == nil) != (settings == nil) else {
                throw ValidationError("Give exactly one of the settings, --file, or - for standard input.")
            }
        }

        func run(_ program: any ServerProgram) async throws {
            let json = try EditOptions.json(of: settings, file: file, maximumBytes: AppEntry.maximumBytes)
            let act = replace ? AppEdit.Act.put(json) : .merge(json)
            try await edit.apply(
                AppEdit(app: edit.app, act: act, condition: edit.condition), options, program.handlers)
        }
    }

    struct Remove: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove an app that has no products and no recorded purchases.",
            discussion: "Example: quartermaster apps remove --app com.example.chess")

        @OptionGroup var options: SettingOptions
        @OptionGroup var edit: EditOptions

        func run(_ program: any ServerProgram) async throws {
            try await edit.apply(
                AppEdit(app: edit.app, act: .remove, condition: edit.condition), options, program.handlers)
        }
    }
}
