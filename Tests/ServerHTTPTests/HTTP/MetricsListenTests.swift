import Foundation
import HTTPTypes
import NIOCore
import ServerTestSupport
import ServiceLifecycle
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// `/metrics` on an address of its own.
@Suite struct MetricsListenTests {
    @Test func `With an address of their own metrics are not on the main address`() async throws {
        try await World.run(environment: ["QUARTERMASTER_METRICS_LISTEN": "127.0.0.1:0"]) { world in
            for path in ["/metrics", "/metrics/", "//metrics"] {
                for method in [HTTPRequest.Method.get, .head, .post] {
                    #expect(try await world.call(method, path).status == 404, "\(method) \(path)")
                }
            }
            let listener = try #require(world.assembly.metricsListener)
            try await listener.test { metrics in
                try await metrics.execute(uri: "/metrics", method: .get) { answer in
                    let text = String(buffer: answer.body)
                    #expect(answer.status == .ok && text.contains("quartermaster_http_requests_total"))
                }
                for client in [metrics, world.server] {
                    for path in ["/health", "/ready"] {
                        #expect(try await client.execute(uri: path, method: .get) { $0.status } == .ok)
                    }
                }
                for path in ["/v1/keys", "/v1/accounts", "/admin/v1/audit"] {
                    #expect(try await metrics.execute(uri: path, method: .get) { $0.status } == .notFound)
                }
                #expect(try await metrics.execute(uri: "/metrics", method: .put) { $0.status } == .methodNotAllowed)
                let bad = try await RawConnection.listen(after: "GET /metrics HTTP/1.1\r\n\r\n", port: metrics.port)
                #expect(bad.statuses == [400])
            }
        }
    }

    /// It is the last but one to start, and so the second to stop.
    @Test func `The metrics listener is one of the services`() async throws {
        try await World.run(environment: ["QUARTERMASTER_METRICS_LISTEN": "[::1]:9464"]) { world in
            let services = world.assembly.services
            #expect(services.count > 2 && services.suffix(2).allSatisfy { $0 is Listener })
        }
        try await World.run { world in
            let (isThere, answer) = (world.assembly.metricsListener != nil, try await world.call(.get, "/metrics"))
            #expect(!isThere && answer.status == 200)
        }
    }

    static let addresses: [(String, String?, Int?)] = [
        ("127.0.0.1:9464", "127.0.0.1", 9464), ("[::1]:1", "::1", 1), ("localhost:0", "localhost", 0),
        ("0.0.0.0:65535", "0.0.0.0", 65_535), ("9464", nil, nil), (":9464", nil, nil), ("a:", nil, nil), ("", nil, nil),
        ("::1:9464", nil, nil), ("a:65536", nil, nil), ("a b:1", nil, nil), ("[a]:1", nil, nil), ("a:-1", nil, nil),
    ]

    @Test(arguments: addresses) func `A listen address is a host and a port`(text: String, host: String?, port: Int?) {
        let address = ListenAddress(text)
        #expect(address?.host == host && address?.port == port)
    }

    @Test func `A wrong listen address is refused`() async throws {
        await #expect(throws: SettingError.self) {
            let variables = ["QUARTERMASTER_METRICS_LISTEN": "9464"]
            _ = try Settings(await SettingSources(flags: [:], environment: variables, file: nil))
        }
    }
}
