import Foundation

/// The client's own folder.
enum ClientFolder {
    // The shop and its snapshot read them.
    static func products(_ folder: URL) -> URL { folder.appendingPathComponent("products.json") }
    static func entitlements(_ folder: URL) -> URL { folder.appendingPathComponent("entitlements.json") }
    static func bundles(_ folder: URL) -> URL { folder.appendingPathComponent("bundles.json") }
    static func time(_ folder: URL) -> URL { folder.appendingPathComponent("time.json") }

    /// Creates the folder. All of it stays out of backups, since the server has it and another device must not get it,
    /// and can be read from the first unlock on: purchases and downloads go on while the device is locked.
    static func prepare(_ folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        #if canImport(Darwin)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            var url = folder
            try url.setResourceValues(values)
        #endif
        #if os(iOS) || os(visionOS)
            // New files have the protection of their folder. Those of an app that is protected more strictly have its.
            for url in [folder] + contents(of: folder) + contents(of: folder.appendingPathComponent("content")) {
                try FileManager.default.setAttributes(
                    [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: url.path)
            }
        #endif
    }

    /// Whether other processes may reach it, as the app's extensions do. The system ends an app that holds the lock of
    /// a file there when it is suspended.
    static func isInAppGroup(_ folder: URL) -> Bool { folder.path.contains("/Shared/AppGroup/") }

    #if os(iOS) || os(visionOS)
        private static func contents(of folder: URL) -> [URL] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.map { folder.appendingPathComponent($0) }
        }
    #endif
}
