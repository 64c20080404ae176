import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import CommandLine
@testable import ServerHTTP

/// A download goes on only as fast as its connection accepts it.
@Suite struct PacedBodyTests {
    /// Counts the parts that were written and that the connection, on its event loop, does not know of yet.
    private struct Writer: ResponseBodyWriter {
        final class Counts: Sendable {
            let values = Mutex((written: 0, unknown: 0, mostUnknown: 0))
        }

        let connection: any EventLoop
        let counts = Counts()

        mutating func write(_ buffer: ByteBuffer) {
            counts.values.withLock { counts in
                counts.written += 1
                counts.unknown += 1
                counts.mostUnknown = max(counts.mostUnknown, counts.unknown)
            }
            connection.execute { [counts] in counts.values.withLock { $0.unknown -= 1 } }
        }

        consuming func finish(_ trailingHeaders: HTTPFields?) {}
    }

    @Test func `No part is written before the connection knows of the last one`() async throws {
        let connection = MultiThreadedEventLoopGroup.singleton.next()
        let parts = 1_000
        let body = ResponseBody(contentLength: parts) { writer in
            for _ in 0..<parts { try await writer.write(ByteBuffer(string: "x")) }
            try await writer.finish(nil)
        }.paced(by: connection)
        #expect(body.contentLength == parts)
        let writer = Writer(connection: connection)
        let counts = writer.counts
        try await body.write(writer)
        counts.values.withLock { #expect($0.written == parts && $0.mostUnknown == 1) }
    }
}
