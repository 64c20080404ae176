import AsyncHTTPClient
import ServiceLifecycle

/// An HTTP client that is shut down with the server.
struct HTTPClientService: Service {
    let client: HTTPClient

    init() {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func run() async throws {
        try? await gracefulShutdown()
        try await close()
    }

    func close() async throws { try await client.shutdown() }
}
