public import Hummingbird
import NIOCore

/// What a request of the simulated store brings along.
public struct StoreRequestContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// The connection, which a fault may close.
    let channel: any Channel

    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// The whole body.
    ///
    /// A client that does not send it in time is cut off.
    ///
    /// - Throws: `NIOTooManyBytesError` where it is longer than `limit`.
    func body(of request: Request, upTo limit: Int) async throws -> ByteBuffer {
        let channel = channel
        let deadline = channel.eventLoop.scheduleTask(in: Limits.bodyTime) { channel.close(promise: nil) }
        defer { deadline.cancel() }
        return try await request.body.collect(upTo: limit)
    }
}
