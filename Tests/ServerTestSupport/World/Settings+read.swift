package import Configuration
import Foundation
package import ServerCore

extension Settings {
    /// Settings as a command with these flags, variables and file would have them.
    package static func read(
        flags: [String: ConfigContent] = [:], _ environment: [String: String] = [:], file: String? = nil
    ) async throws -> Settings {
        guard let file else {
            return try Settings(await SettingSources(flags: flags, environment: environment, file: nil))
        }
        let path = Self.testPath
        try file.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try Settings(await SettingSources(flags: flags, environment: environment, file: path))
    }

    package static let testPath = FileManager.default.temporaryDirectory.appending(
        path: "settings-\(UUID().uuidString).json"
    ).path
}
