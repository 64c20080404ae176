import Configuration
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

    /// - Throws: ``SettingError`` for the first value that is invalid.
    init(_ sources: SettingSources) throws {
        func time(_ name: Name, _ standard: TimeAmount) throws -> TimeAmount {
            try sources.number(name, upTo: Self.maximumSeconds).map { .seconds(Int64($0)) } ?? standard
        }
        header = try time(.headerSeconds, header)
        idle = try time(.idleSeconds, idle)
        body = try time(.bodySeconds, body)
        total = try time(.totalSeconds, total)
        slowestDownload = try sources.number(.downloadBytesPerSecond, upTo: Self.maximumBytes) ?? slowestDownload
        perAddress = try sources.number(.connectionsPerAddress, upTo: Self.maximumConnections) ?? perAddress
    }

    /// A day; no limit here is meant to be longer.
    private static let maximumSeconds = 86_400
    /// A minimum rate above the speed of phones would cut them all off.
    private static let maximumBytes = 1 << 20
    /// More than a system has file descriptors for.
    private static let maximumConnections = 1_000_000

    /// The names under `limits` in a configuration file.
    static let settingNames = Set(Name.allCases.map(\.rawValue))

    fileprivate enum Name: String, CaseIterable {
        case headerSeconds, idleSeconds, bodySeconds, totalSeconds, downloadBytesPerSecond, connectionsPerAddress
    }
}

extension SettingSources {
    /// The value of a setting; `nil` if it is 0 or not set.
    fileprivate func number(_ name: ConnectionLimits.Name, upTo most: Int) throws -> Int? {
        let number = try value("limits." + name.rawValue, "a number up to \(most)") { reader, key in
            reader.int(forKey: key).flatMap { (0...most).contains($0) ? $0 : nil }
        }
        return number == 0 ? nil : number
    }
}
