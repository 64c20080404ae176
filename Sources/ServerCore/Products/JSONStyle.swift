import ServerHTTP
package import StrictJSON

/// The style in which entries of a catalog are written, so that a new one looks like its neighbours. In bytes, since a
/// line break of two bytes is one `Character`.
package struct JSONStyle: Sendable {
    /// The layout of members on lines of their own.
    package struct Lines {
        /// The line break and the indentation of the entry.
        package var base: [UInt8]
        /// The indentation of one level.
        package var unit: [UInt8]
        /// Whether the members' values are on several lines too.
        package var isThroughout: Bool

        package init(base: [UInt8], unit: [UInt8], isThroughout: Bool) {
            self.base = base
            self.unit = unit
            self.isThroughout = isThroughout
        }
    }

    /// The style with everything on one line.
    package static let plain = JSONStyle()

    var colon = Array(": ".utf8)
    /// The separator between members on one line.
    var comma = Array(", ".utf8)
    /// The white space inside the braces on one line.
    var padding: [UInt8] = []
    /// The layout in lines; `nil` if everything is on one line.
    package var lines: Lines?

    private init() {}

    /// The style of an object; the plain style if it shows none.
    package init(of object: JSONPart) {
        let (members, json) = (object.members, object.json)
        guard let first = members.first, let last = members.last else { return }
        let colon = json.text(from: first.name.range.upperBound, to: first.value.range.lowerBound)
        if !colon.isBroken { self.colon = colon }
        let opening = json.text(from: object.range.lowerBound + 1, to: first.name.range.lowerBound)
        let comma = members.dropFirst().first.map {
            json.text(from: first.value.range.upperBound, to: $0.name.range.lowerBound)
        }
        guard opening.isBroken else {
            padding = opening
            if let comma, !comma.isBroken { self.comma = comma }
            return
        }
        if self.colon.last == .colon { self.comma = [.comma] }
        let closing = json.text(from: last.value.range.upperBound, to: object.range.upperBound - 1)
            .filter { $0 != .comma }
        let isNested = closing.isBroken && opening.starts(with: closing) && opening.count > closing.count
        lines = Lines(
            base: closing, unit: isNested ? Array(opening.dropFirst(closing.count)) : [.space, .space],
            isThroughout: members.contains { $0.value.isContainer && Array($0.value.text).isBroken })
    }

    /// The value in this style: strings, numbers and words unchanged, the white space between them new, and no comma
    /// before a closing bracket.
    package func text(of part: JSONPart) -> [UInt8] {
        var text: [UInt8] = []
        write(part, to: &text, depth: 0)
        return text
    }

    private func write(_ part: JSONPart, to text: inout [UInt8], depth: Int) {
        switch part.kind {
        case .object:
            let members = part.members
            text.append(.openBrace)
            for (index, member) in members.enumerated() {
                text += index == 0 ? inside(padding, depth + 1) : separator(depth + 1)
                text += member.name.text + colon
                write(member.value, to: &text, depth: depth + 1)
            }
            if !members.isEmpty { text += isBroken(depth + 1) ? lineBreak(depth) : padding }
            text.append(.closeBrace)
        case .array:
            let elements = part.elements
            text.append(.openBracket)
            for (index, element) in elements.enumerated() {
                text += index == 0 ? inside([], depth + 1) : separator(depth + 1)
                write(element, to: &text, depth: depth + 1)
            }
            if !elements.isEmpty, isBroken(depth + 1) { text += lineBreak(depth) }
            text.append(.closeBracket)
        case .null, .bool, .number, .string: text += part.text
        }
    }

    /// The white space before the first part.
    private func inside(_ padding: [UInt8], _ depth: Int) -> [UInt8] { isBroken(depth) ? lineBreak(depth) : padding }

    private func separator(_ depth: Int) -> [UInt8] { isBroken(depth) ? [.comma] + lineBreak(depth) : comma }

    private func isBroken(_ depth: Int) -> Bool { lines.map { depth == 1 || $0.isThroughout } ?? false }

    private func lineBreak(_ depth: Int) -> [UInt8] {
        guard let lines else { return [] }
        return lines.base + Array(repeatElement(lines.unit, count: max(0, depth)).joined())
    }
}

extension JSONPart {
    fileprivate var isContainer: Bool { kind == .object || kind == .array }
}

extension [UInt8] {
    var isBroken: Bool { contains { $0.isLineBreak } }
}
