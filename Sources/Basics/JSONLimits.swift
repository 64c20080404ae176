/// What a text of JSON may hold, so that its size bounds what it costs to read it.
package struct JSONLimits: Hashable, Sendable {
    /// Levels of arrays and objects. A catalog has six and its metadata a few more; decoders recurse, and some of them
    /// cost the square of the depth for each value.
    package static let maximumDepth = 32
    /// Characters of a number; 20 hold any of 64 bits, and some parsers refuse thousands.
    package static let maximumNumberLength = 64

    /// Members of objects and elements of arrays, of all levels together.
    package var maximumMembers: Int

    /// Limits for one kind of document.
    package init(maximumMembers: Int) { self.maximumMembers = maximumMembers }
}
