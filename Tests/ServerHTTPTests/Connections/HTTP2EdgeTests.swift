import Foundation
import ServerTestSupport
import Testing

@testable import CommandLine

/// HTTP/2 heads that are refused, stream by stream.
@Suite struct HTTP2EdgeTests {
    /// `:status: 200` and `:status: 400` in the static table of HPACK (RFC 7541, appendix A).
    private static let (ok, badRequest): (UInt8, UInt8) = (0x88, 0x8C)

    static let many = (0..<65).map { ("x-\($0)", "y") }

    static let heads: [(authority: String?, fields: [(String, String)], isGood: Bool)] = [
        ("localhost", [], true), ("[::1]:443", [], true), (nil, [("host", "localhost")], true),
        ("localhost", [("host", "localhost")], true), ("localhost", Array(many.prefix(64)), true),
        (nil, [], false), ("", [], false), ("a b", [], false), ("a:x", [], false), ("a@b", [], false),
        ("localhost", [("host", "other")], false), (nil, [("host", "a"), ("host", "a")], false),
        (nil, [("host", "")], false), ("localhost", many, false), ("localhost", [("content-length", "0")], true),
        // The framework takes these as 0.
        ("localhost", [("content-length", "+0")], false), ("localhost", [("content-length", "-0")], false),
    ]

    /// If the framework resets the stream, or ends the connection, that is a refusal too.
    @Test func `A head of HTTP/2 is checked like one of HTTP/1.1`() async throws {
        let identity = try ServerIdentity()
        try await withFolder { folder in
            // A connection ends by it, long after its answer, also if there are as many on a busy machine.
            let variables = ["QUARTERMASTER_LIMITS_IDLE_SECONDS": "8"]
            let environment = try identity.write(to: folder).merging(variables) { $1 }
            try await World.run(environment: environment) { world in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for head in Self.heads.indices {
                        group.addTask { try await Self.expectAnswer(to: head, world, identity) }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    private static func expectAnswer(to place: Int, _ world: World, _ identity: ServerIdentity) async throws {
        let head = heads[place]
        let request = HTTP2Frame.head("/health", ends: true, authority: head.authority, fields: head.fields)
        let bytes = HTTP2Frame.preface + request.bytes
        let received = HTTP2Frame.all(
            in: try await RawConnection.listen(after: bytes, port: world.port, under: identity.client(["h2"])))
        let answer = received.first { $0.kind == .headers && $0.stream == 1 }?.payload.first
        let body = received.filter { $0.kind == .data && $0.stream == 1 }.flatMap(\.payload)
        let text = String(decoding: body, as: UTF8.self)
        if head.isGood {
            #expect(answer == ok && text.contains("alive"), "\(head): \(received)")
        } else if answer == nil {
            #expect(received.contains { $0.kind == .reset || $0.kind == .goAway }, "\(head): \(received)")
        } else {
            #expect(answer == badRequest && text.contains("invalid_request"), "\(head): \(received)")
        }
    }
}
