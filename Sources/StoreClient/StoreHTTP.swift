package import AsyncHTTPClient
import Basics
package import NIOCore
package import NIOHTTP1

/// Sends requests to a store, with a time limit and a maximum response size.
package struct StoreHTTP: Sendable {
    private let client: HTTPClient
    /// The maximum size of a response with status 2xx, in bytes. A larger response counts as none.
    private let maximumAnswerSize: Int
    /// The maximum size of any other response, in bytes. The text of a larger one is not read; 0 reads none.
    private let maximumErrorSize: Int
    /// Learns the time of each response; `nil` if nobody wants to know.
    private let clock: StoreClock?

    package init(client: HTTPClient, maximumAnswerSize: Int, maximumErrorSize: Int, clock: StoreClock?) {
        self.client = client
        self.clock = clock
        self.maximumAnswerSize = maximumAnswerSize
        self.maximumErrorSize = maximumErrorSize
    }

    /// Sends the request once, without a retry.
    ///
    /// - Parameter limit: the time for the whole response, head and body.
    package func exchange(_ request: HTTPClientRequest, within limit: Duration) async -> StoreExchange {
        guard limit > .zero else { return .abandoned }
        let exchange = await withTimeLimit(limit) { await attempt(request, within: limit) }
        if Task.isCancelled { return .abandoned }
        return exchange ?? .failed(StoreExchange.timeout)
    }

    private func attempt(_ request: HTTPClientRequest, within limit: Duration) async -> StoreExchange {
        do {
            // Later than the limit around this, so that every timeout is reported in the same words.
            let response = try await client.execute(request, timeout: TimeAmount(limit) + .seconds(1))
            if let clock, let date = response.headers.first(name: "Date").flatMap(HTTPDate.date(in:)) {
                clock.record(response: date)
            }
            return .answered(
                StoreResponse(status: response.status, headers: response.headers, body: try await body(of: response)))
        } catch {
            // Only the client's own descriptions: the text of another error might contain parts of the request.
            let kind = (error as? HTTPClientError)?.shortDescription ?? "\(type(of: error))"
            return .failed("no exchange: \(kind)")
        }
    }

    private func body(of response: HTTPClientResponse) async throws -> ByteBuffer {
        if response.status.isSuccess { return try await response.body.collect(upTo: maximumAnswerSize) }
        guard maximumErrorSize > 0 else { return ByteBuffer() }
        return (try? await response.body.collect(upTo: maximumErrorSize)) ?? ByteBuffer()
    }
}

extension HTTPResponseStatus {
    /// Whether the status is 2xx.
    package var isSuccess: Bool { (200...299).contains(code) }
}

/// The outcome of one HTTP request to a store.
package enum StoreExchange: Sendable {
    /// The description of a request that was not answered within its time limit.
    package static let timeout = "no answer in time"

    /// There was a response, of any status.
    case answered(StoreResponse)
    /// No response. The description, for the operator's log, contains nothing of the request.
    case failed(String)
    /// The task was cancelled, or there was no time left: this says nothing about the store.
    case abandoned
}

/// A store's response to an HTTP request.
package struct StoreResponse: Sendable {
    /// The status code.
    package var status: HTTPResponseStatus
    /// The headers.
    package var headers: HTTPHeaders
    /// The body; empty if it was larger than is read.
    package var body: ByteBuffer
}
