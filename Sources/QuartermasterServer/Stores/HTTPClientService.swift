import AsyncHTTPClient
import ServiceLifecycle

/// An HTTP client that is shut down with the server.
struct HTTPClientService: Service {
    /// More than ``StoreTurns`` and the workers ask at the same time: who has a turn waits for no connection.
    static let connectionsPerHost = 96

    let client: HTTPClient

    init() {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Self.connectionsPerHost
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func run() async throws {
        try? await gracefulShutdown()
        try await close()
    }

    func close() async throws { try await client.shutdown() }
}
