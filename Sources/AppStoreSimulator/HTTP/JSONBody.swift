import Foundation

/// The body of a request.
enum JSONBody {
    /// The bytes are not JSON at all.
    struct NotJSON: Error {}

    /// Reads nothing, so that it can be read from any JSON.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// - Throws: ``NotJSON``, or a `DecodingError` where it is JSON but not what is expected.
    static func decode<Value: Decodable>(_ type: Value.Type, from body: Data) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch let error as DecodingError {
            // The decoder says the same of a number that does not fit as of what it cannot parse.
            guard (try? JSONDecoder().decode(Anything.self, from: body)) != nil else { throw NotJSON() }
            throw error
        }
    }
}
