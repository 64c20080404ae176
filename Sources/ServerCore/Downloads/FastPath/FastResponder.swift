import Content
package import CoreMetrics
package import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
package import Logging
import NIOCore
package import ServerHTTP

/// Answers plain requests from memory, with the routes' responses; reads no database, and never blocks.
///
/// It answers what is requested most: content and the product list, whole, in part, or not modified. For everything
/// else, refusals among them, it returns `nil`, and the routes answer.
package struct FastResponder: FastResponding {
    package let files: ContentCache
    package let lists: ProductLists
    package let grants: GrantKeyring
    package let clock: @Sendable () -> Date
    package let contentRoute: RouteMetrics
    package let productsRoute: RouteMetrics
    /// Counts bytes of content.
    package let sent: Counter
    package let ids: RequestIDs
    package let logger: Logger

    package init(
        files: ContentCache, lists: ProductLists, grants: GrantKeyring, clock: @escaping @Sendable () -> Date,
        contentRoute: RouteMetrics, productsRoute: RouteMetrics, sent: Counter, ids: RequestIDs, logger: Logger
    ) {
        self.files = files
        self.lists = lists
        self.grants = grants
        self.clock = clock
        self.contentRoute = contentRoute
        self.productsRoute = productsRoute
        self.sent = sent
        self.ids = ids
        self.logger = logger
    }

    package func knows(_ uri: String) -> Bool {
        uri.hasPrefix(ContentRoutes.pathBeforeHash) || uri.hasPrefix(ProductRoutes.pathBeforeApp)
    }

    package func answer(_ request: FastRequest) -> FastAnswer? {
        let began = ContinuousClock.now
        let date = clock()
        return prepared(request, at: date).flatMap { send($0, at: date, since: began) }
    }

    /// The response to a request whose head is known, prepared again if it is no longer valid.
    package func answer(_ known: KnownRequest) -> FastAnswer? {
        let began = ContinuousClock.now
        let date = clock()
        if let prepared = known.prepared as? PreparedAnswer, let answer = send(prepared, at: date, since: began) {
            return answer
        }
        let prepared = prepared(known.request, at: date)
        known.prepared = prepared
        return prepared.flatMap { send($0, at: date, since: began) }
    }

    // MARK: Preparing

    private func prepared(_ request: FastRequest, at date: Date) -> PreparedAnswer? {
        switch FastTarget(request.uri) {
        case .content(let sha256, let grant): content(sha256, grant, request, at: date)
        case .products(let app): products(app, request, at: date)
        case nil: nil
        }
    }

    private func content(_ sha256: String, _ grant: String, _ request: FastRequest, at date: Date) -> PreparedAnswer? {
        guard let asked = files.file(sha256, at: date), let end = asked.end(of: grant, grants.signer, at: date),
            let file = representation(of: asked, sha256, request, at: date)
        else { return nil }
        func answer(_ first: Int, _ last: Int, _ head: AnswerHead, hasBody: Bool) -> PreparedAnswer {
            PreparedAnswer(
                method: request.method, head: head, hasBody: hasBody,
                source: .file(.init(file), first: first, last: last, asked: .init(asked), until: end),
                route: contentRoute, series: contentRoute.series(request.method, head.status.code))
        }
        func part(
            _ first: Int, _ last: Int, _ status: HTTPResponse.Status, of whole: (first: Int, last: Int, size: Int)?
        ) -> PreparedAnswer {
            let head = AnswerHead(
                status, file.fields, contentRange: whole, length: last - first + 1, closes: request.closes)
            return answer(first, last, head, hasBody: !request.isHead)
        }
        let etag = file.representation.etag
        switch request.conditions.outcome(method: request.method.rawValue, etag: etag, size: file.size) {
        case .whole: return part(0, file.size - 1, .ok, of: nil)
        case .part(let first, let last): return part(first, last, .partialContent, of: (first, last, file.size))
        case .notModified:
            let head = AnswerHead(.notModified, file.notModifiedFields, length: nil, closes: request.closes)
            return answer(0, 0, head, hasBody: false)
        case .preconditionFailed, .rangeNotSatisfiable: return nil
        }
    }

    /// The cached representation that the client prefers; `nil` also if that one is not in the cache.
    private func representation(
        of file: CachedFile, _ sha256: String, _ request: FastRequest, at date: Date
    ) -> CachedFile? {
        let choice = request.negotiation.choice(
            among: file.representation.variants, size: file.size, sha256: sha256)
        switch choice {
        case .identity: return file
        case .variant: return files.file(choice.entityTag(of: sha256), at: date)
        case .notAcceptable: return nil
        }
    }

    private func products(_ app: String, _ request: FastRequest, at date: Date) -> PreparedAnswer? {
        guard let list = lists.ready(BundleID(stored: app), at: date) else { return nil }
        let coding = list.text.coding(acceptEncoding: request.negotiation.acceptEncoding)
        guard let encoded = list.encoded(coding) else { return nil }
        func answer(_ head: AnswerHead, hasBody: Bool) -> PreparedAnswer {
            PreparedAnswer(
                method: request.method, head: head, hasBody: hasBody, source: .list(.init(list), coding),
                route: productsRoute, series: productsRoute.series(request.method, head.status.code))
        }
        switch list.text.outcome(request.conditions, method: request.method, coding) {
        case .notModified:
            let known = list.encoded(list.text.unmodified(request.conditions, preferring: coding)) ?? encoded
            let head = AnswerHead(.notModified, known.validators, length: nil, closes: request.closes)
            return answer(head, hasBody: false)
        case .preconditionFailed: return nil
        case .whole, .part, .rangeNotSatisfiable:
            let head = AnswerHead(
                .ok, encoded.fields, length: encoded.bytes.readableBytes, closes: request.closes)
            return answer(head, hasBody: !request.isHead)
        }
    }

    // MARK: Sending

    /// Counts and logs the response as the routes' responses are.
    ///
    /// - Returns: `nil` if the response is no longer valid.
    private func send(_ prepared: PreparedAnswer, at date: Date, since began: ContinuousClock.Instant) -> FastAnswer? {
        guard let body = body(of: prepared, at: date) else { return nil }
        let answer = FastAnswer(head: prepared.head, id: ids.nextID(), body: body)
        if case .file = prepared.source, prepared.hasBody { sent.increment(by: answer.bodyBytes) }
        let time = ContinuousClock.now - began
        prepared.series.record(time)
        logger.debug(
            "request",
            metadata: [
                "\(RequestIDs.logKey)": "\(answer.id)", "method": "\(prepared.method)",
                "route": "\(prepared.route.template)", "status": "\(answer.head.status.code)",
                "milliseconds": "\(time.milliseconds)",
            ])
        return answer
    }

    /// The body that the response has now.
    ///
    /// - Returns: `nil` if the list or the file is not the current one, the grant has expired, or the file cannot be
    ///   sent now.
    private func body(of prepared: PreparedAnswer, at date: Date) -> FastAnswer.Body? {
        switch prepared.source {
        case .list(let list, let coding):
            guard let list = list.object, lists.isCurrent(list, at: date) else { return nil }
            return prepared.hasBody ? list.encoded(coding).map { .bytes($0.bytes) } : FastAnswer.Body.none
        case .file(let file, let first, let last, let asked, let end):
            guard date < end, let asked = asked.object, asked.isFresh(at: date), let file = file.object,
                file.isFresh(at: date)
            else { return nil }
            asked.use(at: date)
            file.use(at: date)
            return prepared.hasBody ? file.part(first: first, last: last) : FastAnswer.Body.none
        }
    }
}

extension FastRequest {
    fileprivate var method: HTTPRequest.Method { isHead ? .head : .get }
}
