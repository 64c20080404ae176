import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import QuartermasterClient

/// Fetches content with AsyncHTTPClient. On Linux `URLSession` asks again and again whether a slow connection can be
/// written to, and a download takes most of a core.
struct ContentClient: ContentTransport {
    private static let maximumRedirects = 3
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout = HTTPClient.Configuration.Timeout(connect: .seconds(20), read: .seconds(20))
        return HTTPClient(eventLoopGroup: .singletonMultiThreadedEventLoopGroup, configuration: configuration)
    }()

    func receive(_ request: ContentRequest, into sink: ContentSink) async throws {
        do {
            let response = try await response(to: request)
            let fields = response.headers.map { ($0.name, $0.value) }
            try sink.begin(
                status: Int(response.status.code), headers: Dictionary(fields, uniquingKeysWith: { first, _ in first }))
            for try await bytes in response.body { try sink.append(Data(bytes.readableBytesView)) }
        } catch let error as HTTPClientError {
            throw Self.error(of: error)
        } catch is NIOConnectionError {
            throw ConnectionError.notConnected
        } catch is IOError {
            throw ConnectionError.unreachable
        }
    }

    /// Follows redirects, as to an object store, but never to a connection without TLS.
    private func response(to request: ContentRequest) async throws -> HTTPClientResponse {
        var url = request.url
        for _ in 0...Self.maximumRedirects {
            var sent = HTTPClientRequest(url: url.absoluteString)
            for (name, value) in request.headers { sent.headers.add(name: name, value: value) }
            let response = try await Self.client.execute(sent, timeout: .seconds(request.deadline.components.seconds))
            guard (300..<400).contains(response.status.code), response.status != .notModified else { return response }
            guard let target = response.headers.first(name: "Location").flatMap({ URL(string: $0, relativeTo: url) }),
                target.scheme == "https" || target.scheme == url.scheme
            else { throw ConnectionError.redirected }
            url = target.absoluteURL
        }
        throw ConnectionError.redirected
    }

    private static func error(of error: HTTPClientError) -> any Error {
        switch error {
        case .cancelled: CancellationError()
        case .connectTimeout, .readTimeout, .deadlineExceeded: ConnectionError.timedOut
        default: ConnectionError.unreachable
        }
    }
}
