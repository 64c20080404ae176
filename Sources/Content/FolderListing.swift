import Foundation
import InAppPurchase
import SystemPackage

/// What stands in one folder, each entry with its verdict.
struct FolderListing {
    struct Entry {
        let name: String
        let path: FilePath
        let status: Stat
    }

    /// No folder has more: 10,000 files in a bundle are a mistake, and a list of them is held in memory.
    static let maximumEntries = 10_000

    /// Regular files and folders whose names are in order, by name.
    private(set) var entries: [Entry] = []
    /// The others, by name.
    private(set) var problems: [(name: String, problem: ContentProblem)] = []

    /// - Parameter known: names that are left out, whatever stands there.
    /// - Throws: ``ContentProblem`` where the folder cannot be listed at all.
    init(of folder: FilePath, passingOver known: Set<String> = []) throws(ContentProblem) {
        let names = try Self.names(in: folder).filter { !known.contains($0) }
        let twins = Self.twins(among: names)
        for name in names {
            let path = folder.appending(name)
            if let reason = Self.refusal(of: name) ?? twins[name].map(ContentProblem.Reason.sameNameAs) {
                problems.append((name, ContentProblem(path.string, reason)))
                continue
            }
            do throws(Errno) {
                add(Entry(name: name, path: path, status: try path.stat(followTargetSymlink: false)))
            } catch .noSuchFileOrDirectory {
                // Removed since the names were read.
            } catch {
                problems.append((name, ContentProblem(path.string, .unreadable("\(error)"))))
            }
        }
    }

    private mutating func add(_ entry: Entry) {
        switch entry.status.type {
        case .regular, .directory: entries.append(entry)
        case .symbolicLink: problems.append((entry.name, ContentProblem(entry.path.string, .symbolicLink)))
        default: problems.append((entry.name, ContentProblem(entry.path.string, .notAFile)))
        }
    }

    private static func names(in folder: FilePath) throws(ContentProblem) -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.string)
        } catch {
            throw ContentProblem(folder.string, .unreadable(error.localizedDescription))
        }
        guard names.count <= maximumEntries else {
            throw ContentProblem(folder.string, .tooManyEntries(limit: maximumEntries))
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    static func refusal(of name: String) -> ContentProblem.Reason? {
        if name.hasPrefix(".") { return .hidden }
        // Foundation puts U+FFFD for what it cannot read as UTF-8.
        if name.unicodeScalars.contains("\u{FFFD}") { return .nameNotUTF8 }
        if name.hasControlCharacters { return .controlCharacterInName }
        if name.hasBidirectionalControls { return .bidirectionalControlInName }
        if name.contains("\\") { return .backslashInName }
        return WindowsName.refusal(of: name)
    }

    /// Equal for names that a case-insensitive, normalizing file system (APFS) takes for the same.
    static func folded(_ name: String) -> String {
        // Equality of `String` is canonical equivalence; both mappings, since ß and SS meet only in upper case.
        name.uppercased().lowercased()
    }

    /// For each name that stands for another one too: the other one.
    private static func twins(among names: [String]) -> [String: String] {
        let groups = Dictionary(grouping: names, by: folded)
        var twins: [String: String] = [:]
        for group in groups.values where group.count > 1 {
            for name in group { twins[name] = group.first { $0 != name } ?? name }
        }
        return twins
    }
}
