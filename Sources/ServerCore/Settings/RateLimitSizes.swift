import Configuration
import ServerHTTP

/// The sizes of the rate limits from the settings: `limits.receiptsPerMinute`, `limits.receiptBurst`, and so on.
///
/// A size that is 0 or not set has its default; `off` instead of a number a minute switches the limit off.
package struct RateLimitSizes: Sendable {
    private var sizes: [RateLimit: TokenBucketSize?] = [:]

    /// - Throws: ``/ServerHTTP/SettingError`` for the first value that is invalid.
    init(_ sources: SettingSources) throws {
        for limit in RateLimit.allCases { sizes[limit] = .some(try sources.size(of: limit)) }
    }

    /// The size of a limit; `nil` if the limit is off.
    subscript(_ limit: RateLimit) -> TokenBucketSize? { sizes[limit] ?? limit.standard }
}

extension RateLimit {
    fileprivate var rateName: String { rawValue + "PerMinute" }
    fileprivate var burstName: String { rawValue.dropLast() + "Burst" }
}

extension SettingSources {
    fileprivate func size(of limit: RateLimit) throws -> TokenBucketSize? {
        let most = TokenBucketSize.range.upperBound
        let rate = try value(
            "limits." + limit.rateName, "a number up to \(most), or off", default: "\(limit.standard.perMinute)"
        ) { reader, key in
            reader.string(forKey: key) == "off" ? Rate.off : reader.size(key).map { .perMinute($0) }
        }
        let burst = try value(
            "limits." + limit.burstName, "a number up to \(most)", default: "\(limit.standard.burst)"
        ) { $0.size($1) }
        var size = limit.standard
        if let burst, burst > 0 { size.burst = burst }
        switch rate {
        case .off: return nil
        case .perMinute(let number) where number > 0: size.perMinute = number
        case .perMinute, nil: break
        }
        return size
    }
}

private enum Rate {
    case off
    case perMinute(Int)
}

extension ConfigReader {
    fileprivate func size(_ key: ConfigKey) -> Int? {
        int(forKey: key).flatMap { 0...TokenBucketSize.range.upperBound ~= $0 ? $0 : nil }
    }
}
