import Foundation

/// A route's latest answer, on disk. An error never replaces it.
struct AnswerCache<Value: Decodable & Sendable>: Sendable {
    private let file: StoredFile<CachedAnswer>
    private var answer: CachedAnswer?
    private(set) var value: Value?

    init(_ url: URL) {
        file = StoredFile(url)
        answer = file.load()
        value = answer.flatMap { try? JSONDecoder().decode(Value.self, from: $0.body) }
        if value == nil { answer = nil }
    }

    /// The time at which the value was last confirmed.
    var checkedAt: Date? { answer?.checkedAt }

    /// The request, made conditional: an answer that has not changed is not sent again.
    func conditional(_ request: APIRequest) -> APIRequest {
        guard let etag = answer?.etag else { return request }
        var copy = request
        copy.headers["If-None-Match"] = etag
        return copy
    }

    /// Takes an answer to ``conditional(_:)``.
    ///
    /// - Returns: whether the value has changed.
    /// - Throws: if the answer cannot be read; the value stays.
    mutating func update(_ response: HTTPResponse, at time: Date) throws -> Bool {
        guard response.status != 304 else {
            answer?.checkedAt = time
            if let answer { try? file.save(answer) }
            return false
        }
        value = try JSONDecoder().decode(Value.self, from: response.body)
        let answer = CachedAnswer(etag: response["ETag"], body: response.body, checkedAt: time)
        try? file.save(answer)
        self.answer = answer
        return true
    }

    /// Forgets the answer, as after the account was changed.
    mutating func remove() {
        file.remove()
        answer = nil
        value = nil
    }
}
