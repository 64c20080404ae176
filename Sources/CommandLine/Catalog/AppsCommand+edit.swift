import ArgumentParser
import InAppPurchase
import ServerCore
import ServerHTTP

extension AppsCommand {
    struct Set: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replace all settings of an app, or add an app without products.",
            discussion: """
                The products stay as they are. A running server uses the new settings within two seconds. The change \
                is recorded in the audit trail.

                Example: quartermaster apps set --app com.example.chess '{"appAppleID": 1234567891, "sandbox": "testers"}'
                """)

        @OptionGroup var options: SettingOptions
        @OptionGroup var edit: EditOptions
        @Option(help: "A file with the settings.") var file: String?
        @Argument(help: "The settings as in the catalog, without products; - reads them from standard input.")
        var settings: String?

        func validate() throws {
            guard (file == nil) != (settings == nil) else {
                throw ValidationError("Give exactly one of the settings, --file, or - for standard input.")
            }
        }

        func run(_ program: any ServerProgram) async throws {
            let json = try EditOptions.json(of: settings, file: file, maximumBytes: AppEntry.maximumBytes)
            try await edit.apply(
                AppEdit(app: edit.app, act: .put(json), condition: edit.condition), options, program.handlers)
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
