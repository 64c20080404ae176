import Foundation
import StrictJSON

/// Decodes the JSON bodies of requests.
enum JSONBody {
    /// The maximum number of members and elements of one body. A purchase has some thirty.
    static let limits = JSONLimits(maximumMembers: 1_000)

    /// Decodes the body after a scan that bounds its cost.
    ///
    /// - Throws: `JSONError` if it is not JSON or exceeds the limits, or a `DecodingError` if it is JSON but not what
    ///   is expected.
    static func decode<Value: Decodable>(_ type: Value.Type, from body: Data) throws -> Value {
        try StrictJSON(body, limits, tolerance: .byteOrderMark).decode(type)
    }
}
