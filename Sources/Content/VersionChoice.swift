package import Foundation
package import InAppPurchase

/// Which versions of one bundle a player may have, and which of them they get.
package struct VersionChoice: Sendable {
    /// Who asks, as far as it matters.
    package struct Reader: Sendable {
        /// Of the app that asks; nil where it did not say, which narrows nothing.
        package var appVersion: SemanticVersion?
        /// Whether versions that are not for everybody yet are for them.
        package var isBeta: Bool
        /// Whether what was published at the date is open to them.
        package var mayRead: @Sendable (Date) -> Bool

        package init(
            appVersion: SemanticVersion? = nil, isBeta: Bool = false,
            mayRead: @escaping @Sendable (Date) -> Bool = { _ in true }
        ) {
            self.appVersion = appVersion
            self.isBeta = isBeta
            self.mayRead = mayRead
        }
    }

    /// Those that the reader may have, also yanked ones and such as their app cannot read; the lowest first.
    package let readable: [VersionRecord]
    private let reader: Reader

    /// - Parameter records: all versions of the bundle with the dates they were published.
    package init(_ records: [VersionRecord], for reader: Reader) {
        let isBeta = Self.channels(of: records)
        readable = records.filter { record in
            guard record.state != .draft, reader.isBeta || !isBeta(record) else { return false }
            return record.publishedAt.map(reader.mayRead) ?? false
        }
        .sorted { $0.manifest.version < $1.manifest.version }
        self.reader = reader
    }

    /// The highest that is offered and that the reader's app can read.
    package var newest: VersionRecord? {
        readable.last { $0.state == .published && $0.manifest.fits(reader.appVersion) }
    }

    /// The version, where the reader may have it.
    package func version(_ version: SemanticVersion) -> VersionRecord? {
        readable.first { $0.manifest.version == version }
    }

    /// Where nobody said which channel a version is on, pre-releases are beta as soon as there is a version for
    /// everybody.
    private static func channels(of records: [VersionRecord]) -> (VersionRecord) -> Bool {
        let hasStable = records.contains { record in
            record.state == .published
                && (record.channel.map { $0 == .stable } ?? !record.manifest.version.isPreRelease)
        }
        return { record in
            record.channel.map { $0 == .beta } ?? (record.manifest.version.isPreRelease && hasStable)
        }
    }
}

extension Manifest {
    /// Whether an app of the version can read it; one that does not say its version is not kept from it.
    package func fits(_ appVersion: SemanticVersion?) -> Bool {
        guard let appVersion else { return true }
        if let minimumAppVersion, appVersion < minimumAppVersion { return false }
        if let maximumAppVersion, appVersion > maximumAppVersion { return false }
        return true
    }
}
