import Foundation
import InAppPurchase
import SystemPackage

/// The entries of one folder, each checked.
struct FolderListing {
    struct Entry {
        let name: String
        let path: FilePath
        let status: Stat
    }

    /// The maximum number of entries of one folder: 10,000 files in a bundle are a mistake, and a list of them is held
    /// in memory.
    static let maximumEntries = 10_000

    /// The regular files and folders with valid names, by name.
    private(set) var entries: [Entry] = []
    /// The other entries, by name.
    private(set) var problems: [(name: String, problem: ContentError)] = []

    /// - Parameter known: names that are ignored, whatever they are.
    /// - Throws: ``ContentError`` if the folder cannot be listed at all.
    init(of folder: FilePath, passingOver known: Set<String> = []) throws(ContentError) {
        let names = try Self.names(in: folder).filter { !known.contains($0) }
        let twins = Self.twins(among: names)
        for name in names {
            let path = folder.appending(name)
            if let reason = Self.refusal(of: name) ?? twins[name].map(ContentError.Reason.sameNameAs) {
                problems.append((name, ContentError(path.string, reason)))
                continue
            }
            do throws(Errno) {
                add(Entry(name: name, path: path, status: try path.stat(followTargetSymlink: false)))
            } catch .noSuchFileOrDirectory {
                // Removed since the names were read.
            } catch {
                problems.append((name, ContentError(path.string, .unreadable("\(error)"))))
            }
        }
    }

    private mutating func add(_ entry: Entry) {
        switch entry.status.type {
        case .regular, .directory: entries.append(entry)
        case .symbolicLink: problems.append((entry.name, ContentError(entry.path.string, .symbolicLink)))
        default: problems.append((entry.name, ContentError(entry.path.string, .notAFile)))
        }
    }

    private static func names(in folder: FilePath) throws(ContentError) -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.string)
        } catch {
            throw ContentError(folder.string, .unreadable(error.localizedDescription))
        }
        guard names.count <= maximumEntries else {
            throw ContentError(folder.string, .tooManyEntries(limit: maximumEntries))
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    static func refusal(of name: String) -> ContentError.Reason? {
        if name.hasPrefix(".") { return .hidden }
        // Foundation substitutes U+FFFD for bytes that are not UTF-8.
        if name.unicodeScalars.contains("\u{FFFD}") { return .nameNotUTF8 }
        if name.hasControlCharacters { return .controlCharacterInName }
        if name.hasBidirectionalControls { return .bidirectionalControlInName }
        if name.contains("\\") { return .backslashInName }
        return WindowsName.refusal(of: name)
    }

    /// A key that is equal for names that a case-insensitive, normalizing file system (APFS) does not distinguish.
    static func folded(_ name: String) -> String {
        // Equality of `String` is canonical equivalence; both mappings, since ß and SS are equal only in upper case.
        name.uppercased().lowercased()
    }

    /// The other name for each name that has the same key as another one.
    private static func twins(among names: [String]) -> [String: String] {
        let groups = Dictionary(grouping: names, by: folded)
        var twins: [String: String] = [:]
        for group in groups.values where group.count > 1 {
            for name in group { twins[name] = group.first { $0 != name } ?? name }
        }
        return twins
    }
}

/// Names that Windows does not accept as the name of a file.
///
/// Players' devices do not run it, but those who publish do, and tools that unpack downloads.
enum WindowsName {
    /// Microsoft, "Naming Files, Paths, and Namespaces": reserved in any case, also with an extension.
    private static let devices: Set<String> = {
        let numbers = (0...9).map(String.init) + ["\u{B9}", "\u{B2}", "\u{B3}"]
        return Set(["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"] + numbers.flatMap { ["COM\($0)", "LPT\($0)"] })
    }()

    /// The reason why a file or folder of this name is not published; `nil` if it may be.
    static func refusal(of name: String) -> ContentError.Reason? {
        let bytes = Array(name.utf8.prefix(2))
        if bytes.count == 2, bytes[1] == UInt8(ascii: ":"), Character(Unicode.Scalar(bytes[0])).isLetter {
            return .driveLetter
        }
        // Spaces before the extension, or at the end, are ignored.
        let stem = name.prefix { $0 != "." && $0 != ":" }.reversed().drop { $0 == " " }.reversed()
        return devices.contains(String(stem).uppercased()) ? .deviceName : nil
    }
}
