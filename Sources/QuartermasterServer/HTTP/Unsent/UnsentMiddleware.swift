import Hummingbird
import NIOCore

/// Reserves room for the bodies of large responses, and writes them in pieces, each when the client has read those
/// before it.
///
/// What a file is read for piece by piece takes no room.
struct UnsentMiddleware: RouterMiddleware {
    let budget: UnsentBudget
    let clients: ClientAddresses

    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        if budget.isOver { _ = try await reserve(0, request, context) }
        var response = try await next(request, context)
        guard let bytes = response.body.contentLength, bytes > UnsentBudget.uncountedBytes,
            request.method != .head, !context.notes.isStreamed
        else { return response }
        var held: UnsentBytes?
        if request.method == .get {
            held = budget.reserve(bytes, for: clients.subscriber(request, context), on: context.channel)
        } else {
            // What was asked for is done.
            held = budget.count(bytes, for: clients.subscriber(request, context), on: context.channel)
        }
        if held == nil {
            // Made again when there is room, so that none waits in memory.
            response = Response(status: .serviceUnavailable)
            held = try await reserve(bytes, request, context)
            response = try await next(request, context)
            held?.count(response.body.contentLength ?? 0)
        }
        if let held { response.body = response.body.inPieces(held, on: context.channel.eventLoop) }
        return response
    }

    private func reserve(_ bytes: Int, _ request: Request, _ context: ServerContext) async throws -> UnsentBytes {
        try await budget.reserveSoon(bytes, for: clients.subscriber(request, context), on: context.channel)
    }
}

extension ResponseBody {
    /// Writes the body in pieces of ``UnsentBudget/pieceBytes``, and holds its room until it is written or given up.
    fileprivate func inPieces(_ held: UnsentBytes, on loop: any EventLoop) -> ResponseBody {
        ResponseBody(contentLength: contentLength) { writer in
            try await write(PieceWriter(writer: writer, held: held, loop: loop))
        }
    }
}

private struct PieceWriter: ResponseBodyWriter {
    var writer: any ResponseBodyWriter
    let held: UnsentBytes
    let loop: any EventLoop

    mutating func write(_ buffer: ByteBuffer) async throws {
        var rest = buffer
        while let piece = rest.readSlice(length: min(rest.readableBytes, UnsentBudget.pieceBytes)),
            piece.readableBytes > 0
        {
            try await writer.write(piece)
            // The event loop applies the back pressure: a writer that does not wait for it is far ahead of the client.
            try await loop.submit {}.get()
            held.progress()
        }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await writer.finish(trailingHeaders)
    }
}
