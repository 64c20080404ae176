/// Reads keys from the bytes of a terminal: UTF-8, control characters and escape sequences, however they are cut into
/// pieces.
///
/// A lone escape key looks like the beginning of a sequence. Who reads waits ``timeout`` for more while ``isWaiting``,
/// and then calls ``flush()``.
package struct KeyDecoder: Sendable {
    /// How long a sequence may take to arrive, in milliseconds.
    package static let timeout: Int32 = 25
    /// Longer sequences are of no key that is known.
    private static let maximumSequence = 32
    /// Longer pastes are cut off.
    private static let maximumPaste = 4096
    private static let escape: UInt8 = 0x1B

    private var pending: [UInt8] = []
    private var pasted: [UInt8]?

    package init() {}

    /// Whether the bytes so far may be the beginning of a key.
    package var isWaiting: Bool { !pending.isEmpty && pasted == nil }

    package mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
        bytes.reduce(into: []) { keys, byte in
            pending.append(byte)
            keys.append(contentsOf: step())
        }
    }

    /// Nothing followed in time: an escape byte was the key, and what else is unfinished is dropped.
    package mutating func flush() -> [Key] {
        guard isWaiting else { return [] }
        defer { pending = [] }
        return pending == [Self.escape] ? [.escape] : []
    }

    private mutating func step() -> [Key] {
        guard let first = pending.first else { return [] }
        if pasted != nil { return stepInPaste() }
        if first == Self.escape { return stepInSequence() }
        if first < 0x80 {
            pending = []
            return control(first).map { [$0] } ?? [.character(Character(Unicode.Scalar(first)))]
        }
        return stepInCharacter(first)
    }

    private func control(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x08, 0x7F: .backspace
        case 0x01...0x1A: .control(Character(Unicode.Scalar(byte &+ 0x60)))
        case 0x00, 0x1C...0x1F: .control(" ")
        default: nil
        }
    }

    private mutating func stepInCharacter(_ first: UInt8) -> [Key] {
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard pending.count >= length || first < 0xC2 || first > 0xF4 else { return [] }
        defer { pending = [] }
        guard let text = String(validating: pending, as: UTF8.self), let character = text.first else { return [] }
        return [.character(character)]
    }

    private mutating func stepInSequence() -> [Key] {
        guard pending.count > 1 else { return [] }
        // Another escape: the one before was the key.
        if pending.last == Self.escape {
            pending = [Self.escape]
            return [.escape]
        }
        let introducer = pending[1]
        guard introducer == UInt8(ascii: "[") || introducer == UInt8(ascii: "O") else {
            pending = []
            return []
        }
        guard pending.count > 2, let last = pending.last, (0x40...0x7E).contains(last) else {
            if pending.count >= Self.maximumSequence { pending = [] }
            return []
        }
        defer { pending = [] }
        return sequence(String(decoding: pending.dropFirst(2), as: UTF8.self))
    }

    private mutating func sequence(_ body: String) -> [Key] {
        switch body {
        case "A": return [.up]
        case "B": return [.down]
        case "C": return [.right]
        case "D": return [.left]
        case "Z": return [.backTab]
        case "M": return [.enter]
        case "200~": pasted = []
        default: break
        }
        return []
    }

    private mutating func stepInPaste() -> [Key] {
        let end = Array("\u{1B}[201~".utf8)
        if pending == end {
            defer { (pending, pasted) = ([], nil) }
            return [.paste(String(decoding: pasted ?? [], as: UTF8.self))]
        }
        guard !end.starts(with: pending) else { return [] }
        // The last byte may be the beginning of the end.
        let rest: [UInt8] = pending.count > 1 && pending.last == Self.escape ? [Self.escape] : []
        if (pasted?.count ?? 0) < Self.maximumPaste { pasted?.append(contentsOf: pending.dropLast(rest.count)) }
        pending = rest
        return []
    }
}
