package import Foundation

/// The encoder of one value within another.
final class PieceEncoder: Encoder {
    let dates: CanonicalEncoder.DateText
    private let parent: PieceEncoder?
    private let key: (any CodingKey)?
    private(set) var result: JSONPiece?

    init(_ dates: @escaping CanonicalEncoder.DateText, parent: PieceEncoder?, key: (any CodingKey)?) {
        self.dates = dates
        self.parent = parent
        self.key = key
    }

    // Computed when it is asked for: an array for each value costs more than the value.
    var codingPath: [any CodingKey] { (parent?.codingPath ?? []) + (key.map { [$0] } ?? []) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// The members of the object that the value is, made by the first container.
    var members: JSONPiece.Members {
        if case .object(let members) = result { return members }
        let members = JSONPiece.Members()
        result = .object(members)
        return members
    }

    /// The elements of the array that the value is, made by the first container.
    var elements: JSONPiece.Elements {
        if case .array(let elements) = result { return elements }
        let elements = JSONPiece.Elements()
        result = .array(elements)
        return elements
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(PieceMembers(self, members))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { PieceElements(self, elements) }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func nested(_ key: (any CodingKey)?) -> PieceEncoder { PieceEncoder(dates, parent: self, key: key) }

    /// Encodes a value in this encoder's place.
    ///
    /// - Returns: `nil` if it encodes nothing.
    func piece<Value: Encodable>(of value: Value) throws -> JSONPiece? {
        if Value.self == Date.self, let date = value as? Date { return .string(dates(date, key)) }
        if Value.self == Data.self, let data = value as? Data { return .string(data.base64EncodedString()) }
        if Value.self == URL.self, let url = value as? URL { return .string(url.absoluteString) }
        if Value.self == Decimal.self, let number = value as? Decimal { return .number(number.description) }
        try value.encode(to: self)
        return result
    }

    /// The number as Foundation's encoder writes it: whole numbers without a fraction.
    func number<Number: BinaryFloatingPoint & CustomStringConvertible>(_ number: Number) throws -> JSONPiece {
        guard number.isFinite else {
            throw EncodingError.invalidValue(
                number, .init(codingPath: codingPath, debugDescription: "JSON has no such number"))
        }
        let text = number.description
        return .number(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    func integer(_ number: some BinaryInteger) -> JSONPiece {
        Int(exactly: number).map { .integer($0) } ?? .number(String(number))
    }
}

extension PieceEncoder: SingleValueEncodingContainer {
    func encodeNil() { result = .null }
    func encode(_ value: Bool) { result = .bool(value) }
    func encode(_ value: String) { result = .string(value) }
    func encode(_ value: Double) throws { result = try number(value) }
    func encode(_ value: Float) throws { result = try number(value) }
    func encode(_ value: Int) { result = .integer(value) }
    func encode(_ value: Int8) { result = integer(value) }
    func encode(_ value: Int16) { result = integer(value) }
    func encode(_ value: Int32) { result = integer(value) }
    func encode(_ value: Int64) { result = integer(value) }
    func encode(_ value: UInt) { result = integer(value) }
    func encode(_ value: UInt8) { result = integer(value) }
    func encode(_ value: UInt16) { result = integer(value) }
    func encode(_ value: UInt32) { result = integer(value) }
    func encode(_ value: UInt64) { result = integer(value) }
    // The key stays that of the value around it, as the path does.
    func encode<Value: Encodable>(_ value: Value) throws { result = try piece(of: value) ?? .object(.init()) }
}

/// Encodes values as `JSONEncoder.canonical` does, byte for byte, without its dictionaries and boxes: the
/// API's answers are encoded by it.
package struct CanonicalEncoder: Sendable {
    /// The string for a date; the key is the one under which it is encoded.
    package typealias DateText = @Sendable (Date, _ key: (any CodingKey)?) -> String

    private let text: DateText

    package init(dates text: @escaping DateText) { self.text = text }

    /// - Throws: what the value throws, and `EncodingError` for a number that JSON does not have, and for a value that
    ///   encodes nothing.
    package func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = PieceEncoder(text, parent: nil, key: nil)
        guard let piece = try encoder.piece(of: value) else {
            throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "nothing was encoded"))
        }
        var json = JSONWriter(capacity: 1_024)
        piece.write(to: &json)
        return json.bytes
    }
}
