/// Limits on a JSON text, so that its size bounds the cost of decoding it.
package struct JSONLimits: Hashable, Sendable {
    /// The maximum depth of arrays and objects. A catalog has six levels and its metadata a few more; decoders recurse,
    /// and the cost of some for each value is quadratic in the depth.
    package static let maximumDepth = 32
    /// The maximum number of characters of a number; 20 hold any of 64 bits, and some parsers refuse thousands.
    package static let maximumNumberLength = 64

    /// The maximum number of members and elements, of all levels together.
    package var maximumMembers: Int

    /// The limits of one kind of document.
    package init(maximumMembers: Int) { self.maximumMembers = maximumMembers }
}
