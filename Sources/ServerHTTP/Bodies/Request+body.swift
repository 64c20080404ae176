import Crypto
package import Foundation
import Hummingbird
package import NIOCore
import NIOFoundationCompat

extension Request {
    /// Reads the whole body. Its memory is reserved from the ``BodyBudget`` until the request is answered.
    ///
    /// If the body does not arrive within its time, the connection is closed without a response.
    /// - Throws: ``BodySizeError`` past the limit; 503 `busy` if there is no room for it now, or if it arrives too
    ///   slowly.
    package func wholeBody(_ limits: BodyLimits, _ context: ServerContext) async throws -> ByteBuffer {
        let allowance = context.notes.bodyAllowance
        let declared = headers[.contentLength].flatMap { Int($0) } ?? 0
        let mayBeLarge = declared > Limits.smallBodyBytes || headers[.transferEncoding] != nil
        let watch = mayBeLarge ? allowance?.watch(on: context.channel.eventLoop) : nil
        defer { watch?.cancel() }
        do {
            let whole = try await wholeBody(limits, context, allowance, declared)
            allowance?.complete()
            return whole
        } catch is BodyEndedError {
            throw Problem.tooManyBodies
        }
    }

    private func wholeBody(
        _ limits: BodyLimits, _ context: ServerContext, _ allowance: BodyAllowance?, _ declared: Int
    ) async throws -> ByteBuffer {
        // The connection has a deadline for any body, and another one wakes its event loop twice.
        let channel = limits.maximumTime < Limits.bodyTime ? context.channel : nil
        let deadline = channel?.eventLoop.scheduleTask(in: limits.maximumTime) { channel?.close(promise: nil) }
        defer { deadline?.cancel() }
        var whole = ByteBuffer()
        var reads = BodyReads(context.channel)
        defer { reads.reset() }
        let longest = declared > 0 ? min(declared, limits.maximumBytes) : limits.maximumBytes
        for try await part in body {
            let bytes = whole.readableBytes + part.readableBytes
            guard bytes <= limits.maximumBytes else { throw BodySizeError() }
            allowance?.arrive(part.readableBytes)
            let held = max(bytes, min(bytes + reads.ahead, longest))
            if held > whole.capacity {
                // A buffer doubles its capacity; this is what it will allocate.
                let capacity = held.nextPowerOfTwo
                try allowance?.grow(
                    to: capacity, isLarge: max(bytes, min(declared, limits.maximumBytes)) > Limits.smallBodyBytes,
                    of: context.notes.account)
                whole.reserveCapacity(capacity)
            }
            whole.writeImmutableBuffer(part)
            if bytes >= Limits.largeReadsFrom, allowance != nil { reads.enlarge() }
        }
        return whole
    }

    /// Decodes a JSON body; an empty one is `{}`.
    ///
    /// - Throws: 400 if it cannot be read, 413 past its limit, 503 `busy`.
    package func decodedBody<Body: JSONRequestBody>(_ type: Body.Type, _ context: ServerContext) async throws -> Body {
        do {
            let whole = try await wholeBody(Body.limits, context)
            return try await LargeBodies.shared.run(bytes: whole.readableBytes) {
                try JSONCoding.decode(type, from: whole)
            }
        } catch is BodySizeError {
            throw Problem.requestTooLarge
        }
    }
}

/// The size of a connection's reads while a body arrives.
private struct BodyReads {
    private let channel: any Channel
    private var areLarge = false

    init(_ channel: any Channel) { self.channel = channel }

    /// The bytes that may have been read and not been asked for, and that the budget has to count.
    var ahead: Int { areLarge ? Limits.readAheadBytes : 0 }

    mutating func enlarge() {
        guard !areLarge else { return }
        areLarge = true
        channel.triggerUserOutboundEvent(ReadSize.large, promise: nil)
    }

    /// Makes the reads of the next request as usual again.
    func reset() {
        if areLarge { channel.triggerUserOutboundEvent(ReadSize.usual, promise: nil) }
    }
}

extension BodyAllowance {
    /// Ends the body if it becomes too slow.
    fileprivate func watch(on loop: any EventLoop) -> RepeatedTask {
        loop.scheduleRepeatedTask(initialDelay: BodyBudget.gracePeriod, delay: BodyBudget.interval) { _ in
            self.endIfTooSlow()
        }
    }
}

extension ByteBuffer {
    package var sha256: Data { Data(SHA256.hash(data: Data(buffer: self))) }
}

extension Int {
    /// The least power of two that is not below the number; at least 1 KiB.
    fileprivate var nextPowerOfTwo: Int {
        let bits = (Swift.max(self, 1 << 10) - 1).leadingZeroBitCount
        return 1 << (Int.bitWidth - bits)
    }
}
