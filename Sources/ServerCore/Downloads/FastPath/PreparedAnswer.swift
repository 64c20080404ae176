import Content
import Foundation
import HTTPTypes
import NIOCore
import ServerHTTP

/// A response to one request, without its ID and its date, that is valid for as long as what it was made from.
final class PreparedAnswer {
    /// The origin of the response. Nothing is kept in memory, or open, for it.
    enum Source {
        case list(Weak<ReadyProductList>, TextCoding)
        /// A range of the file that is sent.
        ///
        /// - Parameters:
        ///   - asked: the file that the grant opens until it expires.
        case file(Weak<CachedFile>, first: Int, last: Int, asked: Weak<CachedFile>, until: Date)
    }

    /// A class: a copy of an answer then copies no weak reference, which takes ten times as long as a strong one.
    final class Weak<Object: AnyObject> {
        private(set) weak var object: Object?

        init(_ object: Object) { self.object = object }
    }

    let method: HTTPRequest.Method
    let head: AnswerHead
    let hasBody: Bool
    let source: Source
    let route: RouteMetrics
    let series: RouteMetrics.Series

    init(
        method: HTTPRequest.Method, head: AnswerHead, hasBody: Bool, source: Source, route: RouteMetrics,
        series: RouteMetrics.Series
    ) {
        self.method = method
        self.head = head
        self.hasBody = hasBody
        self.source = source
        self.route = route
        self.series = series
    }
}
