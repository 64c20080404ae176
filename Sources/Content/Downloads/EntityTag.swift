/// A validator of a representation (RFC 9110 §8.8.3).
struct EntityTag: Hashable, Sendable {
    var isWeak: Bool
    /// The characters between the quotes, compared byte by byte.
    var opaque: [UInt8]

    /// The strong comparison (§8.8.3.2): both tags are strong and equal.
    func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

    func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }
}

extension EntityTag {
    /// The value of `If-Match` or `If-None-Match`.
    enum Condition: Hashable, Sendable {
        /// `*`: any current representation.
        case any
        case list([EntityTag])

        /// A malformed list matches no tag at all.
        init(_ header: String) {
            guard header != "*" else {
                self = .any
                return
            }
            self = .list(EntityTag.list(header[...].utf8) ?? [])
        }

        func contains(where matches: (EntityTag) -> Bool) -> Bool {
            switch self {
            case .any: true
            case .list(let tags): tags.contains(where: matches)
            }
        }
    }

    /// Parses one entity tag; `nil` if the header holds anything else.
    init?(_ header: String) {
        var rest = header[...].utf8
        guard let tag = Self.read(&rest), rest.isEmpty else { return nil }
        self = tag
    }

    /// `[ entity-tag ] *( OWS "," OWS [ entity-tag ] )` (§5.6.1.2); a comma may also be part of a tag.
    private static func list(_ text: Substring.UTF8View) -> [EntityTag]? {
        var (rest, tags) = (text, [EntityTag]())
        while true {
            if let tag = read(&rest) { tags.append(tag) }
            if rest.isEmpty { return tags }
            rest = rest.drop(while: \.isOptionalWhitespace)
            guard rest.popFirst() == UInt8(ascii: ",") else { return nil }
            rest = rest.drop(while: \.isOptionalWhitespace)
        }
    }

    /// Parses an entity tag at the front; if there is none, returns `nil` and leaves `rest` as it is.
    private static func read(_ rest: inout Substring.UTF8View) -> EntityTag? {
        var text = rest
        let isWeak = text.starts(with: "W/".utf8)
        if isWeak { text = text.dropFirst(2) }
        guard text.popFirst() == UInt8(ascii: "\"") else { return nil }
        let opaque = text.prefix(while: \.isEntityTagCharacter)
        text = text.dropFirst(opaque.count)
        guard text.popFirst() == UInt8(ascii: "\"") else { return nil }
        rest = text
        return EntityTag(isWeak: isWeak, opaque: Array(opaque))
    }
}

extension UInt8 {
    fileprivate var isOptionalWhitespace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    /// `etagc`: visible characters except the quote, and bytes above ASCII.
    fileprivate var isEntityTagCharacter: Bool { self == 0x21 || (0x23...0x7E).contains(self) || self >= 0x80 }
}
