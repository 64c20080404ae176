import ArgumentParser
import Content
import InAppPurchase

extension BundlesCommand {
    struct Promote: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Promote a version from the beta channel to everybody.",
            discussion: "Example: quartermaster bundles promote hard-words 1.2.0")

        @OptionGroup var options: SettingOptions
        @OptionGroup var name: VersionName

        func run(handlers: [any ProductHandler.Type]) async throws {
            try await options.publishing(name.bundle, name.version, handlers) { publisher in
                try await publisher.promote(name.version, of: name.bundle, name.act)
            }.print(json: name.json, name.confirmation)
        }
    }
}
