import Foundation

/// An injected fault. Its members apply in this order; a call with only a delay is answered as usual after it.
struct Fault: Sendable {
    /// The delay before anything else.
    var delay: Duration?
    /// Whether the connection is closed without a response.
    var drops = false
    /// Whether the response is 200 with bytes that are not JSON.
    var isGarbage = false
    /// The HTTP status; without a body if there is no ``errorCode``.
    var http: Int?
    /// The error code in a body of the Server API's form.
    var errorCode: Int?
    /// The value for `Retry-After`, in seconds from now, for a 429.
    var retryAfter: TimeInterval?
    /// The `status` in the response's body.
    var status: Int?
    /// The number of calls it applies to; `nil` for all.
    var count: Int?
    /// The prefix of the call's path, with or without the environment; `nil` for all.
    var path: String?
}

extension Fault: Decodable {
    private enum CodingKeys: CodingKey {
        case status, http, errorCode, delaySeconds, drop, garbage, retryAfterSeconds, count, path
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        delay = try members.decode(.delaySeconds, in: SimulatorLimits.delay).map { .milliseconds(Int64($0 * 1_000)) }
        drops = try members.decodeIfPresent(Bool.self, forKey: .drop) ?? false
        isGarbage = try members.decodeIfPresent(Bool.self, forKey: .garbage) ?? false
        errorCode = try members.decode(.errorCode, in: SimulatorLimits.errorCode)
        retryAfter = try members.decode(.retryAfterSeconds, in: SimulatorLimits.retryAfter)
        http = try members.decode(.http, in: 200...599)
        status = try members.decode(.status, in: 0...99_999)
        count = try members.decode(.count, in: SimulatorLimits.faultCount)
        path = try members.decodeIfPresent(.path, "1 to 255 characters") { $0.identifier }
        if http == nil, let errorCode { http = errorCode / 10_000 }
        if http == nil, retryAfter != nil {
            http = 429
            errorCode = 4_290_000
        }
        guard delay != nil || drops || isGarbage || http != nil || status != nil else {
            throw DecodingError.dataCorruptedError(
                forKey: .status, in: members,
                debugDescription: """
                    one of status, http, errorCode, delaySeconds, drop, garbage, retryAfterSeconds is needed
                    """)
        }
    }
}

extension KeyedDecodingContainer {
    /// - Throws: if the value is given and out of range.
    func decode<Value: Decodable & Comparable>(_ key: Key, in range: ClosedRange<Value>) throws -> Value? {
        guard let value = try decodeIfPresent(Value.self, forKey: key) else { return nil }
        guard range.contains(value) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "\(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }
}

extension Fault {
    var length: Int { path?.utf8.count ?? 0 }

    func applies(to call: String) -> Bool {
        guard let path else { return true }
        let withoutEnvironment = call.drop { $0 == "/" }.drop { $0 != "/" }
        return call.hasPrefix(path) || withoutEnvironment.hasPrefix(path)
    }
}
