import Foundation
import Hummingbird
import Logging
import NIOCore
import Testing

/// Serves until all tests are over, and returns the port.
///
/// No server of these tests is shut down: NIO traps when a connection that a client has given up reaches a server that
/// is shutting down.
func serve<Responder: HTTPResponder>(_ responder: Responder) async throws -> Int
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let (ports, running) = AsyncStream.makeStream(of: Int?.self)
    let application = Application(
        responder: responder, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { running.yield($0.localAddress?.port) }, logger: logger)
    Task.detached { try await application.runService(gracefulShutdownSignals: []) }
    let port = await ports.first { _ in true } ?? nil
    return try #require(port)
}
