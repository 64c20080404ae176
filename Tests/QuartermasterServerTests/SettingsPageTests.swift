import Configuration
import Foundation
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

/// The tables in docs/operate/settings.md and docs/operate/limits.md have the settings that the server reads, with
/// their names and defaults.
@Suite struct SettingsPageTests {
    private static let bundleID = "com.example.hangman"

    /// A row for each setting; the one for the configuration file itself has no name.
    private static func rows() throws -> [[String: String]] {
        try ["docs/operate/settings.md", "docs/operate/limits.md"].flatMap { try DocumentedTable.all(in: $0) }
            .filter { $0.columns.contains("setting") }.flatMap(\.rows)
    }

    @Test func `Every setting is on the settings page`() throws {
        let documented = try Self.rows().compactMap { $0["setting"] }.filter { !$0.isEmpty }
        #expect(documented.count == Set(documented).count)
        #expect(Set(documented).symmetricDifference(Settings.defaults.keys) == [])
    }

    @Test func `The defaults on the settings page are those of the server`() throws {
        for row in try Self.rows() {
            guard let setting = row["setting"], !setting.isEmpty else { continue }
            #expect(row["default"] == Settings.defaults[setting], "\(setting)")
        }
    }

    /// A value in the page's variable is found under the page's name.
    @Test func `Every variable on the settings page is that of its setting`() async throws {
        for row in try Self.rows() {
            guard let setting = row["setting"], !setting.isEmpty else { continue }
            let variable = try #require(row["environment"]).replacing("…", with: "COM_EXAMPLE_HANGMAN")
            let sources = try await SettingSources(flags: [:], environment: [variable: "1"], file: nil)
            let key =
                setting.hasPrefix("apps.")
                ? ConfigKey(["apps", Self.bundleID, String(setting.split(separator: ".").last ?? "")])
                : ConfigKey(setting)
            #expect(throws: SettingError.self, "\(setting): \(variable)") {
                try sources.value(setting, "anything else", at: key) { _, _ in nil as Int? }
            }
        }
    }

    @Test(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
    func `The flags on the settings page are those of the serve command`() async throws {
        let help = try await Program.run("serve", "--help").output
        let flags = Set(help.matches(of: /\n  (--[a-z-]+)/).map { String($0.output.1) })
        let documented = try Self.rows().compactMap { $0["flag"] }.filter { !$0.isEmpty }
        // Neither is a setting.
        #expect(Set(documented).symmetricDifference(flags) == ["--migrate-only", "--version"])
        for row in try Self.rows() {
            guard let flag = row["flag"], !flag.isEmpty, let setting = row["setting"], !setting.isEmpty else {
                continue
            }
            let name = setting.replacing(/[A-Z]/) { "-" + $0.output.lowercased() }.replacing(".", with: "-")
            #expect(flag == "--" + name)
        }
    }
}
