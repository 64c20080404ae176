/// A decoder for a handler's settings that rejects members known neither to the handler nor to every product.
///
/// The handler's own coding keys name the members that it knows, so a misspelt setting stops the start.
struct StrictDecoder: Decoder {
    /// Whether the handler asked for its members at all; a handler without properties does not.
    private final class Inquiry { var happened = false }

    private let base: any Decoder
    private let common: Set<String>
    private let inquiry = Inquiry()

    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    private init(base: any Decoder, common: Set<String>) {
        self.base = base
        self.common = common
    }

    static func decode(
        _ handler: any ProductHandler.Type, from decoder: any Decoder, common: Set<String>
    ) throws -> any ProductHandler {
        let strict = StrictDecoder(base: decoder, common: common)
        do {
            let decoded = try handler.init(from: strict)
            if !strict.inquiry.happened { try strict.refuseMembers { _ in false } }
            return decoded
        } catch  where !(error is DecodingError) {
            // Foundation loses the path if a number does not fit; the entry's is better than none.
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a number is not whole, or too large"))
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        inquiry.happened = true
        try refuseMembers { Key(stringValue: $0) != nil }
        return try base.container(keyedBy: type)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try base.unkeyedContainer() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { try base.singleValueContainer() }

    private func refuseMembers(unless known: (String) -> Bool) throws {
        let members = try base.container(keyedBy: AnyKey.self)
        for key in members.allKeys where !common.contains(key.stringValue) && !known(key.stringValue) {
            throw DecodingError.dataCorruptedError(forKey: key, in: members, debugDescription: "unknown member")
        }
    }
}
