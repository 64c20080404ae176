import NIOCore

/// The limits of one connection, and of one address: the settings `limits.idleSeconds` and so on.
///
/// A limit that is 0 or not set has its default.
struct ConnectionLimits: Sendable {
    /// The time from the first byte of a request's head to its last.
    var header = Limits.headerTime
    /// The time after which a connection that sends nothing, between requests or within a body, is closed.
    var idle = Limits.idleTime
    /// The time for a whole body.
    var body = Limits.bodyTime
    /// The time from a request's head until its response begins.
    var total = Limits.totalTime
    /// The minimum rate of a download, in bytes a second.
    var slowestDownload = Limits.slowestDownload
    /// The time that a download may take in addition to its size at the minimum rate.
    let downloadTime = Limits.downloadTime
    /// The maximum number of open connections of one address; trusted proxies have no maximum.
    var perAddress = Limits.connectionsPerAddress

    init() {}
}
