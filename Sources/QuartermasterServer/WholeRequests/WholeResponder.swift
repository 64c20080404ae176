import HTTPTypes
import Hummingbird
import NIOCore

/// Answers the whole requests of connections by the routes, each connection's in a task of its own on its event loop.
struct WholeResponder: Sendable {
    let routes: RouteResponder

    /// Adds the handler that reads the requests. Call it on the channel's event loop.
    ///
    /// - Parameters:
    ///   - limits: of the connection.
    ///   - routed: runs the task that answers.
    ///   - addFramework: adds the handlers for all other requests.
    func add(
        to channel: any Channel, _ limits: ConnectionLimits, _ routed: RoutedConnections,
        addingFramework addFramework: @escaping () throws -> Void
    ) throws {
        // Needs no bound: a connection has one request at a time.
        let (requests, feed) = AsyncStream.makeStream(of: WholeRequest.self)
        let handler = WholeRequestHandler(
            limits, begin: { feed.yield($0) }, end: { feed.finish() }, addingFramework: addFramework)
        try channel.pipeline.syncOperations.addHandler(handler)
        let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        routed.add {
            await withTaskExecutorPreference(EventLoopExecutor(channel.eventLoop)) {
                for await request in requests { await answer(request, on: channel, bound) }
            }
        }
    }

    private func answer(
        _ request: WholeRequest, on channel: any Channel, _ handler: NIOLoopBound<WholeRequestHandler>
    ) async {
        let body = CollectedBody()
        do {
            let response = try await routes.response(to: request.request, on: channel)
            try await response.body.write(body)
            handler.value.respond(response.head, body.bytes)
        } catch {
            channel.close(promise: nil)
        }
    }
}

/// A response's body in memory.
private final class CollectedBody: ResponseBodyWriter {
    private(set) var bytes = ByteBuffer()

    func write(_ buffer: ByteBuffer) {
        if bytes.readableBytes == 0 { bytes = buffer } else { bytes.writeImmutableBuffer(buffer) }
    }

    func finish(_ trailingHeaders: HTTPFields?) {}
}
