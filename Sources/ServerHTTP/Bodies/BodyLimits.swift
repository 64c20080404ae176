package import NIOCore
package import StrictJSON

/// The limits of one kind of request body: memory, time to arrive, and cost of decoding.
package struct BodyLimits: Sendable {
    package var maximumBytes: Int
    /// From the first byte to the last; a connection whose body takes longer is closed.
    package var maximumTime: TimeAmount
    package var json: JSONLimits

    package init(maximumBytes: Int, maximumTime: TimeAmount, json: JSONLimits) {
        self.maximumBytes = maximumBytes
        self.maximumTime = maximumTime
        self.json = json
    }

    /// The limits of bodies with a few members.
    package static let small = BodyLimits(
        maximumBytes: Limits.smallBodyBytes, maximumTime: Limits.smallBodyTime, json: JSONLimits(maximumMembers: 1_000))
}

/// A request body that exceeds its limit. It was not read to its end, so neither its length nor its hash is known.
package struct BodySizeError: Error {}
