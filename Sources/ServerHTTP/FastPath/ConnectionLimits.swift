package import NIOCore

/// The limits of one connection, and of one address: the settings `limits.idleSeconds` and so on.
///
/// A limit that is 0 or not set has its default.
package struct ConnectionLimits: Sendable {
    /// The time from the first byte of a request's head to its last.
    package var header = Limits.headerTime
    /// The time after which a connection that sends nothing, between requests or within a body, is closed.
    package var idle = Limits.idleTime
    /// The time for a whole body.
    package var body = Limits.bodyTime
    /// The time from a request's head until its response begins.
    package var total = Limits.totalTime
    /// The minimum rate of a download, in bytes a second.
    package var slowestDownload = Limits.slowestDownload
    /// The time that a download may take in addition to its size at the minimum rate.
    package let downloadTime = Limits.downloadTime
    /// The maximum number of open connections of one address; trusted proxies have no maximum.
    package var perAddress = Limits.connectionsPerAddress

    package init() {}
}
