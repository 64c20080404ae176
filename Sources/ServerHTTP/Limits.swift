package import Foundation
package import NIOCore
package import NIOHTTP1

/// The limits of what one client may cost.
package enum Limits {
    /// Far above any header field that a player's app sends.
    static let headerFieldBytes = 8 << 10
    static let headerBytes = 16 << 10
    static let headerFields = 64
    /// The limits of a head, as the decoder takes them.
    package static let decoder: NIOHTTPDecoderLimitConfiguration = {
        var limits = NIOHTTPDecoderLimitConfiguration()
        (limits.maxHeaderFieldSize, limits.maxHeaderListSize) = (headerFieldBytes, headerBytes)
        limits.maxHeaderFieldCount = headerFields
        return limits
    }()
    /// The bytes read from a socket at a time. What has been read but not yet asked for is in no budget, some six
    /// times this for each connection; with NIO's own 64 KiB it was 300 KiB for each connection whose body is refused.
    static let maximumReadBytes = 16 << 10
    /// The same for a large body of which ``largeReadsFrom`` bytes were accepted: for 16 MiB, 256 reads instead of
    /// 1,024, each of which wakes the event loop and the task of the request.
    static let maximumLargeReadBytes = 64 << 10
    /// The bytes of a body from which its reads are large: some times what they may read ahead.
    static let largeReadsFrom = 1 << 20
    /// The bytes that large reads may read ahead of the request, which the budget for bodies counts: six of them.
    static let readAheadBytes = 6 * maximumLargeReadBytes
    /// Apple's own limit of a receipt, 3 MiB, and the JSON around it.
    package static let receiptBodyBytes = (3 << 20) + (64 << 10)
    /// Several receipts in one request, as a device restores them.
    package static let restoreBodyBytes = 16 << 20
    /// The limit of every other body, which is a few members.
    static let smallBodyBytes = 16 << 10
    /// Enough for the devices of one purchase history; more in one call would hold a connection too long.
    package static let receiptsPerRestore = 100
    /// The maximum number of open connections; further ones wait to be accepted. At a megabyte each they take what a
    /// machine that serves so many has.
    package static let connections = 10_000
    /// The maximum number of content files that are kept open: fewer than a system allows by default (1,024).
    package static let openFiles = 512
    /// Connections to the metrics address: scrapers and health checks, several of them at once.
    package static let metricsConnections = 64
    /// Connections to the separate address of the pages for administrators: a browser opens six.
    package static let adminConnections = 256
    /// The maximum number of connections accepted in one turn of the event loop. Many clients connect at once; with
    /// NIO's 4 the loop would turn for every few of them.
    static let acceptsPerTurn: UInt = 64
    /// Thousands of players share an address of their carrier, but one address must not occupy all connections.
    package static let connectionsPerAddress = 2_000
    /// The time for a request's head to arrive. It is one packet, or two; a phone in a tunnel sends it again.
    static let headerTime = TimeAmount.seconds(20)
    /// A connection that sends nothing, or a header a byte at a time, is closed after this.
    package static let idleTime = TimeAmount.seconds(30)
    /// The largest body takes half of this at 64 KiB a second; a slower one is cut off.
    package static let bodyTime = TimeAmount.minutes(8)
    /// Longer than a body takes to arrive together with the questions to the App Store about it.
    package static let totalTime = TimeAmount.minutes(10)
    package static let smallBodyTime = TimeAmount.seconds(20)
    /// How long a client that has its last response, or was asked to end the connection, may send nothing before the
    /// connection is closed. One that reads the response closes sooner.
    static let lingerTime = TimeAmount.seconds(5)
    /// How long a client may go on sending what is not read: as long as any connection may be idle.
    static let maximumLingerTime = TimeAmount.seconds(30)
    /// The bytes that are read and discarded after a response that ends the connection, four of the largest bodies: to
    /// read them takes less than to accept the connections for as many requests.
    static let maximumLingerBytes = 64 << 20
    /// The bytes that an HTTP/2 connection may have unsent before further streams wait: four of what others may.
    static let unsentStreamBytes = 4 * UnsentBudget.uncountedBytes
    /// How long a connection that is to close waits for the client to receive the rest of a response.
    static let drainTime = TimeAmount.seconds(8)
    /// The minimum rate of a download, in bytes a second; a slower one is not served to its end.
    package static let slowestDownload = 8 << 10
    /// The time that a download may take in addition to its size at the minimum rate.
    package static let downloadTime = TimeAmount.seconds(60)
    /// How often a file that the system sends without a copy is compared with what was opened: seldom enough to cost
    /// nothing, and soon enough where the file was cut short and the event loop waits for bytes that never come.
    static let fileCheckInterval = TimeAmount.milliseconds(100)
    /// An app has fewer products; an honest report fits a small body.
    package static let unavailableProductsPerReport = 100
    package static let idempotencyKeyCharacters = 128
    /// 128 random bits in base64: whoever guesses the key of a new account has the account.
    package static let minimumAccountKeyCharacters = 22
    /// Different characters of such a key, and different steps between them: few enough for every random key.
    package static let minimumAccountKeyVariety = 6
    /// How long requests in progress may take after SIGTERM.
    package static let shutdownTime = Duration.seconds(10)
    /// The time of the first question to the App Store, while the player waits.
    package static let firstAttempt = Duration.seconds(8)
    /// The time of the question to the App Store before an introductory offer is signed.
    package static let offerQuestion = Duration.seconds(3)
    /// The time of the question to the App Store about the refunds of an old purchase, while the player waits.
    package static let refundQuestion = Duration.seconds(3)
    /// In seconds; longer than ``firstAttempt``, so that the retry worker does not ask at the same time.
    package static let firstAttemptLease: TimeInterval = 20
}
