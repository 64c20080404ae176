import LedgerSQL
import Logging
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerCore

/// A growing write-ahead log is reported once, and once when it no longer grows.
@Suite struct CheckpointLogTests {
    @Test func `A growing write-ahead log is logged once, and its end once`() {
        let recorder = LogRecorder()
        let log = CheckpointLog(recorder.logger(.info))
        let (whole, held) = (LogCheckpoint(pages: 8_192, writtenBack: 8_192), LogCheckpoint(pages: 9, writtenBack: 8))
        let grown = LogCheckpoint(pages: CheckpointLog.maximumPages + 1, writtenBack: 8)
        for checkpoint in [whole, held, held, whole] { log.ended(checkpoint) }
        #expect(recorder.lines == [])
        for checkpoint in [grown, held, grown, LogCheckpoint(pages: 0, writtenBack: 0, trouble: "SQLite 13")] {
            log.ended(checkpoint)
        }
        #expect(recorder.lines.count == 1 && recorder.lines[0].contains("pages=65537"), "\(recorder.lines)")
        for checkpoint in [whole, whole] { log.ended(checkpoint) }
        #expect(recorder.lines.count == 2 && recorder.lines[1].contains("again"), "\(recorder.lines)")
        log.ended(LogCheckpoint(pages: 0, writtenBack: 0, trouble: "SQLite 13"))
        #expect(recorder.lines.last?.contains("error=SQLite 13") == true)
    }
}
