import Foundation

/// Trouble that the store is to have: what is given, in this order; calls without `status`, `http` or `drop` are
/// answered as ever after the delay.
struct Fault: Sendable {
    /// Before anything else.
    var delay: Duration?
    /// The connection is closed without an answer.
    var drops = false
    /// The HTTP status, without a body.
    var http: Int?
    /// The `status` of the answer's body.
    var status: Int?
    /// How many calls it is for; nil for all.
    var count: Int?
}

extension Fault: Decodable {
    private enum CodingKeys: CodingKey { case status, http, delaySeconds, drop, count }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        delay = try members.decode(.delaySeconds, in: Limits.delay).map { .milliseconds(Int64($0 * 1_000)) }
        drops = try members.decodeIfPresent(Bool.self, forKey: .drop) ?? false
        http = try members.decode(.http, in: 200...599)
        status = try members.decode(.status, in: 0...99_999)
        count = try members.decode(.count, in: Limits.faultCount)
        guard delay != nil || drops || http != nil || status != nil else {
            throw DecodingError.dataCorruptedError(
                forKey: .status, in: members, debugDescription: "one of status, http, delaySeconds, drop is needed")
        }
    }
}

extension KeyedDecodingContainer {
    /// - Throws: where it is given and out of range.
    func decode<Value: Decodable & Comparable>(
        _ key: Key, in range: ClosedRange<Value>
    ) throws -> Value? {
        guard let value = try decodeIfPresent(Value.self, forKey: key) else { return nil }
        guard range.contains(value) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "\(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }
}

/// The fault in force. Not kept with the purchases: a restart of the store ends its troubles.
actor FaultBoard {
    private var fault: Fault?

    /// Replaces the one before.
    func post(_ fault: Fault) { self.fault = fault }

    func clear() { fault = nil }

    /// The fault for this call, which is counted.
    func take() -> Fault? {
        guard let current = fault else { return nil }
        if let count = current.count {
            if count > 1 { fault?.count = count - 1 } else { fault = nil }
        }
        return current
    }
}
