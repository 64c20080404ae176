package import Foundation
package import InAppPurchase

/// Selects the versions of one bundle that a player may have, and the one that they are offered.
package struct VersionChoice: Sendable {
    /// The reader, as far as it matters for the choice.
    package struct Reader: Sendable {
        /// The version of the reader's app; `nil` if the app did not send it, which excludes nothing.
        package var appVersion: SemanticVersion?
        /// Whether the reader gets versions of the `beta` channel.
        package var isBeta: Bool
        /// Whether the reader may have a version published at the date.
        package var mayRead: @Sendable (Date) -> Bool
        /// The dates at which the reader's subscriptions began: the reader may have the version that was the newest
        /// then, too.
        package var subscriptionDates: [Date]

        package init(
            appVersion: SemanticVersion? = nil, isBeta: Bool = false,
            mayRead: @escaping @Sendable (Date) -> Bool = { _ in true }, subscriptionDates: [Date] = []
        ) {
            self.appVersion = appVersion
            self.isBeta = isBeta
            self.mayRead = mayRead
            self.subscriptionDates = subscriptionDates
        }
    }

    /// The versions that the reader may have, including yanked ones and those their app cannot read; the lowest first.
    package let readable: [VersionRecord]
    private let reader: Reader

    /// - Parameter records: all versions of the bundle with the dates they were published.
    package init(_ records: [VersionRecord], for reader: Reader) {
        let isBeta = Self.channels(of: records)
        let offered = records.filter { $0.state != .draft && (reader.isBeta || !isBeta($0)) }
            .sorted { $0.manifest.version < $1.manifest.version }
        let first = Set(reader.subscriptionDates.compactMap { Self.newest(of: offered, at: $0)?.manifest.version })
        readable = offered.filter { record in
            record.publishedAt.map(reader.mayRead) ?? false || first.contains(record.manifest.version)
        }
        self.reader = reader
    }

    /// The version that was the newest at the date; one that is yanked now only if there is no other.
    ///
    /// - Parameter offered: the lowest version first.
    private static func newest(of offered: [VersionRecord], at date: Date) -> VersionRecord? {
        let earlier = offered.filter { record in record.publishedAt.map { $0 <= date } ?? false }
        return earlier.last { $0.state == .published } ?? earlier.last
    }

    /// The highest version that is offered and that the reader's app can read.
    package var newest: VersionRecord? {
        readable.last { $0.state == .published && $0.manifest.fits(reader.appVersion) }
    }

    /// The version; `nil` if the reader may not have it.
    package func version(_ version: SemanticVersion) -> VersionRecord? {
        readable.first { $0.manifest.version == version }
    }

    /// Tells whether a version is on the `beta` channel. If its record names no channel, pre-releases are as soon as
    /// there is a version for everybody.
    private static func channels(of records: [VersionRecord]) -> (VersionRecord) -> Bool {
        let hasStable = records.contains { record in
            record.state == .published
                && (record.channel.map { $0 == .stable } ?? !record.manifest.version.isPreRelease)
        }
        return { record in record.channel.map { $0 == .beta } ?? (record.manifest.version.isPreRelease && hasStable) }
    }
}

extension Manifest {
    /// Whether an app of the version can read it; always `true` if the app's version is not known.
    package func fits(_ appVersion: SemanticVersion?) -> Bool {
        guard let appVersion else { return true }
        if let minimumAppVersion, appVersion < minimumAppVersion { return false }
        if let maximumAppVersion, appVersion > maximumAppVersion { return false }
        return true
    }
}
