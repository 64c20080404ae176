import StrictJSON

extension JSONPart {
    /// The text of a value after a JSON merge patch (RFC 7396), on one line: `null` removes a member, objects are
    /// merged, everything else is replaced. Strings and numbers stay as they are written.
    ///
    /// - Parameter target: the value before; `nil` for none.
    static func merging(_ patch: JSONPart, into target: JSONPart?) -> [UInt8] {
        guard patch.kind == .object else { return JSONStyle.plain.text(of: patch) }
        let old = target?.members ?? []
        let changes = Dictionary(patch.members.map { ($0.name.key, $0.value) }) { first, _ in first }
        let kept = old.compactMap { name, value -> [UInt8]? in
            guard let change = changes[name.key] else { return member(name, JSONStyle.plain.text(of: value)) }
            return change.kind == .null ? nil : member(name, merging(change, into: value))
        }
        let known = Set(old.map(\.name.key))
        let new = patch.members.filter { !known.contains($0.name.key) && $0.value.kind != .null }
            .map { member($0.name, merging($0.value, into: nil)) }
        let comma = Array(", ".utf8)
        return [.openBrace] + (kept + new).joined(separator: comma) + [.closeBrace]
    }

    /// The name of a member as it reads, however it is escaped.
    private var key: String { string ?? String(decoding: text, as: UTF8.self) }

    private static func member(_ name: JSONPart, _ value: [UInt8]) -> [UInt8] {
        name.text + Array(": ".utf8) + value
    }
}
