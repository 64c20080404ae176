import HTTPTypes
import Hummingbird
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import QuartermasterServer

/// A download goes on only as fast as its connection hears of it.
@Suite struct PacedBodyTests {
    /// Counts what the connection would be given.
    private struct Writer: ResponseBodyWriter {
        final class Count: Sendable {
            let parts = Mutex(0)
        }

        let count = Count()

        mutating func write(_ buffer: ByteBuffer) { count.parts.withLock { $0 += 1 } }
        consuming func finish(_ trailingHeaders: HTTPFields?) {}
    }

    @Test func noPartIsWrittenBeforeTheConnectionKnowsOfTheLast() async throws {
        let channel = NIOAsyncTestingChannel()
        let parts = 20
        let body = ResponseBody(contentLength: parts) { writer in
            for _ in 0..<parts { try await writer.write(ByteBuffer(string: "x")) }
            try await writer.finish(nil)
        }.paced(by: channel)
        #expect(body.contentLength == parts)
        let writer = Writer()
        let written = writer.count
        async let end: Void = body.write(writer)
        var turns = 0
        while written.parts.withLock({ $0 }) < parts {
            #expect(written.parts.withLock { $0 } <= turns)
            turns += 1
            await channel.testingEventLoop.run()
        }
        try await end
        #expect(turns >= parts)
        _ = try? await channel.close()
    }
}
