import Content
import Logging
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

@Suite struct ContentLogTests {
    @Test func `A scan of the content that is overdue is logged`() {
        let log = LogRecorder()
        var changes = ContentChanges()
        changes.log(log.logger(.info))
        #expect(log.lines == [])
        changes.isOverdue = true
        changes.log(log.logger(.warning))
        #expect(log.lines.count == 1 && log.lines[0].hasPrefix("a scan of the content has not ended"), "\(log.lines)")
    }
}
