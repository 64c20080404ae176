@testable import ServerCore
import Foundation
import InAppPurchase
import Logging
import Synchronization
import Testing

@testable import CommandLine
@testable import ServerHTTP

/// One event is one line of the log, whatever a client sent.
@Suite struct EscapingLogTests {
    private static let hostile = "a\0b\nc\r\u{1B}[2Jd\u{2028}e\u{202E}f\u{85}g\th"
    private static let escaped = #"a\u{0}b\nc\r\u{1B}[2Jd\u{2028}e\u{202E}f\u{85}g\th"#

    /// The text that a stream receives.
    private final class Output: TextOutputStream, Sendable {
        private let text = Mutex("")

        func write(_ string: String) { text.withLock { $0 += string } }

        var lines: [Substring] { text.withLock { Array($0.split(separator: "\n", omittingEmptySubsequences: false)) } }
    }

    private struct Trouble: Error, CustomStringConvertible, Sendable {
        var description: String { hostile }
    }

    private func lines(_ log: (inout Logger) -> Void) -> [Substring] {
        let output = Output()
        var logger = Logger(label: "test") { EscapingLogHandler(StreamLogHandler(label: $0, stream: output)) }
        log(&logger)
        return output.lines
    }

    private struct Text: CustomStringConvertible, Sendable {
        var description: String { hostile }
    }

    @Test func `Messages and metadata stay on their log line`() {
        let all = lines { logger in
            logger[metadataKey: "own"] = "\(Self.hostile)"
            logger.info("\(Self.hostile)", metadata: ["text": .string(Self.hostile)])
            logger.info("x", metadata: ["value": .stringConvertible(Text())])
            logger.info("x", metadata: ["list": .array([.string(Self.hostile)])])
            logger.info("x", metadata: ["map": .dictionary(["key\n": .string(Self.hostile)])])
            logger.info("x", metadata: ["key\n\(Self.hostile)": "1"])
        }
        #expect(all.count == 6 && all.last == "")
        for line in all.dropLast() {
            #expect(line.contains("own=" + Self.escaped), "\(line)")
            #expect(!line.hasControlCharacters && !line.hasBidirectionalControls, "\(line)")
        }
        #expect(all[0].hasSuffix(Self.escaped) && all[0].contains("text=" + Self.escaped))
    }

    @Test func `Errors stay on their log line`() {
        let all = lines { $0.error("x", error: Trouble()) }
        #expect(all.count == 2 && all[0].contains("error.message=" + Self.escaped), "\(all)")
    }

    @Test func `Other text is logged as it is`() {
        let text = #"état 日本 "quoted" back\slash 😀"#
        #expect(lines { $0.info("\(text)") }[0].hasSuffix(text))
    }

    @Test func `The server's logger escapes`() {
        #expect(Logger.standardError(.info).handler is EscapingLogHandler<LineLogHandler>)
    }
}
