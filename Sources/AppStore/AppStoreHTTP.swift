import AsyncHTTPClient
import InAppPurchase
import NIOCore
import NIOHTTP1

/// Requests to the store, each bounded in time and size.
struct AppStoreHTTP: Sendable {
    var client: HTTPClient
    /// In bytes, of an answer whose status is 2xx. A larger one is none.
    var maximumAnswerSize: Int
    /// In bytes, of any other answer. The text of a larger one is not read, nor is any where this is 0.
    var maximumErrorSize: Int

    /// Asks once.
    ///
    /// - Parameter limit: the time for the whole answer, head and body.
    func exchange(_ request: HTTPClientRequest, within limit: Duration) async -> AppStoreExchange {
        guard limit > .zero else { return .abandoned }
        let exchange = await withTimeLimit(limit) { await attempt(request, within: limit) }
        if Task.isCancelled { return .abandoned }
        return exchange ?? .failed(AppStoreExchange.timeout)
    }

    private func attempt(_ request: HTTPClientRequest, within limit: Duration) async -> AppStoreExchange {
        do {
            // Later than the limit around this, so that every timeout is told in the same words.
            let response = try await client.execute(request, timeout: TimeAmount(limit) + .seconds(1))
            return .answered(
                AppStoreResponse(status: response.status, headers: response.headers, body: try await body(of: response))
            )
        } catch {
            // Only words that AsyncHTTPClient itself has: another error's text might hold what was sent.
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
    var isSuccess: Bool { (200...299).contains(code) }
}
