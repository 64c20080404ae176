import Foundation
import InAppPurchase
import Logging
import ServerTestSupport
import Synchronization
import Testing

@testable import CommandLine
@testable import ServerHTTP

/// One event is one line of the log, in a form that programs read, whatever a client sent.
@Suite struct LineLogTests {
    private static let hostile = "a\0b\nc\r\u{1B}[2Jd\u{2028}e\u{202E}f\u{85}g\th \"i\" j\\k=l"
    private static let quoted = #""a\u0000b\nc\r\u001b[2Jd\u2028e\u202ef\u0085g\th \"i\" j\\k=l""#

    private final class Output: TextOutputStream, Sendable {
        let text = Mutex("")

        func write(_ string: String) { text.withLock { $0 += string } }

        /// The lines, each of which ends with a line feed.
        var lines: [String] {
            let parts = text.withLock { $0.split(separator: "\n", omittingEmptySubsequences: false) }
            #expect(parts.last == "")
            return parts.dropLast().map(String.init)
        }
    }

    private struct Trouble: Error, CustomStringConvertible, Sendable {
        var description: String { "no disk" }
    }

    private struct Text: CustomStringConvertible, Sendable {
        var description: String { hostile }
    }

    private func lines(
        _ format: LogFormat, _ provider: Logger.MetadataProvider? = nil, _ log: (inout Logger) -> Void
    ) -> [String] {
        let output = Output()
        var logger = Logger(label: "test") { _ in
            var handler = LineLogHandler(format, stream: output)
            handler.metadataProvider = provider
            return handler
        }
        log(&logger)
        return output.lines
    }

    private func logSome(_ logger: inout Logger) {
        logger.info("plain")
        logger.info("with fields", metadata: ["b": "2", "a": .stringConvertible(1), "c": ["x", "y z"], "d": ""])
        logger[metadataKey: "own"] = "3"
        logger[metadataKey: "a"] = "0"
        logger.warning("content rejected", metadata: ["detail": "cannot be read", "a": ["k": "v"]])
        logger.error("with an error", error: Trouble())
        logger.debug("not at this level")
        logger.notice(#"état "quoted" back\slash"#, metadata: ["name": "état", "signature": "AA=="])
    }

    @Test func `A line of text has the time, the level, the message and the fields`() {
        let all = lines(.text, nil, logSome)
        #expect(all.allSatisfy { $0.contains(#/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ /#) }, "\(all)")
        #expect(
            all.map { $0.dropFirst(21) } == [
                "info plain",
                #"info with fields a=1 b=2 c="[\"x\",\"y z\"]" d="""#,
                #"warning content rejected a="{\"k\":\"v\"}" detail="cannot be read" own=3"#,
                #"error with an error a=0 error="no disk" own=3"#,
                #"notice état "quoted" back\slash a=0 name="état" own=3 signature="AA==""#,
            ])
    }

    @Test func `A line of JSON is an object with the same`() {
        let all = lines(.json, nil, logSome)
        #expect(all.allSatisfy { $0.contains(#/^{"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ",/#) }, "\(all)")
        #expect(
            all.map { $0.dropFirst(#"{"time":"2026-11-29T20:45:00Z","#.count) } == [
                #""level":"info","message":"plain"}"#,
                #""level":"info","message":"with fields","a":1,"b":"2","c":["x","y z"],"d":""}"#,
                #""level":"warning","message":"content rejected","a":{"k":"v"},"detail":"cannot be read","own":"3"}"#,
                #""level":"error","message":"with an error","a":"0","error":"no disk","own":"3"}"#,
                #""level":"notice","message":"état \"quoted\" back\\slash","a":"0","name":"état","own":"3","#
                    + #""signature":"AA=="}"#,
            ])
    }

    @Test func `Fields of a provider are overridden by those of the line`() {
        let provider = Logger.MetadataProvider { ["provided": "yes", "own": "no"] }
        let all = lines(.text, provider) { $0.info("x", metadata: ["own": "yes"]) }
        #expect(all.map { $0.dropFirst(21) } == ["info x own=yes provided=yes"])
    }

    private func logHostile(_ logger: inout Logger) {
        logger[metadataKey: "own"] = "\(Self.hostile)"
        logger.info("\(Self.hostile)", metadata: ["text": .string(Self.hostile)])
        logger.info("x", metadata: ["value": .stringConvertible(Text())])
        logger.info("x", metadata: ["list": .array([.string(Self.hostile)])])
        logger.info("x", metadata: ["map": .dictionary(["key\n": .string(Self.hostile)])])
        logger.info("x", metadata: ["key\n\(Self.hostile)": "1"])
    }

    @Test(arguments: LogFormat.allCases)
    func `Messages and metadata stay on their log line`(format: LogFormat) {
        let all = lines(format, nil, logHostile)
        #expect(all.count == 5)
        for line in all {
            #expect(line.contains("own\(format == .json ? "\":" : "=")" + Self.quoted), "\(line)")
            #expect(!line.hasControlCharacters && !line.hasBidirectionalControls, "\(line)")
        }
    }

    @Test func `Every line of JSON is valid and has the values that were logged`() throws {
        let lines = try lines(.json, nil, logHostile)
            .map { try JSONDecoder().decode([String: JSONValue].self, from: Data($0.utf8)) }
        let text = JSONValue.string(Self.hostile)
        #expect(lines.map { $0["own"] } == Array(repeating: text, count: 5))
        #expect(lines[0]["message"] == text && lines[0]["text"] == text && lines[1]["value"] == text)
        #expect(lines[2]["list"] == .array([text]) && lines[3]["map"] == .object(["key\n": text]))
        #expect(lines[4]["key\n\(Self.hostile)"] == "1")
    }

    /// Infinity is no number of JSON, and a member that occurs twice is read by some and not by others.
    @Test func `Fields of JSON are neither infinite nor named as the time, the level and the message`() {
        let all = lines(.json) { logger in
            logger.info("x", metadata: ["a": .stringConvertible(Double.infinity), "b": .stringConvertible(1.5)])
            logger.info("x", metadata: ["message": "y", "level": "z", "time": "t"])
        }
        #expect(
            all.map { $0.dropFirst(#"{"time":"2026-11-29T20:45:00Z","level":"info","message":"x","#.count) } == [
                #""a":"inf","b":1.5}"#, #""level_":"z","message_":"y","time_":"t"}"#,
            ])
    }

    @Test func `The time of a log line is that of the current second`() throws {
        let now = Mutex(time_t(1_700_000_000))
        let asked = Mutex(0)
        let clock = LogClock {
            asked.withLock { $0 += 1 }
            return now.withLock { $0 }
        }
        for second in [0, 0, 1, 1, 3_600, 0, 20_000_000] {
            now.withLock { $0 = 1_700_000_000 + second }
            let date = try #require(Date(rfc3339: clock.text))
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
