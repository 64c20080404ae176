package import StrictJSON

/// Any JSON value, passed through without interpretation (`metadata`).
public enum JSONValue: Hashable, Sendable, Codable {
    /// JSON's `null`.
    case null
    /// JSON's `true` or `false`.
    case bool(Bool)
    /// A whole number that fits 64 bits.
    case integer(Int)
    /// Any other number that a `Double` can hold.
    case number(Double)
    /// A string.
    case string(String)
    /// An array, in order.
    case array([JSONValue])
    /// An object, without the order of its members.
    case object([String: JSONValue])

    /// Converts a scanned part of a JSON document.
    /// - Returns: `nil` for a number that neither `Int` nor `Double` holds, and for half of a surrogate pair in a
    ///   string.
    package init?(_ part: JSONPart) {
        switch part.kind {
        case .null: self = .null
        case .bool: self = .bool(part.bool == true)
        case .number:
            guard let value = part.integer(Int.self).map(Self.integer) ?? part.double.map(Self.number) else {
                return nil
            }
            self = value
        case .string:
            guard let text = part.string else { return nil }
            self = .string(text)
        case .array:
            let elements = part.elements
            let values = elements.compactMap { JSONValue($0) }
            guard values.count == elements.count else { return nil }
            self = .array(values)
        case .object:
            var values: [String: JSONValue] = [:]
            for (name, value) in part.members {
                guard let name = name.string, let value = JSONValue(value) else { return nil }
                if values[name] == nil { values[name] = value }
            }
            self = .object(values)
        }
    }

    public init(from decoder: any Decoder) throws {
        if let scanned = decoder as? JSONPartDecoder {
            guard let value = JSONValue(scanned.part) else {
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath, debugDescription: "a number or a string that cannot be stored"))
            }
            self = value
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
