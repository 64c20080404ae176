/// The conditional headers of a request for content, and what to answer by them.
///
/// There are no `Last-Modified` dates here: conditions on dates are ignored, and `If-Range` with one never holds.
package struct Preconditions: Hashable, Sendable {
    /// What to answer where the request would else be answered 200.
    package enum Outcome: Hashable, Sendable {
        /// 200.
        case whole
        /// 206; both positions are within the size.
        case part(first: Int, last: Int)
        /// 304.
        case notModified
        /// 412.
        case preconditionFailed
        /// 416.
        case rangeNotSatisfiable
    }

    package var ifMatch: String?
    package var ifNoneMatch: String?
    package var ifRange: String?
    package var range: String?

    /// The headers' values, nil where the request has none; several lines of one joined by commas.
    package init(ifMatch: String? = nil, ifNoneMatch: String? = nil, ifRange: String? = nil, range: String? = nil) {
        self.ifMatch = ifMatch
        self.ifNoneMatch = ifNoneMatch
        self.ifRange = ifRange
        self.range = range
    }

    /// Judges the headers in the order of RFC 9110 §13.2.2.
    ///
    /// - Parameters:
    ///   - method: `GET`, `HEAD`; with case, as methods are.
    ///   - etag: what stands between the quotes of the representation's strong entity tag.
    ///   - size: of the representation, in bytes.
    package func outcome(method: String, etag: String, size: Int) -> Outcome {
        let current = EntityTag(isWeak: false, opaque: Array(etag.utf8))
        if let ifMatch, !EntityTag.Condition(ifMatch).contains(where: current.matchesStrongly) {
            return .preconditionFailed
        }
        if let ifNoneMatch, EntityTag.Condition(ifNoneMatch).contains(where: current.matchesWeakly) {
            return method == "GET" || method == "HEAD" ? .notModified : .preconditionFailed
        }
        guard method == "GET", ifRange.map({ EntityTag($0)?.matchesStrongly(current) ?? false }) ?? true else {
            return .whole
        }
        switch ByteRange(range, size: size) {
        case .whole: return .whole
        case .part(let first, let last): return .part(first: first, last: last)
        case .unsatisfiable: return .rangeNotSatisfiable
        }
    }
}
