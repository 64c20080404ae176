import Basics
import Foundation
import Testing

@Suite struct HTTPDateTests {
    @Test func `A date in a header field is read as it is written`() {
        let date = Date(timeIntervalSince1970: 784_111_777)
        #expect(HTTPDate.text(of: date) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.date(in: "Sun, 06 Nov 1994 08:49:37 GMT") == date)
        #expect(HTTPDate.date(in: HTTPDate.text(of: date + 0.9)) == date)
    }

    @Test(arguments: [
        "", "x", "1994-11-06T08:49:37Z", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "7",
    ])
    func `Any other text is no date`(text: String) { #expect(HTTPDate.date(in: text) == nil) }
}
