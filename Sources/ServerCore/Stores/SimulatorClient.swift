package import AsyncHTTPClient
import Foundation
import HTTPTypes
package import InAppPurchase
import NIOCore
import NIOHTTP1
import ServerHTTP

/// A client of the simulated App Store's own routes, for the buttons on its page.
package struct SimulatorClient: Sendable {
    /// The time for one request.
    private static let timeout = TimeAmount.seconds(10)
    /// The maximum size of an answer in bytes: a purchase, with its app receipt.
    private static let maximumAnswer = 4 << 20

    package let http: HTTPClient
    /// The base URL of the simulated App Store, without a slash at the end.
    package let address: String

    package init(http: HTTPClient, address: String) {
        self.http = http
        self.address = address
    }

    /// Returns the members of the resource at a path below `/simulator/v1/`.
    ///
    /// - Throws: ``/ServerHTTP/Problem`` if the simulated App Store refuses or does not answer.
    package func get(_ path: String) async throws -> [String: JSONValue] { try await answer(.GET, path) }

    /// Makes something happen, and returns the members of the answer.
    ///
    /// - Throws: as ``get(_:)``.
    @discardableResult
    package func post(_ path: String, _ body: [String: JSONValue] = [:]) async throws -> [String: JSONValue] {
        try await answer(.POST, path, body)
    }

    /// Takes something back.
    ///
    /// - Throws: as ``get(_:)``.
    package func delete(_ path: String) async throws { _ = try await answer(.DELETE, path) }

    private func answer(
        _ method: HTTPMethod, _ path: String, _ body: [String: JSONValue]? = nil
    ) async throws -> [String: JSONValue] {
        var request = HTTPClientRequest(url: "\(address)/simulator/v1/\(path)")
        request.method = method
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(JSONValue.object(body))))
        }
        let (status, bytes) = try await exchange(request)
        let members = (try? JSONDecoder().decode([String: JSONValue].self, from: bytes)) ?? [:]
        guard (200..<300).contains(status) else {
            throw Problem(
                .unprocessableContent, "invalid_request", "The simulated App Store refuses it",
                detail: members["detail"]?.words ?? "HTTP \(status)")
        }
        return members
    }

    private func exchange(_ request: HTTPClientRequest) async throws -> (status: Int, Data) {
        do {
            let response = try await http.execute(request, timeout: Self.timeout)
            let body = try await response.body.collect(upTo: Self.maximumAnswer)
            return (Int(response.status.code), Data(body.readableBytesView))
        } catch let error where !(error is CancellationError) {
            throw Problem(
                .serviceUnavailable, "store_unavailable", "The simulated App Store does not answer", retryAfter: 1)
        }
    }
}
