import Content
import CoreMetrics
import Foundation
import InAppPurchase
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Answers plain requests from memory, with the routes' responses; reads no database, and never blocks.
///
/// It answers what is requested most: content and the product list, whole, in part, or not modified. For everything
/// else, refusals among them, it returns `nil`, and the routes answer.
struct FastResponder: Sendable {
    let files: ContentCache
    let lists: ProductLists
    let grants: GrantKeyring
    let clock: @Sendable () -> Date
    let contentRoute: RouteMetrics
    let productsRoute: RouteMetrics
    /// Counts bytes of content.
    let sent: Counter
    let ids: RequestIDs
    let logger: Logger

    func answer(_ request: FastRequest) -> FastAnswer? {
        let (began, id) = (ContinuousClock.now, ids.next())
        switch request.target {
        case .content(let sha256, let grant):
            guard let answer = content(sha256, grant, request, id) else { return nil }
            if answer.bodyBytes > 0 { sent.increment(by: answer.bodyBytes) }
            return recorded(answer, request, contentRoute, id, began)
        case .products(let app):
            return products(app, request, id).map { recorded($0, request, productsRoute, id, began) }
        }
    }

    private func content(_ sha256: String, _ grant: String, _ request: FastRequest, _ id: String) -> FastAnswer? {
        let date = clock()
        guard let plain = files.file(sha256, at: date), plain.isOpened(by: grant, grants.signer, at: date),
            let file = representation(of: plain, sha256, request, at: date)
        else { return nil }
        func head(_ status: HTTPResponse.Status, _ fields: ByteBuffer) -> AnswerHead {
            AnswerHead(status: status, fields: fields, closes: request.closes, id: id)
        }
        let etag = file.representation.etag
        switch request.conditions.outcome(method: request.method.rawValue, etag: etag, size: file.size) {
        case .whole: return part(of: file, 0, file.size - 1, head(.ok, file.fields), request)
        case .part(let first, let last):
            var head = head(.partialContent, file.fields)
            head.contentRange = (first, last, file.size)
            return part(of: file, first, last, head, request)
        case .notModified: return FastAnswer(head: head(.notModified, file.notModifiedFields), body: .none)
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

    private func part(
        of file: CachedFile, _ first: Int, _ last: Int, _ head: AnswerHead, _ request: FastRequest
    ) -> FastAnswer? {
        guard let body = request.isHead ? FastAnswer.Body.none : file.part(first: first, last: last) else { return nil }
        var head = head
        head.length = last - first + 1
        return FastAnswer(head: head, body: body)
    }

    private func products(_ app: String, _ request: FastRequest, _ id: String) -> FastAnswer? {
        guard let list = lists.ready(BundleID(stored: app), at: clock()) else { return nil }
        let coding = list.text.coding(acceptEncoding: request.negotiation.acceptEncoding)
        guard let encoded = list.encoded(coding) else { return nil }
        func head(_ status: HTTPResponse.Status, _ fields: ByteBuffer, length: Int? = nil) -> AnswerHead {
            AnswerHead(status: status, fields: fields, length: length, closes: request.closes, id: id)
        }
        switch list.text.outcome(request.conditions, method: request.method, coding) {
        case .notModified:
            let known = list.encoded(list.text.unmodified(request.conditions, preferring: coding)) ?? encoded
            return FastAnswer(head: head(.notModified, known.validators), body: .none)
        case .preconditionFailed: return nil
        case .whole, .part, .rangeNotSatisfiable:
            let head = head(.ok, encoded.fields, length: encoded.bytes.readableBytes)
            return FastAnswer(head: head, body: request.isHead ? .none : .bytes(encoded.bytes))
        }
    }

    /// Counts and logs the response as the routes' responses are.
    private func recorded(
        _ answer: FastAnswer, _ request: FastRequest, _ route: RouteMetrics, _ id: String,
        _ began: ContinuousClock.Instant
    ) -> FastAnswer {
        let time = ContinuousClock.now - began
        route.record(request.method, answer.head.status.code, took: time)
        logger.debug(
            "request",
            metadata: [
                "\(RequestIDs.logKey)": "\(id)", "method": "\(request.method)", "route": "\(route.template)",
                "status": "\(answer.head.status.code)", "milliseconds": "\(time.milliseconds)",
            ])
        return answer
    }
}

extension FastRequest {
    fileprivate var method: HTTPRequest.Method { isHead ? .head : .get }
}
