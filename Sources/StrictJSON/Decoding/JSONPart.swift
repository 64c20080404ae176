package import Foundation

/// A value, or the name of a member, in a text that ``StrictJSON`` scanned.
package struct JSONPart: Sendable {
    /// The text that contains it.
    package let json: StrictJSON
    let index: Int

    // A text has at least one node, and indices come from nodes.
    var node: StrictJSON.Node { json.nodes[index] }

    package var kind: JSONKind { node.kind }

    /// The range of the value's bytes, including its brackets or quotes.
    package var range: Range<Int> { Int(node.start)..<Int(node.end) }

    /// The bytes of the value, unchanged.
    package var text: Data { Data(json.bytes[range]) }

    /// The elements of an array; empty for anything else.
    package var elements: [JSONPart] {
        guard kind == .array else { return [] }
        var elements: [JSONPart] = []
        var child = index + 1
        while child < node.next {
            elements.append(JSONPart(json: json, index: child))
            child = Int(json.nodes[child].next)
        }
        return elements
    }

    /// The members of an object in their order; empty for anything else.
    package var members: [(name: JSONPart, value: JSONPart)] {
        guard kind == .object else { return [] }
        var members: [(name: JSONPart, value: JSONPart)] = []
        var child = index + 1
        while child < node.next {
            members.append((JSONPart(json: json, index: child), JSONPart(json: json, index: child + 1)))
            child = Int(json.nodes[child + 1].next)
        }
        return members
    }

    /// The value of the first member with the name, byte for byte; `nil` if there is none. A linear search.
    package subscript(_ name: String) -> JSONPart? {
        guard kind == .object else { return nil }
        var name = name
        let found = name.withUTF8 { name in
            json.bytes.withUnsafeBytes { bytes in json.nodes.withUnsafeBufferPointer { index(of: name, in: $0, bytes) }
            }
        }
        return found.map { JSONPart(json: json, index: $0) }
    }

    private func index(
        of name: UnsafeBufferPointer<UInt8>, in nodes: UnsafeBufferPointer<StrictJSON.Node>,
        _ bytes: UnsafeRawBufferPointer
    ) -> Int? {
        var child = index + 1
        let end = Int(nodes[index].next)
        while child < end {
            let node = nodes[child]
            if node.hasEscapes {
                if JSONPart(json: json, index: child).string?.utf8.elementsEqual(name) == true { return child + 1 }
            } else if Int(node.end &- node.start) == name.count + 2,
                let (start, other) = bytes.baseAddress.flatMap({ start in name.baseAddress.map { (start, $0) } }),
                memcmp(start + Int(node.start) + 1, other, name.count) == 0
            {
                return child + 1
            }
            child = Int(nodes[child + 1].next)
        }
        return nil
    }

    /// Whether the object has at most this many members.
    func hasFewMembers(_ limit: Int) -> Bool {
        var (child, count) = (index + 1, 0)
        while child < node.next, count <= limit {
            child = Int(json.nodes[child + 1].next)
            count += 1
        }
        return count <= limit
    }

    /// The text of a string, its escapes resolved; `nil` for anything else, and for an unpaired surrogate.
    package var string: String? {
        guard kind == .string else { return nil }
        let hasEscapes = node.hasEscapes
        return withContent { hasEscapes ? JSONEscapes.resolved($0) : String(decoding: $0, as: UTF8.self) }
    }

    /// The value of `true` or `false`; `nil` for anything else.
    package var bool: Bool? { kind == .bool ? range.count == 4 : nil }

    /// The whole number, also of `1.0` or `1e2`; `nil` for anything else, and if it does not fit.
    package func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
        guard let text = numberText else { return nil }
        return Number(text) ?? (isPlainInteger(text) ? nil : Double(text).flatMap { Number(exactly: $0) })
    }

    /// The number; `nil` for anything else, and for one beyond the range of `Double`.
    package var double: Double? { numberText.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } }

    private var numberText: String? {
        kind == .number ? json.bytes.withUnsafeBytes { String(decoding: $0[range], as: UTF8.self) } : nil
    }

    private func isPlainInteger(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }
    }

    private func withContent<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        json.bytes.withUnsafeBytes { raw in
            body(UnsafeBufferPointer(rebasing: raw.bindMemory(to: UInt8.self)[range.dropFirst().dropLast()]))
        }
    }
}
