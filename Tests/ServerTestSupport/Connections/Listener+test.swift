import NIOCore
import ServiceLifecycle

package import ServerHTTP

extension Listener {
    /// Runs a test while it listens on a free port, and waits until it has stopped.
    package func test<Result: Sendable>(
        _ test: @escaping @Sendable (PatientClient) async throws -> Result
    ) async throws -> Result {
        let (ports, feed) = AsyncStream.makeStream(of: Int?.self)
        var listener = self
        listener.address = ListenAddress(host: "localhost", port: 0)
        listener.onListening = { [onListening] channel in
            await onListening(channel)
            feed.yield(channel.localAddress?.port)
        }
        let services = ServiceGroup(configuration: .init(services: [listener], logger: World.quiet))
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { feed.finish() }
                try await services.run()
            }
            let result: Swift.Result<Result, any Error>
            do {
                let port = await ports.first { _ in true }
                result = .success(try await test(PatientClient(port: port ?? nil)))
            } catch {
                result = .failure(error)
            }
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
            return try result.get()
        }
    }
}
