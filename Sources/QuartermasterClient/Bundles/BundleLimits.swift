import Foundation

/// How much a bundle may have, how its content is asked for, and how often.
enum BundleLimits {
    /// Files of a version. Ten times what the server accepts today, for apps that are older than their server.
    static let files = 100_000
    /// A file, in bytes: no device has more room.
    static let fileBytes = 1 << 40
    /// The files of a version together, in bytes.
    static let versionBytes = 1 << 42
    /// A component of a path, in bytes of UTF-8, as in most file systems.
    static let nameBytes = 255
    /// A path, in bytes of UTF-8.
    static let pathBytes = 1_024
    /// Components of a path.
    static let pathComponents = 32
    /// A version's number, in bytes: it is part of a folder's name.
    static let versionNameBytes = 128

    /// Files that are downloaded at once.
    static let concurrentFiles = 3
    /// A file of at most so many bytes is asked for whole, in any encoding.
    static let wholeBytes = 256 << 10
    /// The first range of a file that is asked for.
    static let firstPiece = 256 << 10
    /// The least and the most that is asked for at once: what is lost if a proxy hands on whole answers only.
    static let pieces = (64 << 10)...(8 << 20)
    /// A piece that took less is followed by one of twice its size.
    static let fastPiece = Duration.seconds(1)
    /// A piece that took longer is followed by one of half its size.
    static let slowPiece = Duration.seconds(4)
    /// A range is over by then: the largest piece at 64 KiB a second.
    static let pieceDeadline = Duration.seconds(128)
    /// A whole file is over by then, from a server that has no ranges.
    static let wholeDeadline = Duration.seconds(6 * 3_600)

    /// Attempts in a row that bring nothing new, after which a download fails as offline.
    static let fruitlessAttempts = 8
    /// The same for the manifest a download begins with, so that a player without a network is soon told.
    static let firstAttempts = 3
    /// The same for a patch, after which the whole file is fetched.
    static let fruitlessPatchAttempts = 4
    /// The bounds of the waits between them.
    static let firstWait = Duration.seconds(1)
    static let maximumWait = Duration.seconds(60)
    /// Manifests in a row whose links bring nothing.
    static let fruitlessManifests = 5
    /// The least time between two manifests of one download.
    static let manifestInterval = Duration.seconds(60)
    /// The least time between two requests for keys because of one that is unknown.
    static let keysInterval = Duration.seconds(60)
    /// Keys that are older, in seconds, are asked for again.
    static let keysAge: TimeInterval = 86_400
    /// Keys of a server: one more each year.
    static let keys = 1_000

    /// In seconds. Each replica signs anew once a minute, so that the statement of one may be older than another's.
    static let statementSpread: TimeInterval = 120
    /// Free bytes that a download leaves.
    static let spareBytes = 16 << 20
    /// An older file that is larger is not patched: decoders hold it in memory.
    #if os(iOS) || os(tvOS) || os(visionOS)
        static let patchBaseBytes = 64 << 20
    #else
        static let patchBaseBytes = 1 << 30
    #endif
    /// In seconds. What an unfinished download has fetched is kept for so long.
    static let unfinishedAge: TimeInterval = 30 * 86_400
    /// Deliveries that wait for their confirmation; the oldest are dropped.
    static let confirmations = 100
}
