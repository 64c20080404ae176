package import Hummingbird
import NIOCore

/// Reserves room for the bodies of large responses, and writes them in pieces, each when the client has read those
/// before it.
///
/// A body that is read from a file piece by piece takes no room.
package struct UnsentMiddleware: RouterMiddleware {
    package let budget: UnsentBudget
    package let clients: ClientAddresses

    package init(budget: UnsentBudget, clients: ClientAddresses) {
        self.budget = budget
        self.clients = clients
    }

    package func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        if budget.isOver { _ = try await reserveSoon(0, request, context) }
        var response = try await next(request, context)
        guard let bytes = response.body.contentLength, bytes > UnsentBudget.uncountedBytes,
            request.method != .head, !context.notes.isStreamed
        else { return response }
        let held: UnsentBytes
        if let free = reserve(bytes, request, context) {
            held = free
        } else {
            // Made again when there is room, so that none waits in memory.
            response = Response(status: .serviceUnavailable)
            held = try await reserveSoon(bytes, request, context)
            response = try await next(request, context)
            held.count(response.body.contentLength ?? 0)
        }
        response.body = response.body.inPieces(held).paced(by: context.channel.eventLoop)
        return response
    }

    /// - Returns: `nil` if there is no room for a response that can be made again.
    private func reserve(_ bytes: Int, _ request: Request, _ context: ServerContext) -> UnsentBytes? {
        let address = clients.subscriber(request, context)
        // After any other method, what was asked for is done.
        return request.method == .get
            ? budget.reserve(bytes, for: address, on: context.channel)
            : budget.count(bytes, for: address, on: context.channel)
    }

    private func reserveSoon(_ bytes: Int, _ request: Request, _ context: ServerContext) async throws -> UnsentBytes {
        try await budget.reserveSoon(bytes, for: clients.subscriber(request, context), on: context.channel)
    }
}

extension ResponseBody {
    /// Writes the body in pieces of ``UnsentBudget/pieceBytes``, and holds its room until it is written or given up.
    fileprivate func inPieces(_ held: UnsentBytes) -> ResponseBody {
        ResponseBody(contentLength: contentLength) { writer in try await write(PieceWriter(writer: writer, held: held))
        }
    }
}

private struct PieceWriter: ResponseBodyWriter {
    var writer: any ResponseBodyWriter
    let held: UnsentBytes

    mutating func write(_ buffer: ByteBuffer) async throws {
        var rest = buffer
        while let piece = rest.readSlice(length: min(rest.readableBytes, UnsentBudget.pieceBytes)),
            piece.readableBytes > 0
        {
            try await writer.write(piece)
            held.progress()
        }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws { try await writer.finish(trailingHeaders) }
}

extension ResponseBody {
    /// Writes each part only after the connection has processed the one before it.
    ///
    /// The connection applies back pressure on its event loop. A writer on another thread that does not wait for that
    /// reads megabytes ahead of a slow client.
    package func paced(by connection: any EventLoop) -> ResponseBody {
        let length = contentLength
        return ResponseBody(contentLength: length) { writer in
            try await self.write(
                writer.map { part in
                    try await connection.submit {}.get()
                    return part
                })
        }
    }
}
