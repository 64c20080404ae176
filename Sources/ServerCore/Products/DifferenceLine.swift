package import Foundation
import ServerHTTP
import StrictJSON

/// A line of a text that is compared with another one: in both, or in one of them only.
package struct DifferenceLine: Sendable {
    package var added: String?
    package var removed: String?
    package var same: String?

    private init(added: String? = nil, removed: String? = nil, same: String? = nil) {
        self.added = added
        self.removed = removed
        self.same = same
    }

    package static func added(_ text: String) -> DifferenceLine { DifferenceLine(added: text) }
    package static func removed(_ text: String) -> DifferenceLine { DifferenceLine(removed: text) }
    package static func same(_ text: String) -> DifferenceLine { DifferenceLine(same: text) }
}

extension Data {
    /// The JSON of an entry with each member and element on a line of its own; empty if it is no JSON. Characters that
    /// pages do not show are escaped, so that a form returns the text unchanged.
    package var entryLines: String {
        guard let json = try? StrictJSON(self, CatalogFile.limits, tolerance: .known) else { return "" }
        let text = String(decoding: JSONStyle.throughout.text(of: json.root), as: UTF8.self)
        return text.withEscapes { $0.isHiddenInPages }
    }
}

extension JSONStyle {
    /// Each member and each element on a line of its own.
    fileprivate static let throughout: JSONStyle = {
        var style = JSONStyle.plain
        style.lines = Lines(base: [.lineFeed], unit: [.space, .space], isThroughout: true)
        return style
    }()
}

extension DifferenceLine {
    /// The lines of two entries: those of both, and those of one only, the removed ones first. The comma that another
    /// member after it needs makes no difference; a line of both is that of the new entry.
    ///
    /// - Parameters:
    ///   - old: an entry of the catalog; `nil` for none.
    ///   - new: as `old`.
    package static func lines(from old: Data?, to new: Data?) -> [DifferenceLine] {
        let (before, after) = (old.map(\.lines) ?? [], new.map(\.lines) ?? [])
        let changes = after.map(\.withoutComma).difference(from: before.map(\.withoutComma))
        let (removed, added) = (Set(changes.removals.map(\.index)), Set(changes.insertions.map(\.index)))
        var (lines, index) = ([DifferenceLine](), 0)
        for (offset, line) in after.enumerated() {
            lines += before.removals(removed, from: &index)
            if added.contains(offset) {
                lines.append(.added(line))
            } else {
                lines.append(.same(line))
                index += 1
            }
        }
        return lines + before.removals(removed, from: &index)
    }
}

extension Data {
    fileprivate var lines: [String] { entryLines.split(separator: "\n").map(String.init) }
}

extension CollectionDifference.Change {
    fileprivate var index: Int {
        switch self {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}

extension [String] {
    /// The removed lines from `index` on, which is moved past them.
    fileprivate func removals(_ removed: Set<Int>, from index: inout Int) -> [DifferenceLine] {
        let start = index
        while removed.contains(index) { index += 1 }
        return self[start..<index].map { .removed($0) }
    }
}

extension String {
    fileprivate var withoutComma: Substring { hasSuffix(",") ? dropLast() : self[...] }

    /// The JSON with these characters escaped; they occur in strings only.
    fileprivate func withEscapes(_ isEscaped: (Unicode.Scalar) -> Bool) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            guard isEscaped(scalar) else { return text.unicodeScalars.append(scalar) }
            for unit in String(scalar).utf16 { text += "\\u" + String(UInt32(unit) + 0x1_0000, radix: 16).suffix(4) }
        }
    }
}
