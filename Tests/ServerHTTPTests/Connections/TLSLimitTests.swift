import Foundation
import NIOCore
import PrometheusMetrics
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerCore

/// Slow clients are cut off under TLS too, whatever version of HTTP they speak. A raw connection fails a test before a
/// limit that is not set here ends it.
@Suite struct TLSLimitTests {
    private static func run(
        _ variables: [String: String], metrics: ServerMetrics = ServerMetrics(),
        _ test: @escaping @Sendable (World, ServerIdentity) async throws -> Void
    ) async throws {
        let identity = try ServerIdentity()
        try await withFolder { folder in
            let environment = try identity.write(to: folder).merging(variables) { $1 }
            try await World.run(environment: environment, metrics: metrics) { try await test($0, identity) }
        }
    }

    @Test(arguments: ["", "\u{16}\u{3}\u{1}"])
    func `A slow TLS handshake is cut off in the time of a head`(beginning: String) async throws {
        try await Self.run(["QUARTERMASTER_LIMITS_HEADER_SECONDS": "1"]) { world, _ in
            let received = try await RawConnection.listen(after: beginning, port: world.port)
            #expect(received.isEmpty)
        }
    }

    /// Half a head, and a body of which nothing comes.
    @Test(arguments: ["GET /health HTTP/1.1\r\n", "POST /v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"])
    func `A slow HTTP/1.1 client under TLS is cut off`(request: String) async throws {
        // A busy machine takes longer than a second for the handshake, which is cut off in the time of a head too.
        let isBody = request.hasPrefix("POST")
        let limit = isBody ? ("IDLE", "5") : ("HEADER", "1")
        let variables = ["QUARTERMASTER_LIMITS_\(limit.0)_SECONDS": limit.1]
        let metrics = ServerMetrics()
        try await Self.run(variables, metrics: metrics) { world, identity in
            let received = try await RawConnection.listen(
                after: Array(request.utf8), port: world.port, under: identity.client())
            #expect(received.isEmpty)
            if isBody { try await Self.expectNoTrouble(metrics) }
        }
    }

    /// That the client was cut off is its own doing, and no error of the server's.
    private static func expectNoTrouble(_ metrics: ServerMetrics) async throws {
        let counted = "quartermaster_http_requests_total{method=\"POST\",route=\"/v1/sessions\",status=\""
        try await poll("the request is over") { metrics.registry.exposition().contains(counted) }
        // 499, or 400 if the client ended the bytes of its body properly, but too early.
        #expect(!metrics.registry.exposition().contains(counted + "5"))
    }

    @Test func `A slow HTTP/2 client under TLS is cut off`() async throws {
        let metrics = ServerMetrics()
        try await Self.run(["QUARTERMASTER_LIMITS_IDLE_SECONDS": "5"], metrics: metrics) { world, identity in
            // One request that is answered, one whose body never comes; then nothing, not even what a client must send.
            let frames = [
                HTTP2Frame.head("/health", ends: true), .head("/v1/sessions", isPost: true, ends: false, stream: 3),
            ]
            let received = HTTP2Frame.all(
                in: try await RawConnection.listen(
                    after: HTTP2Frame.preface + frames.flatMap(\.bytes), port: world.port,
                    under: identity.client(["h2"])))
            #expect(received.contains { $0.stream == 1 && $0.kind == .data })
            #expect(received.filter { $0.kind == .reset }.map(\.stream) == [3])
            #expect(received.contains { $0.kind == .goAway })
            try await Self.expectNoTrouble(metrics)
        }
    }

    @Test func `The TLS connections of an address are limited`() async throws {
        let (limit, metrics) = (["QUARTERMASTER_LIMITS_CONNECTIONS_PER_ADDRESS": "2"], ServerMetrics())
        try await Self.run(limit, metrics: metrics) { world, identity in
            let client = try identity.client(["h2"])
            // Any frame is an answer.
            try await RawConnection.holding(
                2, port: world.port, under: client, saying: HTTP2Frame.preface, until: { !$0.isEmpty }
            ) {
                let third = try? await RawConnection.listen(after: HTTP2Frame.preface, port: world.port, under: client)
                #expect(third?.isEmpty != false)
                // Another error of a busy machine is no refusal.
                #expect(metrics.registry.exposition().contains("rate_limited_total{limit=\"connections\"} 1\n"))
            }
        }
    }
}
