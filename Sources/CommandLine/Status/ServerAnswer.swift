import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import ServerCore
import ServerHTTP

/// Whether the server at an address serves.
struct ServerAnswer: Sendable {
    /// How long it may take: it answers from its ledger's cache.
    static let timeout = TimeAmount.seconds(10)
    /// In bytes; a problem is smaller.
    private static let maximumProblemSize = 16 << 10

    /// The address, such as `http://127.0.0.1:8080`.
    var address: String
    /// The reason why it does not serve; `nil` if it does.
    var trouble: String?
    /// Whether it says that it cannot use its ledger.
    var isWithoutLedger = false

    var isReady: Bool { trouble == nil }

    /// Asks the server at an address.
    static func asking(_ address: String) async -> ServerAnswer {
        let url = address + HealthRoutes.readyPath
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // The server of this machine is asked by its address, which no certificate names.
        configuration.tlsConfiguration = .makeClientConfiguration()
        configuration.tlsConfiguration?.certificateVerification = .none
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        var answer = ServerAnswer(address: address)
        do {
            let response = try await client.execute(HTTPClientRequest(url: url), timeout: timeout)
            if response.status != .ok {
                answer.trouble = "answers with status \(response.status.code)"
                let body = try? await response.body.collect(upTo: maximumProblemSize)
                let problem = body.flatMap {
                    try? JSONDecoder().decode(ProblemCode.self, from: Data($0.readableBytesView))
                }
                answer.isWithoutLedger = problem?.code == Problem.storageUnavailable.code
            }
        } catch {
            answer.trouble = "does not answer"
        }
        try? await client.shutdown()
        return answer
    }

    private struct ProblemCode: Decodable {
        var code: String
    }
}
