import Foundation
import NIOCore

/// What one client may cost.
enum Limits {
    /// No header that a player's app sends comes near it.
    static let headerFieldBytes = 8 << 10
    static let headerBytes = 16 << 10
    static let headerFields = 64
    /// Read from a socket at a time. What was read and not asked for yet is in no budget, some four times this for each
    /// connection; NIO's own 64 KiB were 300 KiB for each of those whose bodies are refused.
    static let maximumReadBytes = 16 << 10
    /// A receipt of Apple's own limit, 3 MiB, and the JSON around it.
    static let receiptBodyBytes = (3 << 20) + (64 << 10)
    /// Several receipts at once, as a device restores them.
    static let restoreBodyBytes = 16 << 20
    /// Every other body is a few members.
    static let smallBodyBytes = 16 << 10
    /// Enough for the devices of one purchase history; more in one call would hold a connection too long.
    static let receiptsPerRestore = 100
    /// Those above wait to be accepted. At a megabyte each, what a machine that serves so many has.
    static let connections = 10_000
    /// Who scrapes and who checks the health of the server, some of them at once.
    static let metricsConnections = 64
    /// Connections taken in one go. A crowd comes at once; NIO's 4 make the loop turn for every few of them.
    static let acceptsPerTurn: UInt = 64
    /// Thousands of players share an address of their carrier; one address must not take all that there are.
    static let connectionsPerAddress = 2_000
    /// A head is one packet, or two; a phone in a tunnel sends it again.
    static let headerTime = TimeAmount.seconds(20)
    /// A connection that says nothing, or drips a header, is closed after this.
    static let idleTime = TimeAmount.seconds(30)
    /// The largest body at 64 KiB a second takes half of it; a dripped one is cut.
    static let bodyTime = TimeAmount.minutes(8)
    /// Longer than a body takes, and what the store is asked about it.
    static let totalTime = TimeAmount.minutes(10)
    static let smallBodyTime = TimeAmount.seconds(20)
    /// After an answer that came before the end of a body; nobody who reads it goes on sending for so long.
    static let lingerTime = TimeAmount.seconds(5)
    /// A connection that is to close waits this long for a client to take the rest of an answer.
    static let drainTime = TimeAmount.seconds(8)
    /// Slower than this no download is served to its end.
    static let slowestDownload = 8 << 10
    /// What a download may take besides.
    static let downloadTime = TimeAmount.seconds(60)
    static let idempotencyKeyCharacters = 128
    /// After SIGTERM, what is being answered may take this long.
    static let shutdownTime = Duration.seconds(10)
    /// The first question to the store, while the player waits.
    static let firstAttempt = Duration.seconds(8)
    /// Longer than ``firstAttempt``, so that the retry worker does not ask at the same time.
    static let firstAttemptLease: TimeInterval = 20
}
