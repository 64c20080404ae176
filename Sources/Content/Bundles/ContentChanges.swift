package import InAppPurchase

/// The changes that a refresh found, to be logged.
package struct ContentChanges: Hashable, Sendable {
    package struct Version: Hashable, Sendable, CustomStringConvertible {
        package var bundle: BundleName
        /// The folder's name.
        package var version: String

        package init(bundle: BundleName, version: String) {
            self.bundle = bundle
            self.version = version
        }

        package var description: String { "\(bundle) \(version)" }
    }

    package var added: [Version] = []
    /// Versions whose number stayed and whose files changed while they may still have been copied.
    package var changed: [Version] = []
    package var removed: [Version] = []
    /// Problems that the previous refresh did not have; a problem that stays is reported once.
    package var problems: [ContentError] = []
    /// How many files had to be read; the others had not changed.
    package var readFiles = 0
    /// Whether a reload gave up waiting for the scan that is running, and nobody was told of it yet.
    package var isOverdue = false
    /// The reason why the content folder is scanned each time, although nothing may have changed; `nil` if it is not,
    /// or if that was told before.
    package var unwatched: String?

    /// No changes.
    ///
    /// - Parameter problems: those of the first scan, which has nothing to compare with.
    package init(problems: [ContentError] = []) { self.problems = problems }
}

extension ContentChanges {
    init(from old: some ContentScan, to new: some ContentScan) {
        let (before, after) = (Self.manifests(of: old.index), Self.manifests(of: new.index))
        func sorted(_ versions: some Sequence<Version>) -> [Version] {
            versions.sorted { ($0.bundle, $0.version) < ($1.bundle, $1.version) }
        }
        added = sorted(after.keys.filter { before[$0] == nil })
        changed = sorted(after.filter { before[$0.key] ?? $0.value != $0.value }.keys)
        removed = sorted(before.keys.filter { after[$0] == nil })
        problems = new.problems.filter { !old.problems.contains($0) }
        readFiles = new.readFiles
    }

    private static func manifests(of index: ContentIndex) -> [Version: Manifest] {
        index.versions.values.joined().reduce(into: [:]) { all, version in
            let manifest = version.manifest
            all[Version(bundle: manifest.bundle, version: manifest.version.description)] = manifest
        }
    }
}
