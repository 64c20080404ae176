import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import PrometheusMetrics
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// The server with a certificate of its own: real connections, with HTTP/2 and with HTTP/1.1.
@Suite struct TLSTests {
    static let versions: [HTTPClient.Configuration.HTTPVersion] = [.automatic, .http1Only]

    /// A request, with what makes it special.
    private struct Ask {
        var method = HTTPMethod.GET
        var path: String
        var headers: HTTPHeaders = [:]
        var body = 0
    }

    @Test(arguments: versions)
    func `Everything is answered as without TLS`(version: HTTPClient.Configuration.HTTPVersion) async throws {
        let identity = try ServerIdentity()
        try await withFolder { folder in
            try await DownloadServer.run(environment: try identity.write(to: folder)) { shop in
                let port = try #require(shop.world.port)
                try await identity.withClient(version) { client in
                    for ask in try Self.asks(shop) {
                        let secure = try await Self.answer(ask, "https://localhost:\(port)", by: client)
                        let plain = try await Self.answer(ask, "http://localhost:\(shop.plainPort)", by: client)
                        #expect(secure.status == plain.status && secure.bytes == plain.bytes, "\(ask.path): \(secure)")
                        #expect(secure.headers == plain.headers, "\(ask.path)")
                        #expect(secure.version == (version == .http1Only ? .http1_1 : .http2))
                    }
                }
            }
        }
    }

    private static func asks(_ shop: DownloadServer) throws -> [Ask] {
        let large = try shop.link("large.txt")
        let tag = "\"\(try shop.sha256("large.txt"))\""
        let products = "/v1/apps/\(World.app)/products"
        return try DownloadServer.sizes.keys.sorted().map { Ask(path: try shop.link($0)) } + [
            Ask(path: products), Ask(method: .HEAD, path: products), Ask(path: "/ready"), Ask(path: "/nowhere"),
            Ask(method: .HEAD, path: large), Ask(path: large, headers: ["Range": "bytes=100000-199999"]),
            Ask(path: large, headers: ["Range": "bytes=300000-"]), Ask(path: large, headers: ["If-None-Match": tag]),
            Ask(path: large, headers: ["If-Match": "\"x\""]), Ask(path: "/v1/content/x?grant=y"),
            Ask(method: .POST, path: "/v1/sessions", body: 10),
            // Answered before it is read to its end.
            Ask(method: .POST, path: "/v1/sessions", body: 1 << 20),
            Ask(method: .POST, path: "/nowhere", body: 1 << 20),
        ]
    }

    private struct Received {
        var status: UInt
        var version: HTTPVersion
        var headers: [String: String]
        var bytes: Data
    }

    private static func answer(_ ask: Ask, _ server: String, by client: HTTPClient) async throws -> Received {
        var request = HTTPClientRequest(url: server + ask.path)
        (request.method, request.headers) = (ask.method, ask.headers)
        if ask.body > 0 { request.body = .bytes(ByteBuffer(repeating: UInt8(ascii: " "), count: ask.body)) }
        let response = try await client.execute(request, timeout: .seconds(180))
        let bytes = Data(try await response.body.collect(upTo: 2 << 20).readableBytesView)
        try ExchangeRecorder.record(
            ask.method, ask.path, ask.headers, Data(repeating: UInt8(ascii: " "), count: ask.body),
            status: Int(response.status.code), answer: (response.headers, bytes))
        let volatile: Set = ["date", "x-request-id", "connection"]
        let fields = response.headers.map { ($0.name.lowercased(), $0.value) }.filter { !volatile.contains($0.0) }
        return Received(
            status: response.status.code, version: response.version,
            headers: Dictionary(fields) { $0 + ", " + $1 }, bytes: bytes)
    }

    @Test func `New connections get a new certificate, and a broken one changes nothing`() async throws {
        let (first, second) = (try ServerIdentity(), try ServerIdentity(days: 2))
        let recorder = LogRecorder()
        try await withFolder { folder in
            let variables = try first.write(to: folder)
            try await World.run(environment: variables, logger: recorder.logger(.error)) { world in
                let certificate = try #require(world.assembly.services.compactMap { $0 as? ServerCertificate }.first)
                let running = Task { try await certificate.run() }
                defer { running.cancel() }
                #expect(await Self.isServed(world, to: first))
                #expect(Self.measuredEnd(world) == "\(first.notAfter)")
                _ = try second.write(to: folder)
                try await poll("the new certificate is served") { await Self.isServed(world, to: second) }
                #expect(await !Self.isServed(world, to: first))
                running.cancel()
                // A look of its own that is under way would find the error below too.
                _ = await running.result
                // The certificate of one, the key of the other.
                try first.key.write(to: folder.appending(path: "key.pem"), atomically: true, encoding: .utf8)
                var seen = ServerCertificate.Seen()
                certificate.look(&seen)
                #expect(recorder.lines.isEmpty)
                for _ in 0..<5 { certificate.look(&seen) }
                #expect(recorder.lines.count == 1 && recorder.lines[0].contains("is not the key of"))
                #expect(!recorder.lines[0].contains("PRIVATE KEY"))
                #expect(await Self.isServed(world, to: second))
                #expect(Self.measuredEnd(world) == "\(second.notAfter)")
                try first.chain.write(to: folder.appending(path: "chain.pem"), atomically: true, encoding: .utf8)
                certificate.look(&seen)
                #expect(await Self.isServed(world, to: first))
            }
        }
    }

    private static func measuredEnd(_ world: World) -> String? {
        let registry = world.assembly.routes.services.metrics.registry
        return Scrape(registry.exposition())["quartermaster_certificate_not_after_seconds"]
    }

    /// Whether a new connection of a client that trusts the identity succeeds.
    private static func isServed(_ world: World, to identity: ServerIdentity) async -> Bool {
        let status = try? await identity.withClient { client in
            let request = HTTPClientRequest(url: "https://localhost:\(world.port ?? 0)/health")
            return try await client.execute(request, timeout: .seconds(180)).status
        }
        return status == .ok
    }

    @Test func `Wrong certificate files stop the start`() async throws {
        let (identity, other) = (try ServerIdentity(), try ServerIdentity())
        try await withFolder { folder in
            let variables = try identity.write(to: folder)
            let names = ["QUARTERMASTER_TLS_CERTIFICATE", "QUARTERMASTER_TLS_PRIVATE_KEY"]
            let wrong = folder.appending(path: "wrong.pem").path
            let cases = [
                (names[1], other.key, "is not the key of the first certificate"),
                (names[0], other.chain, "is not the key of the first certificate"),
                (names[0], identity.key, "is no chain of certificates"), (names[0], "", "is no chain of certificates"),
                (names[1], identity.chain, "is no private key"), (names[1], nil, "cannot be read"),
                (names[0], nil, "cannot be read"),
            ]
            for (name, text, words) in cases {
                try? FileManager.default.removeItem(atPath: wrong)
                try text?.write(toFile: wrong, atomically: true, encoding: .utf8)
                let environment = variables.merging([name: wrong]) { $1 }
                let error = await #expect(throws: SettingError.self) {
                    try await World.run(environment: environment) { _ in Issue.record("served") }
                }
                let message = error?.description ?? ""
                #expect(message.hasPrefix("tls.") && message.contains(words) && message.contains(wrong), "\(message)")
                #expect(!message.contains("PRIVATE KEY") && !message.contains("\n"))
            }
        }
    }

    @Test func `A client without TLS, or with an old version, gets no answer`() async throws {
        let identity = try ServerIdentity()
        try await withFolder { folder in
            try await World.run(environment: try identity.write(to: folder)) { world in
                let request = "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                let plain = try await RawConnection.exchange(request, port: world.port)
                #expect(!plain.contains("HTTP"), "\(plain)")
                for (version, statuses) in [(TLSVersion.tlsv11, []), (.tlsv12, [200]), (.tlsv13, [200])] {
                    let bytes = try? await RawConnection.listen(
                        after: Array(request.utf8), port: world.port, under: identity.client(upTo: version))
                    #expect(String(decoding: bytes ?? [], as: UTF8.self).statuses == statuses, "\(version)")
                }
            }
        }
    }

    /// By OpenSSL's names and, since a suite fits one kind of key, by whether the server's key is an RSA key.
    private static let oldSuites = [
        true: ["AES128-SHA", "AES256-SHA", "AES128-GCM-SHA256", "AES256-GCM-SHA384", "ECDHE-RSA-AES128-SHA"],
        false: ["ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA"],
    ]

    @Test(arguments: [true, false])
    func `TLS 1.2 has forward secrecy and authenticated encryption, or no answer`(isRSA: Bool) async throws {
        let identity = try ServerIdentity(isRSA: isRSA)
        let kind = isRSA ? "RSA" : "ECDSA"
        let good = ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"].map { "ECDHE-\(kind)-\($0)" }
        let cases = try #require(Self.oldSuites[isRSA]).map { ($0, [Int]()) } + good.map { ($0, [200]) }
        try await withFolder { folder in
            try await World.run(environment: try identity.write(to: folder)) { world in
                let request = Array("GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)
                for (suite, statuses) in cases {
                    let bytes = try? await RawConnection.listen(
                        after: request, port: world.port, under: identity.client(upTo: .tlsv12, suites: suite))
                    #expect(String(decoding: bytes ?? [], as: UTF8.self).statuses == statuses, "\(suite)")
                }
            }
        }
    }
}
