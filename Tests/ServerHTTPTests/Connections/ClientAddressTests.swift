import HTTPTypes
import Logging
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerHTTP

/// The address that a request is from, and addresses that are only claimed.
@Suite struct ClientAddressTests {
    static let proxies = ["10.0.0.0/8", "192.0.2.7", "fd00::/8", "2001:db8:1::/48"].compactMap { IPRange($0) }

    /// The peer, the header's lines, and the client.
    static let table: [(peer: String, lines: [String], client: String)] = [
        // Nobody's proxy: the header is the client's own invention.
        ("203.0.113.9", [], "203.0.113.9"), ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"),
        ("11.0.0.1", ["198.51.100.1"], "11.0.0.1"), ("192.0.2.8", ["198.51.100.1"], "192.0.2.8"),
        // One proxy.
        ("10.0.0.1", [], "10.0.0.1"), ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("192.0.2.7", ["198.51.100.1"], "198.51.100.1"), ("10.0.0.1", [" \t198.51.100.1\t "], "198.51.100.1"),
        // What the client made up is to the left of what the proxy saw.
        ("10.0.0.1", ["1.1.1.1, 198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["10.0.0.9, 198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["unknown,,, , 198.51.100.1"], "198.51.100.1"),
        // Several proxies, on one line and on several.
        ("10.0.0.1", ["1.1.1.1, 198.51.100.1, 10.0.0.2,192.0.2.7"], "198.51.100.1"),
        ("10.0.0.1", ["1.1.1.1", "198.51.100.1, 10.0.0.2", "10.0.0.3"], "198.51.100.1"),
        ("fd00::1", ["198.51.100.1", "2001:db8:1::5"], "198.51.100.1"),
        // Everybody is a proxy: the farthest.
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        // Anything that is no address ends the walk.
        ("10.0.0.1", [""], "10.0.0.1"), ("10.0.0.1", ["198.51.100.1,"], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.1, unknown"], "10.0.0.1"), ("10.0.0.1", ["198.51.100.1, x, 10.0.0.2"], "10.0.0.2"),
        ("10.0.0.1", ["_hidden"], "10.0.0.1"), ("10.0.0.1", ["198.51.100.256"], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100"], "10.0.0.1"), ("10.0.0.1", ["fe80::1%eth0"], "10.0.0.1"),
        ("10.0.0.1", ["\"198.51.100.1\""], "10.0.0.1"),
        // Ports.
        ("10.0.0.1", ["198.51.100.1:4711"], "198.51.100.1"), ("10.0.0.1", ["[2001:db8::1]:4711"], "2001:db8::1"),
        ("10.0.0.1", ["[2001:db8::1]"], "2001:db8::1"), ("10.0.0.1", ["198.51.100.1:"], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.1:70000"], "10.0.0.1"), ("10.0.0.1", ["198.51.100.1:x"], "10.0.0.1"),
        ("10.0.0.1", ["[2001:db8::1]4711"], "10.0.0.1"), ("10.0.0.1", ["[2001:db8::1"], "10.0.0.1"),
        ("10.0.0.1", ["[198.51.100.1]:4711"], "10.0.0.1"), ("10.0.0.1", [":4711"], "10.0.0.1"),
        ("10.0.0.1", ["[]:4711"], "10.0.0.1"), ("10.0.0.1", ["["], "10.0.0.1"), ("10.0.0.1", ["]"], "10.0.0.1"),
        // An IPv4 address in IPv6 form is the same address.
        ("::ffff:10.0.0.1", ["198.51.100.1"], "198.51.100.1"), ("10.0.0.1", ["::ffff:198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["198.51.100.1, ::ffff:a00:2"], "198.51.100.1"),
        ("10.0.0.1", ["[::ffff:198.51.100.1]:1"], "198.51.100.1"),
        // Each IPv6 subscriber is one.
        ("2001:db8:2:3:4:5:6:7", [], "2001:db8:2:3::"), ("fd00::1", ["2001:DB8:2:3::1"], "2001:db8:2:3::"),
        ("2001:db8:2:3:4:5:6:7", ["198.51.100.1"], "2001:db8:2:3::"), ("::1", [], "::"),
    ]

    @Test func `Only a trusted proxy is believed about the client's address`() throws {
        let clients = ClientAddresses(trusted: Self.proxies)
        #expect(clients.trusted.count == 4)
        for row in Self.table {
            let client = clients.client(of: try #require(IPAddress(row.peer)), forwardedFor: row.lines)
            #expect(client.subscriber == IPAddress(row.client)?.subscriber, "\(row)")
        }
        let nobody = ClientAddresses(trusted: [])
        for row in Self.table {
            let peer = try #require(IPAddress(row.peer))
            #expect(nobody.client(of: peer, forwardedFor: row.lines) == peer)
        }
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("2001:DB8:0:0:2:0:0:7", "2001:db8::2:0:0:7"),
        ("::1", "::1"), ("::", "::"), ("0.0.0.0", "0.0.0.0"), ("fe80::1", "fe80::1"),
    ])
    func `An address is written as people write it`(text: String, written: String) throws {
        #expect("\(try #require(IPAddress(text)))" == written)
    }

    /// A header of the maximum length.
    @Test func `A long chain of proxies is walked to its end`() throws {
        let line = Array(repeating: "10.0.0.1", count: Limits.headerFieldBytes / 9).joined(separator: ",")
        let client = ClientAddresses(trusted: Self.proxies)
            .client(of: try #require(IPAddress("10.0.0.1")), forwardedFor: ["198.51.100.1", line, line])
        #expect(client == IPAddress("198.51.100.1"))
    }

    /// Its limits treat everybody behind it as one client, which nothing else would show the operator.
    @Test func `A proxy that is not trusted is logged once`() async throws {
        for (trusted, warnings) in [("10.0.0.0/8", 1), ("127.0.0.0/8,::1", 0)] {
            let recorder = LogRecorder()
            let environment = ["QUARTERMASTER_TRUSTED_PROXIES": trusted]
            try await World.run(environment: environment, logger: recorder.logger(.info)) { world in
                let name = try #require(HTTPField.Name("X-Forwarded-For"))
                for path in ["/health", "/v1/keys", "/v1/entitlements"] {
                    _ = try await world.call(.get, path)
                    _ = try await world.call(.get, path, headers: [name: "198.51.100.1"])
                }
                let lines = recorder.lines.filter { $0.contains("X-Forwarded-For") }
                #expect(lines.count == warnings, "\(recorder.lines)")
                #expect(lines.allSatisfy { $0.contains("127.0.0.1") || $0.contains("::1") }, "\(lines)")
                #expect(!lines.contains { $0.contains("198.51.100.1") }, "what the client says is not logged")
            }
        }
    }

    static let ranges: [(range: String, inside: [String], outside: [String])] = [
        ("10.0.0.0/8", ["10.0.0.0", "10.255.255.255", "::ffff:10.1.2.3"], ["9.255.255.255", "11.0.0.0", "::a00:1"]),
        ("192.0.2.7", ["192.0.2.7"], ["192.0.2.6", "192.0.2.8"]),
        ("192.0.2.128/25", ["192.0.2.128", "192.0.2.255"], ["192.0.2.127", "192.0.3.128"]),
        ("0.0.0.0/0", ["1.1.1.1", "255.255.255.255"], ["::1", "2001:db8::"]),
        ("::/0", ["1.1.1.1", "::1"], []),
        ("2001:db8::/33", ["2001:db8:7fff::1"], ["2001:db8:8000::", "2001:db9::"]),
        ("::1", ["::1"], ["::", "::2", "0.0.0.1"]), ("::ffff:10.0.0.0/104", ["10.9.9.9"], ["11.0.0.1"]),
        ("fe80::/10", ["fe80::1", "febf::"], ["fec0::"]),
    ]

    @Test func `An address range has the addresses that begin with its prefix`() throws {
        for row in Self.ranges {
            let range = try #require(IPRange(row.range), "\(row.range)")
            for text in row.inside { #expect(range.contains(try #require(IPAddress(text))), "\(row.range) \(text)") }
            for text in row.outside { #expect(!range.contains(try #require(IPAddress(text))), "\(row.range) \(text)") }
        }
    }

    @Test(arguments: [
        "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0/8",
        "10.0.0.1/8", "fd00::/129", "fd00::1/8", "fd00::/8 ", " ::1", "localhost", "[::1]", "fe80::1%lo/64",
        "10.0.0.0/99999999999999999999", "::ffff:10.0.0.0/8",
    ])
    func `A malformed address range is refused`(text: String) { #expect(IPRange(text) == nil) }
}
