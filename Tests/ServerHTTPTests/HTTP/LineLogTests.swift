import Foundation
import Logging
import Synchronization
import Testing

@testable import CommandLine
@testable import ServerHTTP

/// The lines of the log are those of swift-log's own handler, which others parse already.
@Suite struct LineLogTests {
    private final class Output: TextOutputStream, Sendable {
        let text = Mutex("")

        func write(_ string: String) { text.withLock { $0 += string } }
    }

    private struct Trouble: Error, CustomStringConvertible, Sendable {
        var description: String { "no disk" }
    }

    private func log(_ logger: Logger) {
        var logger = logger
        logger.info("plain")
        logger.info("with metadata", metadata: ["b": "2", "a": .stringConvertible(1), "c": ["x", "y"]])
        logger[metadataKey: "own"] = "3"
        logger[metadataKey: "a"] = "0"
        logger.warning("with both", metadata: ["a": ["k": "v"]])
        logger.error("with an error", error: Trouble())
        logger.debug("not at this level")
        logger.notice("from elsewhere", source: "Elsewhere")
    }

    /// Without the seconds, which may differ for the second handler.
    private func lines(_ make: (String, Output, Logger.MetadataProvider?) -> any LogHandler) -> [String] {
        let output = Output()
        for provider in [nil, Logger.MetadataProvider { ["provided": "yes", "own": "overridden"] }] {
            log(Logger(label: "test") { make($0, output, provider) })
        }
        let all = output.text.withLock { $0 }.split(separator: "\n", omittingEmptySubsequences: false)
        return all.map { line in String(line.prefix(17)) + line.dropFirst(19) }
    }

    @Test func `Log lines are those of the usual handler`() {
        let expected = lines { StreamLogHandler(label: $0, stream: $1, metadataProvider: $2) }
        let own = lines { label, output, provider in
            var handler = LineLogHandler(label: label, stream: output)
            handler.metadataProvider = provider
            return handler
        }
        #expect(expected.count == 11)
        #expect(own == expected)
    }

    @Test func `The time of a log line is that of the current second`() throws {
        let now = Mutex(time_t(1_700_000_000))
        let asked = Mutex(0)
        let clock = LogClock {
            asked.withLock { $0 += 1 }
            return now.withLock { $0 }
        }
        let parser = DateFormatter()
        parser.locale = Locale(identifier: "en_US_POSIX")
        parser.dateFormat = "yyyy-MM-dd'T'HH:mm:ssZ"
        for second in [0, 0, 1, 1, 3_600, 0, 20_000_000] {
            now.withLock { $0 = 1_700_000_000 + second }
            let date = try #require(parser.date(from: clock.text))
            #expect(date.timeIntervalSince1970 == Double(1_700_000_000 + second))
        }
        #expect(asked.withLock { $0 } == 7)
    }

    @Test(arguments: [0, 1, 7, 16, 32, 256, 257, 1_000])
    func `Random bytes are as many as asked for and differ each time`(count: Int) {
        let (first, second) = (systemRandomBytes(count), systemRandomBytes(count))
        #expect(first.count == count && second.count == count)
        if count >= 16 {
            #expect(first != second)
            // One in 2 to the power of 64 times, one of 16 is all zeros or ends in zeros.
            for bytes in [first, second] { #expect(bytes.suffix(8) != [0, 0, 0, 0, 0, 0, 0, 0]) }
        }
    }
}
