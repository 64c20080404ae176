import Crypto
import Foundation
import Hummingbird
import NIOCore

extension Request {
    /// The body, whole.
    ///
    /// A body that is not there in `time` cuts the connection: there is nobody to answer politely to.
    /// - Throws: `BodyTooLarge` past `limit`.
    func wholeBody(upTo limit: Int, within time: TimeAmount, _ context: ServerContext) async throws -> ByteBuffer {
        let channel = context.channel
        let deadline = channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
        defer { deadline.cancel() }
        var whole = ByteBuffer()
        for try await part in body {
            whole.writeImmutableBuffer(part)
            if whole.readableBytes > limit { throw BodyTooLarge(beginning: whole) }
        }
        return whole
    }

    /// A small JSON body; without one, `{}`.
    func smallBody<Body: Decodable>(_ type: Body.Type, _ context: ServerContext) async throws -> Body {
        do {
            let whole = try await wholeBody(upTo: Limits.smallBodyBytes, within: Limits.smallBodyTime, context)
            return try JSONCoding.decode(type, from: whole.readableBytes == 0 ? ByteBuffer(string: "{}") : whole)
        } catch is BodyTooLarge {
            throw Problem.requestTooLarge
        }
    }
}

/// A body passed its limit.
struct BodyTooLarge: Error {
    /// What was read of it.
    var beginning: ByteBuffer
}

extension ByteBuffer {
    var sha256: Data { Data(SHA256.hash(data: Data(readableBytesView))) }
}
