import Foundation
package import Hummingbird
import NIOCore

/// The context of a request to the simulator.
package struct StoreRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The connection, which a fault may close.
    let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// Reads the whole body.
    ///
    /// A client that does not send it in time is disconnected.
    ///
    /// - Throws: `NIOTooManyBytesError` if it is longer than `limit`.
    func body(of request: Request, upTo limit: Int) async throws -> ByteBuffer {
        let channel = channel
        let deadline = channel.eventLoop.scheduleTask(in: SimulatorLimits.bodyTime) { channel.close(promise: nil) }
        defer { deadline.cancel() }
        return try await request.body.collect(upTo: limit)
    }

    /// Reads the whole body of a request that has a few short members.
    func data(of request: Request) async throws -> Data {
        Data(try await body(of: request, upTo: SimulatorLimits.body).readableBytesView)
    }

    /// - Throws: `JSONError`, or a `DecodingError` with the path to the error.
    func decode<Value: Decodable>(_ type: Value.Type, from request: Request) async throws -> Value {
        try JSONBody.decode(type, from: try await data(of: request))
    }

    /// The decoded body; `nil` if there is no body.
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, from request: Request) async throws -> Value? {
        let data = try await data(of: request)
        return data.isEmpty ? nil : try JSONBody.decode(type, from: data)
    }
}
