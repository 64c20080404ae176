import Foundation
import InAppPurchase
import LedgerSQLite
import NIOCore
import NIOPosix
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerCore

/// A port that another program uses, or a host that is another machine's.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct PortTests {
    /// A health check that comes while a starting server tries whether the port is free is not left waiting.
    @Test func `A connection to a port that is being tried is closed`() async throws {
        let tried = try await ListenEndpoint(host: "127.0.0.1", port: 0).bind()
        let address = try #require(tried.localAddress)
        let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(to: address).get()
        try await poll("the connection is closed") { !client.isActive }
        try await tried.close()
    }

    /// One line that names host and port, before anything claims to listen, and before a ledger is made.
    @Test(arguments: ["serve", "serve --simulator", "serve --simulator, its port", "serve with TLS", "simulator"])
    func `A port in use is reported and no ledger made`(command: String) async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        let taken = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = "\(try #require(taken.localAddress?.port))"
        var arguments =
            switch command {
            case "serve": ["serve", "--port", port]
            case "serve --simulator": ["serve", "--port", port, "--simulator", "--simulator-port", "0"]
            case "serve --simulator, its port": ["serve", "--port", "0", "--simulator", "--simulator-port", port]
            case "simulator": ["simulator", "--simulator-port", port]
            default: ["serve", "--port", port] + (try ServerIdentity().flags(in: folder))
            }
        arguments += [
            "--database", folder.database, "--products", Project.folder("products.json"),
            "--content", Project.folder("content"),
        ]
        let outcome = try await Program.run(arguments)
        try await taken.close()
        #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.error == "Error: cannot listen on 127.0.0.1:\(port): Address already in use\n", "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: folder.database))
    }

    @Test func `An address of another machine is reported`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        // RFC 5737: for documentation, no machine's.
        let outcome = try await Program.run(
            "serve", "--host", "192.0.2.1", "--port", "80", "--database", folder.database)
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(
            outcome.error == "Error: cannot listen on 192.0.2.1:80: Cannot assign requested address\n", "\(outcome)")
    }

    /// The server and its simulated store cannot have the same port.
    @Test func `One port for the server and the simulator is reported`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        let free = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = "\(try #require(free.localAddress?.port))"
        try await free.close()
        let outcome = try await Program.run(
            "serve", "--port", port, "--simulator", "--simulator-port", port, "--database", folder.database)
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.error == "Error: cannot listen on 127.0.0.1:\(port): Address already in use\n", "\(outcome)")
    }
}

extension ServerIdentity {
    /// Writes both files, and returns the flags of `serve` that name them.
    fileprivate func flags(in folder: LedgerFolder) throws -> [String] {
        try chain.write(toFile: folder.path("chain.pem"), atomically: true, encoding: .utf8)
        try key.write(toFile: folder.path("key.pem"), atomically: true, encoding: .utf8)
        return ["--tls-certificate", folder.path("chain.pem"), "--tls-private-key", folder.path("key.pem")]
    }
}
