/// Checks whether files can be stored under their paths, on every device and within their folder.
struct ManifestPaths {
    private var files: Set<String> = []
    private var folders: Set<String> = []

    /// Whether all paths are usable: relative, within the limits, none the same as another or its folder where case is
    /// ignored.
    static func areUsable(_ paths: some Sequence<String>) -> Bool {
        var checked = Self()
        return paths.allSatisfy { checked.add($0) }
    }

    private mutating func add(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard path.utf8.count <= BundleLimits.pathBytes, parts.count <= BundleLimits.pathComponents,
            parts.allSatisfy(Self.isUsable)
        else { return false }
        // Equality of `String` is canonical equivalence; both mappings, since ß and SS are equal only in upper case.
        let folded = parts.map { $0.uppercased().lowercased() }
        var folder = ""
        for part in folded.dropLast() {
            folder += part + "/"
            if files.contains(folder) { return false }
            folders.insert(folder)
        }
        let file = folder + (folded.last ?? "") + "/"
        return !folders.contains(file) && files.insert(file).inserted
    }

    private static func isUsable(_ part: Substring) -> Bool {
        !part.isEmpty && part.utf8.first != UInt8(ascii: ".") && part.utf8.count <= BundleLimits.nameBytes
            && part.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "\\" }
    }
}
