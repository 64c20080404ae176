import Foundation

@testable import QuartermasterClient

/// The content of a manifest and of a statement of freshness, as if a trusted key had signed anything at all.
struct ClientPayload: FuzzTarget {
    func test(_ input: Data) {
        if let manifest = try? SignedManifest(input) { examine(manifest.files) }
        guard let fresh = try? FreshStatement(input), let version = BundleVersion("1.0.0") else { return }
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let subject = FreshStatement.Subject(
            bundle: "hard-words", version: version, manifest: ContentHash(of: Data()), appVersion: nil)
        for remembered in [nil, RememberedVersion(version: "1.1.0", at: now)] {
            _ = try? fresh.accepted(for: subject, after: remembered, now: now)
        }
    }

    private func examine(_ files: [SignedManifest.File]) {
        let folder = "/versions/1.0.0/"
        for file in files {
            let path = URL(fileURLWithPath: folder + file.path).standardizedFileURL.path
            precondition(path.hasPrefix(folder) && path != folder, "out of the folder: \(file.path)")
            precondition(file.size >= 0, "a size below zero")
        }
        precondition(files.reduce(0) { $0 + $1.size } <= BundleLimits.versionBytes, "too much for a version")
        precondition(Set(files.map { $0.path.lowercased() }).count == files.count, "two files of one name")
    }
}
