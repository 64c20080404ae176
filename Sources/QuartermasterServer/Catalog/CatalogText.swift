import Foundation

/// The text of `products.json` and where in it the entries stand. Its edits leave every other byte as it is.
struct CatalogText: Sendable {
    /// An entry by its app's and its own position in the file.
    struct Place: Hashable, Sendable {
        var app: Int
        var product: Int
    }

    /// The array of one app's products.
    private struct List {
        var range: Range<Int>
        var entries: [Range<Int>]
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let scanner: JSONScanner
    private let lists: [List]

    /// - Parameter text: a catalog that was decoded already.
    /// - Returns: nil where it is not in UTF-8, which Foundation does not mind.
    init?(_ text: Data) {
        let scanner = JSONScanner(bytes: Array(text))
        let start = scanner.bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
        guard let root = scanner.value(at: start), let apps = scanner.member("apps", of: root),
            let places = scanner.parts(of: apps)
        else { return nil }
        let lists = places.compactMap { app in
            scanner.member("products", of: app).flatMap { range in
                scanner.parts(of: range).map { List(range: range, entries: $0) }
            }
        }
        guard lists.count == places.count else { return nil }
        (self.scanner, self.lists) = (scanner, lists)
    }

    private func list(_ app: Int) -> List? { lists.indices.contains(app) ? lists[app] : nil }

    private func range(_ place: Place) -> Range<Int>? {
        list(place.app).flatMap { $0.entries.indices.contains(place.product) ? $0.entries[place.product] : nil }
    }

    /// The entry exactly as it stands.
    func entry(_ place: Place) -> Data? { range(place).map { Data(scanner.text($0)) } }

    /// All entries of an app with the brackets around them, exactly as they stand.
    func entries(ofApp app: Int) -> Data? { list(app).map { Data(scanner.text($0.range)) } }

    /// The text with another entry in place of this one, in the old one's style.
    func replacing(_ place: Place, with entry: Data) -> Data? {
        guard let range = range(place) else { return nil }
        let new = JSONStyle(of: range, in: scanner).text(of: JSONScanner(bytes: Array(entry)))
        return splicing(range, new)
    }

    /// The text with an entry at the end of the app's, in the style of most of them.
    func adding(_ entry: Data, toApp app: Int) -> Data? {
        guard let list = list(app) else { return nil }
        let gap = list.entries.isEmpty ? gapOfFirst(in: list) : separator(of: list)
        var style = style(for: list)
        if gap.isBroken { style.lines?.base = gap.filter { $0 != .comma }.drop { !$0.isLineBreak }.map(\.self) }
        let text = style.text(of: JSONScanner(bytes: Array(entry)))
        if let last = list.entries.last { return splicing(last.upperBound..<last.upperBound, gap + text) }
        let inside = list.range.lowerBound + 1..<list.range.upperBound - 1
        let isOnLines = gap.isBroken && !scanner.text(inside).isBroken
        return splicing(
            inside, gap + text + (isOnLines ? lineBreak(before: list.range.lowerBound) : scanner.text(inside)))
    }

    /// The text without the entry, its comma and its line.
    func removing(_ place: Place) -> Data? {
        guard let list = list(place.app), let range = range(place) else { return nil }
        let entries = list.entries
        let before = place.product > 0 ? entries[place.product - 1].upperBound : nil
        let after = place.product + 1 < entries.count ? entries[place.product + 1].lowerBound : nil
        switch (before, after) {
        case (nil, nil):
            let comma = scanner.token(at: range.upperBound).flatMap { scanner[$0.lowerBound] == .comma ? $0 : nil }
            return splicing(list.range.lowerBound + 1..<(comma ?? range).upperBound, [])
        case (nil, let after?): return splicing(range.lowerBound..<after, [])
        case (let before?, nil): return splicing(before..<range.upperBound, [])
        case (let before?, let after?):
            // Of the space on both sides the one with more lines stays: it may set groups apart.
            let isFirstOfLine = lines(from: before, to: range.lowerBound) > lines(from: range.upperBound, to: after)
            return splicing(isFirstOfLine ? range.lowerBound..<after : before..<range.upperBound, [])
        }
    }

    private func splicing(_ range: Range<Int>, _ new: [UInt8]) -> Data {
        var bytes = scanner.bytes
        bytes.replaceSubrange(range.clamped(to: bytes.startIndex..<bytes.endIndex), with: new)
        return Data(bytes)
    }

    private func lines(from start: Int, to end: Int) -> Int {
        scanner.text(from: start, to: end).count { $0 == .lineFeed }
    }
}

// MARK: The style of the neighbours

extension CatalogText {
    private func style(for list: List) -> JSONStyle {
        let neighbours = list.entries.isEmpty ? lists.flatMap(\.entries) : list.entries
        let styles = neighbours.map { JSONStyle(of: $0, in: scanner) }
        let areBroken = styles.count { $0.lines != nil } * 2 > styles.count
        return styles.last { ($0.lines != nil) == areBroken } ?? .plain
    }

    /// What stands between most of the entries.
    private func separator(of list: List) -> [UInt8] {
        let gaps = zip(list.entries, list.entries.dropFirst())
            .map { scanner.text(from: $0.upperBound, to: $1.lowerBound) }
        let counts = Dictionary(gaps.map { ($0, 1) }, uniquingKeysWith: +)
        let most = counts.values.max()
        if let common = gaps.last(where: { counts[$0] == most }) { return common }
        let first = list.entries.first.map { scanner.text(from: list.range.lowerBound + 1, to: $0.lowerBound) } ?? []
        return first.isEmpty ? style(for: list).comma : [.comma] + first
    }

    /// What the first entry of an empty list stands after: a line of its own where the file has lines.
    private func gapOfFirst(in list: List) -> [UInt8] {
        let line = lineBreak(before: list.range.lowerBound)
        guard line.isBroken else { return scanner.text(from: list.range.lowerBound + 1, to: list.range.upperBound - 1) }
        let unit = scanner.bytes.drop { !$0.isLineBreak }.drop { $0.isLineBreak }.prefix { $0.isJSONSpace }
        return line + (unit.isEmpty || Array(unit).isBroken ? [.space, .space] : Array(unit))
    }

    /// The line break and the indentation of the line that the position is on; empty on the first line.
    private func lineBreak(before position: Int) -> [UInt8] {
        let before = scanner.text(from: 0, to: position)
        guard let end = before.lastIndex(where: \.isLineBreak) else { return [] }
        let isPair = end > 0 && before[end] == .lineFeed && before[end - 1] == .carriageReturn
        return Array(before[(isPair ? end - 1 : end)...].prefix { $0.isJSONSpace })
    }
}
