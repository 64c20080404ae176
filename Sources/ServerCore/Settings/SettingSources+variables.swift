import Foundation
import InAppPurchase
import ServerHTTP

// The names of the environment's variables.

extension SettingSources {
    private static let prefix = "QUARTERMASTER_"
    private static let appPrefix = "APPS_"
    static let fileVariable = prefix + "CONFIG"

    /// The variables of the project's own tests and scripts, which a program that they start inherits.
    private static let developmentNames: Set = [
        "BACKFILL", "BINARY", "CLIENT_STARTS", "DELTA_PAIRS", "FUZZ_FACTS", "GUIDE_BUILD", "PAYER_HISTORIES", "RECORD",
        "REPORT_HISTORIES", "STANDING_HISTORIES", "TEST_OBJECT_STORE", "VECTORS",
    ]
    /// The ends of the variables of an app.
    private static let appSuffixes = AppStoreSettings.appNames.map { "_" + variableName($0) }
    private static let knownNames = Set(
        Settings.defaults.keys.filter { !$0.hasPrefix("apps.") }.map(variableName) + ["CONFIG", "ADMIN_TOKEN"])

    /// The variable of a setting.
    static func variable(of setting: String) -> String { prefix + variableName(setting) }

    /// As ConfigurationProvider names it: in capitals, with `_` for what is no letter or digit, and before a capital
    /// that follows a small letter.
    static func variableName(_ setting: String) -> String {
        zip(setting, " " + setting).map { letter, before in
            guard letter.isLetter || letter.isNumber else { return "_" }
            return (before.isLowercase && letter.isUppercase ? "_" : "") + letter.uppercased()
        }.joined()
    }

    /// Refuses a misspelt name, which would silently leave the default in force.
    ///
    /// - Returns: the apps that variables name, as ``namedApps``.
    /// - Throws: ``/ServerHTTP/SettingError`` for the first one.
    static func checkVariables(in environment: [String: String]) throws -> [String: String] {
        var apps: [String: String] = [:]
        let names = environment.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        for name in names.sorted() where !knownNames.contains(name) && !developmentNames.contains(name) {
            if name.hasPrefix(appPrefix), let suffix = appSuffixes.first(where: name.hasSuffix) {
                let app = String(name.dropFirst(appPrefix.count).dropLast(suffix.count))
                apps[app] = prefix + name
                continue
            }
            throw SettingError("\(prefix)\(name): there is no such setting\(suggestion(for: name))")
        }
        return apps
    }

    private static func suggestion(for name: String) -> String {
        guard !name.hasPrefix(appPrefix) else {
            return "; the variables of an app end in \(appSuffixes.sorted().joined(separator: ", "))"
        }
        return name.nearest(in: knownNames).map { "; did you mean \(prefix)\($0)?" } ?? ""
    }
}
