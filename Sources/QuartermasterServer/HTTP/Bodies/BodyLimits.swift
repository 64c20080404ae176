package import Basics
import Content
package import NIOCore

/// The limits of one kind of request body: memory, time to arrive, and cost of decoding.
package struct BodyLimits: Sendable {
    package var maximumBytes: Int
    /// From the first byte to the last; a connection whose body takes longer is closed.
    package var maximumTime: TimeAmount
    package var json: JSONLimits

    /// The limits of bodies with a few members.
    static let small = BodyLimits(
        maximumBytes: Limits.smallBodyBytes, maximumTime: Limits.smallBodyTime, json: JSONLimits(maximumMembers: 1_000))
    /// One receipt and the members beside it.
    static let receipt = BodyLimits(
        maximumBytes: Limits.receiptBodyBytes, maximumTime: Limits.bodyTime, json: JSONLimits(maximumMembers: 1_000))
    /// ``Limits/receiptsPerRestore`` receipts; the limit of members is higher, so that a few receipts too many are told
    /// apart from a body that cannot be read.
    static let restore = BodyLimits(
        maximumBytes: Limits.restoreBodyBytes, maximumTime: Limits.bodyTime, json: JSONLimits(maximumMembers: 2_000))
    /// A manifest with the largest number of files that a version may have, at paths of usual length; at 64 KiB a
    /// second.
    static let manifest = BodyLimits(maximumBytes: 4 << 20, maximumTime: .seconds(64), json: .contentRecord)
}

/// A request body that exceeds its limit. It was not read to its end, so neither its length nor its hash is known.
struct BodySizeError: Error {}
