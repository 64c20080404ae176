/// The conditional headers and the `Range` of a request for content, and their evaluation.
///
/// Content has no `Last-Modified` dates: conditions on dates are ignored, and an `If-Range` with a date never matches.
package struct Preconditions: Hashable, Sendable {
    /// The answer to a request that would otherwise be answered 200.
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

    /// The headers' values, `nil` if the request has none; several lines of one header are joined by commas.
    package init(ifMatch: String? = nil, ifNoneMatch: String? = nil, ifRange: String? = nil, range: String? = nil) {
        self.ifMatch = ifMatch
        self.ifNoneMatch = ifNoneMatch
        self.ifRange = ifRange
        self.range = range
    }

    /// Whether `If-None-Match` names the representation with this strong entity tag; also by `*`.
    package func excludes(etag: String) -> Bool {
        let tag = EntityTag(isWeak: false, opaque: Array(etag.utf8))
        return ifNoneMatch.map { EntityTag.Condition($0).contains(where: tag.matchesWeakly) } ?? false
    }

    /// Evaluates the headers in the order of RFC 9110 §13.2.2.
    ///
    /// - Parameters:
    ///   - method: `GET`, `HEAD`; case-sensitive, as methods are.
    ///   - etag: the characters between the quotes of the representation's strong entity tag.
    ///   - others: the same of the other representations that are current, for example in another content coding.
    ///   - size: of the representation, in bytes.
    package func outcome(method: String, etag: String, others: [String] = [], size: Int) -> Outcome {
        let current = EntityTag(isWeak: false, opaque: Array(etag.utf8))
        let all = [current] + others.map { EntityTag(isWeak: false, opaque: Array($0.utf8)) }
        if let ifMatch {
            let condition = EntityTag.Condition(ifMatch)
            guard all.contains(where: { condition.contains(where: $0.matchesStrongly) }) else {
                return .preconditionFailed
            }
        }
        if let ifNoneMatch, case let condition = EntityTag.Condition(ifNoneMatch),
            all.contains(where: { condition.contains(where: $0.matchesWeakly) })
        {
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
