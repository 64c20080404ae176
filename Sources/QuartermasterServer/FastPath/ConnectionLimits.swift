import Configuration
import NIOCore

/// What one connection, and one address, may take of the server: `limits.idleSeconds` and so on.
///
/// 0, or nothing, is the default.
struct ConnectionLimits: Sendable {
    /// From the first byte of a request's head to its last.
    var header = Limits.headerTime
    /// A connection that says nothing, between requests or within a body, is closed after this.
    var idle = Limits.idleTime
    /// For a whole body.
    var body = Limits.bodyTime
    /// From a request's head until its answer begins.
    var total = Limits.totalTime
    /// Bytes a second.
    var slowestDownload = Limits.slowestDownload
    /// What a download may take besides.
    let downloadTime = Limits.downloadTime
    /// Connections of one address at a time; trusted proxies have as many as they like.
    var perAddress = Limits.connectionsPerAddress

    init() {}

    /// - Throws: ``SettingError`` for the first value that is wrong.
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

    /// A day; nothing here is meant to last longer.
    private static let maximumSeconds = 86_400
    /// A floor above the speed of phones would cut them all off.
    private static let maximumBytes = 1 << 20
    /// More than a system has descriptors for.
    private static let maximumConnections = 1_000_000

    /// The names under `limits` in a configuration file.
    static let settingNames = Set(Name.allCases.map(\.rawValue))

    fileprivate enum Name: String, CaseIterable {
        case headerSeconds, idleSeconds, bodySeconds, totalSeconds, downloadBytesPerSecond, connectionsPerAddress
    }
}

extension SettingSources {
    /// Nil for 0 too.
    fileprivate func number(_ name: ConnectionLimits.Name, upTo most: Int) throws -> Int? {
        let number = try value("limits." + name.rawValue, "a number up to \(most)") { reader, key in
            reader.int(forKey: key).flatMap { (0...most).contains($0) ? $0 : nil }
        }
        return number == 0 ? nil : number
    }
}
