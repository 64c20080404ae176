import Foundation
import InAppPurchase
import StrictJSON

/// JSON as the ledger stores it: times in whole milliseconds, members in a fixed order.
enum JSON {
    static let encoder = {
        let encoder = JSONEncoder.canonical
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.milliseconds)
        }
        return encoder
    }()

    /// Encodes an object of any values, such as the content of a row of the audit trail.
    static func encode(_ object: [String: JSONValue]) throws -> String {
        guard object.arePlain else { return String(decoding: try encoder.encode(object), as: UTF8.self) }
        var json = JSONWriter()
        object.write(to: &json)
        return json.text
    }

    static func encode(_ value: some Encodable) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
        try makeDecoder().decode(type, from: Data(text.utf8))
    }

    static func makeDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            Date(milliseconds: try decoder.singleValueContainer().decode(Int.self))
        }
        return decoder
    }
}
