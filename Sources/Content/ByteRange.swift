import InAppPurchase

/// What a `Range` header asks for, of a representation with a known size (RFC 9110 §14).
///
/// Several ranges are answered whole (§14.2 allows it), and so is whatever is malformed or of another unit.
package enum ByteRange: Hashable, Sendable {
    case whole
    /// The positions of the first and the last byte, both within the size.
    case part(first: Int, last: Int)
    /// Nothing of the range lies within the size: 416.
    case unsatisfiable

    /// - Parameters:
    ///   - header: the field's value; nil where the request has none.
    ///   - size: of the whole representation, in bytes. Of an empty one no range is satisfiable.
    package init(_ header: String?, size: Int) {
        let specifier = header?.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) ?? []
        guard specifier.count == 2, specifier.first?.lowercased() == "bytes",
            let range = specifier.last.flatMap(Self.singleRange)
        else {
            self = .whole
            return
        }
        self.init(range, size: size)
    }

    /// The one range of the set (§14.1.1), an empty list element beside it ignored (§5.6.1.2).
    private static func singleRange(in set: Substring) -> Substring? {
        let pieces = set.split(separator: ",", omittingEmptySubsequences: false)
        let ranges = pieces.enumerated().compactMap { position, piece -> Substring? in
            var range = piece
            // White space belongs to the commas, so there is none at either end of the list.
            if position > 0 { range = range.drop(while: \.isOptionalWhitespace) }
            while position < pieces.count - 1, range.last?.isOptionalWhitespace == true { range = range.dropLast() }
            return range.isEmpty ? nil : range
        }
        return ranges.count == 1 ? ranges.first : nil
    }

    private init(_ range: Substring, size: Int) {
        let bounds = range.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let (first, last) = (bounds.first?.position, bounds.last?.position)
        switch (first, last) {
        case _ where bounds.count != 2: self = .whole
        case (nil, let length?) where bounds.first?.isEmpty == true:
            self = Self.part(first: max(0, size - length), last: size - 1, of: length > 0 ? size : 0)
        case (let first?, nil) where bounds.last?.isEmpty == true:
            self = Self.part(first: first, last: size - 1, of: size)
        case (let first?, let last?) where first <= last: self = Self.part(first: first, last: last, of: size)
        default: self = .whole
        }
    }

    private static func part(first: Int, last: Int, of size: Int) -> ByteRange {
        first < size ? .part(first: first, last: min(last, size - 1)) : .unsatisfiable
    }
}

extension Character {
    fileprivate var isOptionalWhitespace: Bool { self == " " || self == "\t" }
}

extension Substring {
    /// The number; the largest there is for one beyond 64 bits, nil where these are not digits.
    fileprivate var position: Int? { isDecimal ? Int(self) ?? .max : nil }
}
