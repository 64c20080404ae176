import Content
import Testing

@Suite struct PreconditionsTests {
    private func outcome(_ conditions: Preconditions, method: String = "GET") -> Preconditions.Outcome {
        conditions.outcome(method: method, etag: "abc", size: 10)
    }

    @Test(arguments: [
        #""abc""#, "*", #""x", "abc""#, #""x","abc""#, #", "abc" ,"#, #""x",,"abc""#, #"W/"abc", "abc""#,
        #""a,b", "abc""#, "\"\u{FC}\",\t\"abc\"",
    ])
    func `A matching If-Match lets the request through`(_ header: String) {
        #expect(outcome(.init(ifMatch: header)) == .whole)
    }

    @Test(arguments: [
        #"W/"abc""#, #""x""#, "", "abc", #"abc""#, #""abc"#, #""abc" "x""#, #"w/"abc""#, #"* , "abc""#, #" "abc""#,
        #""abc"x"#, #""ABC""#, #""ab c""#, #"'abc'"#, #""abc", *"#, #""abc" "#, "\"abc\u{301}\"", #""x"abc""#,
    ])
    func `If-Match without a strong match fails the precondition`(_ header: String) {
        #expect(outcome(.init(ifMatch: header)) == .preconditionFailed)
        #expect(outcome(.init(ifMatch: header, ifNoneMatch: "*", range: "bytes=0-1")) == .preconditionFailed)
    }

    @Test(arguments: [#""abc""#, #"W/"abc""#, "*", #""x", W/"abc""#, #""x" , "abc""#, #", "abc""#])
    func `A matching If-None-Match is answered as not modified`(_ header: String) {
        #expect(outcome(.init(ifNoneMatch: header)) == .notModified)
        #expect(outcome(.init(ifNoneMatch: header), method: "HEAD") == .notModified)
        #expect(outcome(.init(ifNoneMatch: header), method: "POST") == .preconditionFailed)
        #expect(outcome(.init(ifNoneMatch: header, range: "bytes=99-")) == .notModified)
        #expect(outcome(.init(ifMatch: "*", ifNoneMatch: header)) == .notModified)
    }

    @Test(arguments: ["", #""x""#, "abc", #""abc"#, #"W/abc"#, #""ABC""#, #"W/ "abc""#, #"W/*"#, #""abc" "abc""#])
    func `If-None-Match without a match lets the request through`(_ header: String) {
        #expect(outcome(.init(ifNoneMatch: header)) == .whole)
        #expect(outcome(.init(ifNoneMatch: header, range: "bytes=1-2")) == .part(first: 1, last: 2))
    }

    @Test func `A matching If-Range lets the range through`() {
        #expect(outcome(.init(ifRange: #""abc""#, range: "bytes=1-2")) == .part(first: 1, last: 2))
        #expect(outcome(.init(ifRange: #""abc""#, range: "bytes=10-")) == .rangeNotSatisfiable)
        #expect(outcome(.init(ifRange: #""abc""#)) == .whole)
    }

    @Test(arguments: [
        #"W/"abc""#, #""x""#, "*", "", #""abc", "x""#, "Fri, 20 Nov 2026 21:37:00 GMT", #" "abc""#, "abc",
        #""abc" "#, #""abc""abc""#,
    ])
    func `If-Range without a match makes the answer whole`(_ header: String) {
        #expect(outcome(.init(ifRange: header, range: "bytes=1-2")) == .whole)
        #expect(outcome(.init(ifRange: header, range: "bytes=10-")) == .whole)
    }

    @Test func `Ranges are for GET only`() {
        let conditions = Preconditions(range: "bytes=1-2")
        #expect(outcome(conditions) == .part(first: 1, last: 2))
        for method in ["HEAD", "POST", "get", ""] { #expect(outcome(conditions, method: method) == .whole) }
        #expect(outcome(.init(range: "bytes=10-"), method: "HEAD") == .whole)
        #expect(outcome(.init(range: "bytes=10-")) == .rangeNotSatisfiable)
        #expect(outcome(.init(range: "bytes=5-2")) == .whole)
        #expect(outcome(.init()) == .whole)
    }
}
