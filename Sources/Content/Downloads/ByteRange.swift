import InAppPurchase

/// The result of a `Range` header for a representation of a known size (RFC 9110 §14).
///
/// A header with several ranges is answered with the whole representation (§14.2 allows it), and so is one that is
/// malformed or in another range unit.
package enum ByteRange: Hashable, Sendable {
    case whole
    /// The positions of the first and the last byte, both within the size.
    case part(first: Int, last: Int)
    /// No byte of the range lies within the size: 416.
    case unsatisfiable

    /// - Parameters:
    ///   - header: the field's value; `nil` if the request has none.
    ///   - size: of the whole representation, in bytes. If it is 0, no range is satisfiable.
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

    /// The only range of the set (§14.1.1); empty list elements are ignored (§5.6.1.2). `nil` if there are several or
    /// none.
    private static func singleRange(in set: Substring) -> Substring? {
        let pieces = set.split(separator: ",", omittingEmptySubsequences: false)
        let ranges = pieces.enumerated().compactMap { position, piece -> Substring? in
            var range = piece
            // White space belongs to the commas, so it is not allowed at either end of the list.
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
    /// The number; `Int.max` if it exceeds 64 bits, `nil` if these are not digits.
    fileprivate var position: Int? { isDecimal ? Int(self) ?? .max : nil }
}
