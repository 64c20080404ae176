package import Foundation
import StrictJSON

/// The text of `products.json` with the positions of its entries. Its edits leave every other byte unchanged.
package struct CatalogText: Sendable {
    /// The position of an entry: the index of its app, and its index in that app.
    package struct EntryIndex: Hashable, Sendable {
        var app: Int
        var product: Int
    }

    /// An array of entries: the apps, or one app's products.
    struct List {
        var range: Range<Int>
        var entries: [JSONPart]
    }

    /// The members of an app's entry that are no settings of it.
    static let otherMembers: Set<String> = ["bundleID", "products"]

    let json: StrictJSON
    /// The entries of the apps.
    let apps: List
    private let lists: [List]

    /// Scans the text.
    /// - Parameter text: a catalog that was decoded already.
    /// - Returns: `nil` if it is not UTF-8.
    init?(_ text: Data) {
        guard let json = try? StrictJSON(text, CatalogFile.limits, tolerance: .known) else { return nil }
        guard let apps = json.root["apps"], apps.kind == .array else { return nil }
        let elements = apps.elements
        let lists = elements.compactMap { app in
            app["products"].flatMap { $0.kind == .array ? List(range: $0.range, entries: $0.elements) : nil }
        }
        guard lists.count == elements.count else { return nil }
        self.json = json
        self.apps = List(range: apps.range, entries: elements)
        self.lists = lists
    }

    private func list(_ app: Int) -> List? { lists.indices.contains(app) ? lists[app] : nil }

    private func part(_ index: EntryIndex) -> JSONPart? {
        list(index.app).flatMap { $0.entries.indices.contains(index.product) ? $0.entries[index.product] : nil }
    }

    /// The bytes of the entry, unchanged.
    package func entry(_ index: EntryIndex) -> Data? { part(index)?.text }

    /// The bytes of an app's entries with the brackets around them, unchanged.
    func entries(ofApp app: Int) -> Data? {
        list(app).map { Data(json.text(from: $0.range.lowerBound, to: $0.range.upperBound)) }
    }

    /// The members of an app's entry besides its ID and products, each on one line.
    package func settings(ofApp app: Int) -> [String: Data] {
        guard apps.entries.indices.contains(app) else { return [:] }
        let members = apps.entries[app].members.compactMap { name, value in
            name.string.map { ($0, Data(JSONStyle.plain.text(of: value))) }
        }
        return Dictionary(members.filter { !Self.otherMembers.contains($0.0) }) { first, _ in first }
    }

    /// The text with the entry replaced, in the old one's style.
    func replacing(_ index: EntryIndex, with entry: Data) -> Data? {
        guard let part = part(index), let new = Self.scanned(entry) else { return nil }
        return splicing(part.range, JSONStyle(of: part).text(of: new))
    }

    /// The text with an entry appended to the app's, in the style of most of them.
    func adding(_ entry: Data, toApp app: Int) -> Data? { list(app).flatMap { adding(entry, to: $0) } }

    /// The text with an entry appended to a list.
    func adding(_ entry: Data, to list: List) -> Data? {
        guard let new = Self.scanned(entry) else { return nil }
        let gap = list.entries.isEmpty ? gapOfFirst(in: list) : separator(of: list)
        var style = style(for: list)
        if gap.isBroken { style.lines?.base = gap.filter { $0 != .comma }.drop { !$0.isLineBreak }.map(\.self) }
        let text = style.text(of: new)
        if let last = list.entries.last?.range { return splicing(last.upperBound..<last.upperBound, gap + text) }
        let inside = list.range.lowerBound + 1..<list.range.upperBound - 1
        let rest = json.text(from: inside.lowerBound, to: inside.upperBound)
        let isOnLines = gap.isBroken && !rest.isBroken
        return splicing(inside, gap + text + (isOnLines ? lineBreak(before: list.range.lowerBound) : rest))
    }

    /// The text without the entry, its comma and its line.
    func removing(_ index: EntryIndex) -> Data? { list(index.app).flatMap { removing(index.product, from: $0) } }

    /// The text without an entry of a list, its comma and its line.
    func removing(_ index: Int, from list: List) -> Data? {
        let entries = list.entries.map(\.range)
        guard entries.indices.contains(index) else { return nil }
        let range = entries[index]
        let before = index > 0 ? entries[index - 1].upperBound : nil
        let after = index + 1 < entries.count ? entries[index + 1].lowerBound : nil
        switch (before, after) {
        case (nil, nil):
            let rest = json.bytes[range.upperBound...]
            let comma = rest.firstIndex { !$0.isJSONSpace }.flatMap { rest[$0] == .comma ? $0 : nil }
            return splicing(list.range.lowerBound + 1..<(comma.map { $0 + 1 } ?? range.upperBound), [])
        case (nil, let after?): return splicing(range.lowerBound..<after, [])
        case (let before?, nil): return splicing(before..<range.upperBound, [])
        case (let before?, let after?):
            // Of the white space on both sides the one with more lines stays: it may separate groups.
            let isFirstOfLine = lines(from: before, to: range.lowerBound) > lines(from: range.upperBound, to: after)
            return splicing(isFirstOfLine ? range.lowerBound..<after : before..<range.upperBound, [])
        }
    }

    /// The text with a range replaced.
    func splicing(_ range: Range<Int>, _ new: [UInt8]) -> Data {
        var bytes = json.bytes
        bytes.replaceSubrange(range.clamped(to: bytes.startIndex..<bytes.endIndex), with: new)
        return bytes
    }

    /// Scans an entry that is to be written; `nil` if it is not JSON.
    private static func scanned(_ entry: Data) -> JSONPart? {
        (try? StrictJSON(entry, ProductEntry.limits, tolerance: .known))?.root
    }

    private func lines(from start: Int, to end: Int) -> Int {
        json.text(from: start, to: end).count { $0 == .lineFeed }
    }
}

// MARK: Style of the other entries

extension CatalogText {
    private func style(for list: List) -> JSONStyle {
        let neighbours = list.entries.isEmpty ? lists.flatMap(\.entries) : list.entries
        let styles = neighbours.map { JSONStyle(of: $0) }
        let areBroken = styles.count { $0.lines != nil } * 2 > styles.count
        return styles.last { ($0.lines != nil) == areBroken } ?? .plain
    }

    /// The text between most of the entries.
    private func separator(of list: List) -> [UInt8] {
        let ranges = list.entries.map(\.range)
        let gaps = zip(ranges, ranges.dropFirst()).map { json.text(from: $0.upperBound, to: $1.lowerBound) }
        let counts = Dictionary(gaps.map { ($0, 1) }, uniquingKeysWith: +)
        let most = counts.values.max()
        if let common = gaps.last(where: { counts[$0] == most }) { return common }
        let first = ranges.first.map { json.text(from: list.range.lowerBound + 1, to: $0.lowerBound) } ?? []
        return first.isEmpty ? style(for: list).comma : [.comma] + first
    }

    /// The white space before the first entry of an empty list: a line break and indentation if the file has lines.
    private func gapOfFirst(in list: List) -> [UInt8] {
        let line = lineBreak(before: list.range.lowerBound)
        guard line.isBroken else { return json.text(from: list.range.lowerBound + 1, to: list.range.upperBound - 1) }
        let unit = json.bytes.drop { !$0.isLineBreak }.drop { $0.isLineBreak }.prefix { $0.isJSONSpace }
        return line + (unit.isEmpty || Array(unit).isBroken ? [.space, .space] : Array(unit))
    }

    /// The line break and the indentation of the line that the position is on; empty on the first line.
    private func lineBreak(before position: Int) -> [UInt8] {
        let before = json.text(from: 0, to: position)
        guard let end = before.lastIndex(where: \.isLineBreak) else { return [] }
        let isPair = end > 0 && before[end] == .lineFeed && before[end - 1] == .carriageReturn
        return Array(before[(isPair ? end - 1 : end)...].prefix { $0.isJSONSpace })
    }
}
