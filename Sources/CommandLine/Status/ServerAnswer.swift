import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import ServerCore

/// Whether the server at an address serves.
struct ServerAnswer: Sendable {
    /// How long it may take: it answers from its ledger's cache.
    static let timeout = TimeAmount.seconds(10)

    /// The address, such as `http://127.0.0.1:8080`.
    var address: String
    /// The reason why it does not serve; `nil` if it does.
    var trouble: String?

    var isReady: Bool { trouble == nil }

    /// Asks the server at an address.
    static func asking(_ address: String) async -> ServerAnswer {
        ServerAnswer(address: address, trouble: await trouble(at: address + HealthRoutes.readyPath))
    }

    private static func trouble(at url: String) async -> String? {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // The server of this machine is asked by its address, which no certificate names.
        configuration.tlsConfiguration = .makeClientConfiguration()
        configuration.tlsConfiguration?.certificateVerification = .none
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let trouble: String?
        do {
            let response = try await client.execute(HTTPClientRequest(url: url), timeout: timeout)
            trouble = response.status == .ok ? nil : "answers with status \(response.status.code)"
        } catch {
            trouble = "does not answer"
        }
        try? await client.shutdown()
        return trouble
    }
}
