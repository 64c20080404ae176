import Foundation

/// A route's latest answer, on disk. Neither an error replaces it nor the answer to an earlier request.
struct AnswerCache<Value: Decodable & Sendable>: Sendable {
    private let file: StoredFile<CachedAnswer>
    private var answer: CachedAnswer?
    private(set) var value: Value?
    /// The number of requests that have begun, and of the last one whose answer counts.
    private var (begun, answered) = (0, 0)

    init(_ url: URL) {
        file = StoredFile(url)
        answer = file.loadIfReadable()
        value = answer.flatMap { try? JSONDecoder().decode(Value.self, from: $0.body) }
        if value == nil { answer = nil }
    }

    /// The time at which the value was last confirmed.
    var checkedAt: Date? { answer?.checkedAt }

    /// Begins a request, made conditional: an answer that has not changed is not sent again.
    ///
    /// - Returns: the request, and its number for ``update(_:to:at:)``.
    mutating func begin(_ request: APIRequest) -> (request: APIRequest, number: Int) {
        begun += 1
        var copy = request
        if let etag = answer?.boundTag { copy.headers["If-None-Match"] = etag }
        return (copy, begun)
    }

    /// Takes the answer to a request.
    ///
    /// - Returns: whether the value has changed; `nil` if the answer was dropped, because a later request was answered
    ///   or ``remove()`` was called since the request began.
    /// - Throws: if the answer cannot be read; the value stays.
    mutating func update(_ response: HTTPResponse, to number: Int, at time: Date) throws -> Bool? {
        guard number > answered else { return nil }
        guard response.status != 304 else {
            answered = number
            answer?.checkedAt = time
            if let answer { try? file.save(answer) }
            return false
        }
        value = try JSONDecoder().decode(Value.self, from: response.body)
        let answer = CachedAnswer(response, checkedAt: time)
        try? file.save(answer)
        self.answer = answer
        answered = number
        return true
    }

    /// Forgets the answer, and drops those that are on their way, as after the account was changed.
    mutating func remove() {
        answered = begun
        file.remove()
        answer = nil
        value = nil
    }
}

/// An answer of the server as it came, with its entity tag.
struct CachedAnswer: Sendable, Codable {
    private var etag: String?
    /// The SHA-256 of the tag and the body: the server must not confirm, by its tag, a body that was changed on disk.
    private var hash: String?
    private(set) var body: Data
    /// The time of the last request for it, by ``ServerTime``.
    var checkedAt: Date

    init(_ response: HTTPResponse, checkedAt: Date) {
        etag = response["ETag"]
        body = response.body
        self.checkedAt = checkedAt
        hash = etag.map { Self.hash($0, body) }
    }

    /// The tag, if it is that of the body.
    var boundTag: String? { etag.flatMap { hash == Self.hash($0, body) ? $0 : nil } }

    private static func hash(_ tag: String, _ body: Data) -> String { ContentHash(of: Data(tag.utf8) + body).text }
}
