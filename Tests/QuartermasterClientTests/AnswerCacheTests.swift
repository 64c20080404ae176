import Foundation
import Testing

@testable import QuartermasterClient

/// Requests may overlap: the app comes to the foreground while a purchase is delivered, or somebody signs in.
@Suite struct AnswerCacheTests {
    private let file = FileManager.default.temporaryDirectory.appending(path: "qm-answer-\(UUID().uuidString).json")
    private let time = Date(timeIntervalSince1970: 1_800_000_000)

    private func answer(_ value: Int) -> HTTPResponse {
        HTTPResponse(head: HTTPHead(status: 200, headers: ["etag": "\"\(value)\""]), body: Data("[\(value)]".utf8))
    }

    private let unchanged = HTTPResponse(head: HTTPHead(status: 304, headers: [:]), body: Data())
    private let request = APIRequest(.get, "v1", "entitlements")

    @Test func `The answer to an earlier request replaces no later one, whatever it says`() throws {
        defer { try? FileManager.default.removeItem(at: file) }
        var cache = AnswerCache<[Int]>(file)
        let (first, second) = (cache.begin(request).number, cache.begin(request).number)
        #expect(try cache.update(answer(29), to: second, at: time) == true)
        #expect(try cache.update(answer(30), to: first, at: time + 1) == nil)
        #expect(cache.value == [29] && cache.checkedAt == time)
        let (third, fourth) = (cache.begin(request).number, cache.begin(request))
        #expect(fourth.request.headers["If-None-Match"] == "\"29\"")
        #expect(try cache.update(unchanged, to: fourth.number, at: time + 2) == false)
        #expect(try cache.update(answer(30), to: third, at: time + 3) == nil)
        #expect(cache.value == [29] && cache.checkedAt == time + 2)
        #expect(AnswerCache<[Int]>(file).value == [29])
    }

    @Test func `An answer that was on its way when the account changed is dropped, and the next one counts`() throws {
        defer { try? FileManager.default.removeItem(at: file) }
        var cache = AnswerCache<[Int]>(file)
        let before = cache.begin(request).number
        cache.remove()
        #expect(try cache.update(answer(30), to: before, at: time) == nil)
        #expect(cache.value == nil && AnswerCache<[Int]>(file).value == nil)
        let after = cache.begin(request)
        #expect(after.request.headers["If-None-Match"] == nil)
        #expect(try cache.update(answer(7), to: after.number, at: time) == true)
        #expect(cache.value == [7])
    }

    @Test func `An answer that cannot be read leaves the last one, and the next one counts`() throws {
        defer { try? FileManager.default.removeItem(at: file) }
        var cache = AnswerCache<[Int]>(file)
        let (first, second) = (cache.begin(request).number, cache.begin(request).number)
        let html = HTTPResponse(head: HTTPHead(status: 200, headers: [:]), body: Data("<html>".utf8))
        #expect(throws: DecodingError.self) { try cache.update(html, to: second, at: time) }
        #expect(try cache.update(answer(30), to: first, at: time) == true)
        #expect(cache.value == [30])
    }

    @Test func `A body that was changed on disk is not confirmed by its tag`() throws {
        defer { try? FileManager.default.removeItem(at: file) }
        var cache = AnswerCache<[Int]>(file)
        let first = cache.begin(request).number
        #expect(try cache.update(answer(29), to: first, at: time) == true)
        var again = AnswerCache<[Int]>(file)
        #expect(again.begin(request).request.headers["If-None-Match"] == "\"29\"")
        let text = try String(contentsOf: file, encoding: .utf8)
        let (old, new) = (Data("[29]".utf8).base64EncodedString(), Data("[99]".utf8).base64EncodedString())
        #expect(text.contains(old))
        try text.replacing(old, with: new).write(to: file, atomically: true, encoding: .utf8)
        var edited = AnswerCache<[Int]>(file)
        #expect(edited.value == [99], "until the server answers")
        #expect(edited.begin(request).request.headers["If-None-Match"] == nil)
    }
}
