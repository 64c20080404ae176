import Basics
import Foundation

/// The body of a request.
enum JSONBody {
    /// Members and elements of one body. A purchase has some thirty.
    static let limits = JSONLimits(maximumMembers: 1_000)

    /// The bytes are not JSON at all, or more than is read.
    struct NotJSON: Error {}

    /// Decodes the body after one scan that bounds what it costs.
    ///
    /// - Throws: ``NotJSON``, or a `DecodingError` if it is JSON but not what is expected.
    static func decode<Value: Decodable>(_ type: Value.Type, from body: Data) throws -> Value {
        guard let json = try? StrictJSON(body, limits, tolerance: .byteOrderMark) else { throw NotJSON() }
        return try json.decode(type)
    }
}
