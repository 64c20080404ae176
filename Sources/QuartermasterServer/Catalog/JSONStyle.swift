/// How the entries of a catalog are written, so that a new one looks like its neighbours. Bytes, since a line break of
/// two bytes is one `Character`.
struct JSONStyle: Sendable {
    /// Members on lines of their own.
    struct Lines {
        /// The line break and the indentation that the entry stands with.
        var base: [UInt8]
        /// What a level is indented by.
        var unit: [UInt8]
        /// Also within the members' values.
        var isThroughout: Bool
    }

    /// Everything on one line.
    static let plain = JSONStyle()

    var colon = Array(": ".utf8)
    /// Between members on one line.
    var comma = Array(", ".utf8)
    /// Inside the braces on one line.
    var padding: [UInt8] = []
    /// Nil: on one line.
    var lines: Lines?

    private init() {}

    /// The style of the object that stands there; plain where it shows none.
    init(of object: Range<Int>, in scanner: JSONScanner) {
        guard let parts = scanner.parts(of: object), let name = parts.first, let value = parts.dropFirst().first,
            let last = parts.last
        else { return }
        let colon = scanner.text(from: name.upperBound, to: value.lowerBound)
        if !colon.isBroken { self.colon = colon }
        let opening = scanner.text(from: object.lowerBound + 1, to: name.lowerBound)
        let comma = parts.dropFirst(2).first.map { scanner.text(from: value.upperBound, to: $0.lowerBound) }
        guard opening.isBroken else {
            padding = opening
            if let comma, !comma.isBroken { self.comma = comma }
            return
        }
        if self.colon.last == .colon { self.comma = [.comma] }
        let closing = scanner.text(from: last.upperBound, to: object.upperBound - 1).filter { $0 != .comma }
        let isNested = closing.isBroken && opening.starts(with: closing) && opening.count > closing.count
        lines = Lines(
            base: closing, unit: isNested ? Array(opening.dropFirst(closing.count)) : [.space, .space],
            isThroughout: Self.hasBrokenValue(parts, scanner))
    }

    private static func hasBrokenValue(_ parts: [Range<Int>], _ scanner: JSONScanner) -> Bool {
        parts.contains { scanner[$0.lowerBound].opens && scanner.text($0).isBroken }
    }

    /// The JSON of the scanner in this style: its tokens as they are, the space between them anew.
    func text(of scanner: JSONScanner) -> [UInt8] {
        let tokens = Self.tokens(of: scanner)
        var (text, depth) = ([UInt8](), 0)
        for (place, token) in tokens.enumerated() {
            let mark = scanner[token.lowerBound]
            let next = place + 1 < tokens.count ? scanner[tokens[place + 1].lowerBound] : nil
            depth += mark.opens ? 1 : mark.closes ? -1 : 0
            switch mark {
            case .colon: text += colon
            case .comma: text += isBroken(depth) ? [.comma] + lineBreak(depth) : comma
            default: text += scanner.text(token)
            }
            text += space(after: mark, before: next, at: depth)
        }
        return text
    }

    /// Without the commas before closing brackets, which Foundation takes and hardly anybody else.
    private static func tokens(of scanner: JSONScanner) -> [Range<Int>] {
        let tokens = scanner.tokens(in: scanner.bytes.indices)
        return zip(tokens, tokens.dropFirst().map { scanner[$0.lowerBound] } + [nil])
            .filter { token, next in !(scanner[token.lowerBound] == .comma && next.closes) }
            .map(\.0)
    }

    private func space(after mark: UInt8?, before next: UInt8?, at depth: Int) -> [UInt8] {
        switch (mark.opens, next.closes) {
        case (true, false): isBroken(depth) ? lineBreak(depth) : mark == .openBrace ? padding : []
        case (false, true): isBroken(depth) ? lineBreak(depth - 1) : next == .closeBrace ? padding : []
        default: []
        }
    }

    private func isBroken(_ depth: Int) -> Bool { lines.map { depth == 1 || $0.isThroughout } ?? false }

    private func lineBreak(_ depth: Int) -> [UInt8] {
        guard let lines else { return [] }
        return lines.base + Array(repeatElement(lines.unit, count: max(0, depth)).joined())
    }
}

extension UInt8? {
    fileprivate var opens: Bool { self == .openBrace || self == .openBracket }
    fileprivate var closes: Bool { self == .closeBrace || self == .closeBracket }
}

extension [UInt8] {
    var isBroken: Bool { contains { $0.isLineBreak } }
}
