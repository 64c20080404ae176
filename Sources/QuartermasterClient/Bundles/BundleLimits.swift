import Foundation

/// Limits of the content of bundles, and of the requests for it.
enum BundleLimits {
    /// The maximum number of files of a version. Ten times what the server accepts today, for apps that are older than
    /// their server.
    static let files = 100_000
    /// The maximum size of a file, in bytes: no device has more room.
    static let fileBytes = 1 << 40
    /// The maximum size of the files of a version together, in bytes.
    static let versionBytes = 1 << 42
    /// The maximum length of a component of a path, in bytes of UTF-8, as in most file systems.
    static let nameBytes = 255
    /// The maximum length of a path, in bytes of UTF-8.
    static let pathBytes = 1_024
    /// The maximum number of components of a path.
    static let pathComponents = 32
    /// The maximum length of a version's number, in bytes: it is part of a folder's name.
    static let versionNameBytes = 128

    /// The number of files that are downloaded at once.
    static let concurrentFiles = 3
    /// The same for a system that downloads while the app does not run: it wakes the app when all have arrived.
    static let backgroundFiles = 100
    /// The range that such a system fetches at once of a file of which a part is here: it does not continue ranges.
    static let backgroundRange = 64 << 20
    /// How long links are valid that such a system uses, in seconds: as long as the server allows.
    static let backgroundLinkLifetime = 86_400
    /// How long the app may prepare the next requests when the system has woken it; the system allows half a minute.
    static let backgroundWake = Duration.seconds(20)
    /// The maximum size of a file that is requested whole, in any encoding.
    static let wholeBytes = 256 << 10
    /// The size of the first range of a file that is requested.
    static let firstPiece = 256 << 10
    /// The smallest and the largest range: what is lost if a proxy passes on only whole answers.
    static let pieces = (64 << 10)...(8 << 20)
    /// A range that took less time is followed by one of twice its size.
    static let fastPiece = Duration.seconds(1)
    /// A range that took longer is followed by one of half its size.
    static let slowPiece = Duration.seconds(4)
    /// The deadline of a range: the largest one at 64 KiB a second.
    static let pieceDeadline = Duration.seconds(128)
    /// The deadline of a whole file, from a server without ranges.
    static let wholeDeadline = Duration.seconds(6 * 3_600)

    /// The number of attempts in a row without anything new, after which a download fails as offline.
    static let fruitlessAttempts = 8
    /// The same for the manifest that a download begins with, so that a player without a network soon knows.
    static let firstAttempts = 3
    /// The same for a patch, after which the whole file is fetched.
    static let fruitlessPatchAttempts = 4
    /// The bounds of the waits between them.
    static let firstWait = Duration.seconds(1)
    static let maximumWait = Duration.seconds(60)
    /// The number of manifests in a row whose links bring nothing, after which a download fails as offline.
    static let fruitlessManifests = 5
    /// The least time between two manifests of one download.
    static let manifestInterval = Duration.seconds(60)
    /// The least time between two requests for keys because of one that is unknown.
    static let keysInterval = Duration.seconds(60)
    /// The age in seconds from which keys are requested again.
    static let keysAge: TimeInterval = 86_400
    /// The maximum number of keys of a server: one more each year.
    static let keys = 1_000

    /// The time in seconds by which a statement may be older than another replica's: each signs anew once a minute.
    static let statementSpread: TimeInterval = 120
    /// The number of bytes on the disk that a download leaves free.
    static let spareBytes = 16 << 20
    /// The maximum size of an older file that is patched: decoders hold it in memory.
    #if os(iOS) || os(visionOS)
        static let patchBaseBytes = 64 << 20
    #else
        static let patchBaseBytes = 1 << 30
    #endif
    /// The time in seconds for which the content of an unfinished download is kept.
    static let unfinishedAge: TimeInterval = 30 * 86_400
    /// The maximum number of deliveries that wait for their confirmation; the oldest are dropped.
    static let confirmations = 100
}
