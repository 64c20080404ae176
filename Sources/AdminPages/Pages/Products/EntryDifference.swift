import Foundation
import InAppPurchase
import ServerCore
import StrictJSON

/// The difference of two entries, member by member and in words.
struct EntryDifference {
    /// An entry or a member of it; `nil` for what is not there.
    private typealias Pair = (before: JSONPart?, after: JSONPart?)

    private let members: [String: ProductMember]
    private let visit: Visit

    /// - Parameter editor: for the settings of all product types.
    init(_ editor: any CatalogEditing, _ visit: Visit) {
        let handlers = editor.handlers
        let products = handlers.flatMap { EntryFields.members(of: $0.productType, handlers, nil) }
        members = Dictionary((products + EntryFields.appMembers(nil, []) + ProductMember.names).map { ($0.name, $0) }) {
            first, _ in first
        }
        self.visit = visit
    }

    /// A table of all members of an entry.
    func table(of entry: Data) -> Table { table(from: nil, to: entry, caption: "Settings") }

    /// A table of the members that are added, changed or removed.
    ///
    /// - Parameters:
    ///   - old: an entry of the catalog; `nil` for none.
    ///   - new: as `old`.
    func table(from old: Data?, to new: Data?, caption: String = "What changes") -> Table {
        let pair = (before: old.flatMap(Self.root), after: new.flatMap(Self.root))
        let rows = Self.names(pair).flatMap { name in
            self.rows(members[name]?.label ?? name, members[name], (pair.before?[name], pair.after?[name]))
        }
        // An entry that is new or removed has one side only.
        let columns =
            ["Setting"] + (old == nil ? ["Value"] : new == nil ? ["Value until now"] : ["Now", "After it"])
        return Table(
            caption, columns: columns,
            rows: rows.map { row in
                [Cell(row.label)] + (old == nil ? [] : [Cell(row.before)]) + (new == nil ? [] : [Cell(row.after)])
            }, empty: "Only the order or the spelling of the entry.")
    }

    private static func root(_ entry: Data) -> JSONPart? {
        try? StrictJSON(entry, CatalogFile.limits, tolerance: .known).root
    }

    private static func names(_ pair: Pair) -> [String] {
        let all = [pair.before, pair.after].compactMap { $0 }.flatMap { $0.members.compactMap(\.name.string) }
        var seen: Set<String> = []
        return all.filter { seen.insert($0).inserted }
    }

    /// A row for a value, or for each that differs in an object.
    private func rows(
        _ label: String, _ member: ProductMember?, _ pair: Pair
    ) -> [(label: String, before: String, after: String)] {
        let values = [pair.before, pair.after].compactMap { $0 }
        guard pair.before?.text.plainJSON != pair.after?.text.plainJSON else { return [] }
        if values.allSatisfy({ $0.kind == .object && !$0.members.isEmpty }), member?.isOne != true {
            return Self.names(pair).flatMap { name in
                let inner = member?.inner(name)
                return rows("\(label): \(inner?.label ?? name)", inner, (pair.before?[name], pair.after?[name]))
            }
        }
        return [(label, words(pair.before, member), words(pair.after, member))]
    }

    private func words(_ value: JSONPart?, _ member: ProductMember?) -> String {
        guard let value else { return "–" }
        return member?.words(for: value, visit) ?? words(value, member?.columns ?? [])
    }

    /// The value without the marks of JSON; texts that pages do not show as they are keep their escapes.
    ///
    /// - Parameter columns: the members of the objects in it.
    private func words(_ value: JSONPart, _ columns: [ProductMember]) -> String {
        switch value.kind {
        case .string: return value.shownString
        case .array where value.elements.isEmpty: return "nothing"
        case .array:
            let areTexts = value.elements.allSatisfy { $0.kind == .string }
            return value.elements.map { words($0, columns) }.joined(separator: areTexts ? ", " : "; then ")
        case .object where value.members.isEmpty: return "nothing"
        case .object:
            return value.members.map { name, value in
                let column = columns.first { $0.name == name.string }
                let words = column?.words(for: value, visit) ?? words(value, columns)
                return "\(column?.label ?? name.shownString): \(words)"
            }.joined(separator: "; ")
        default: return value.plainText
        }
    }
}

extension ProductMember {
    /// The members that no form has fields for, since they name the entry.
    fileprivate static let names = [
        ProductMember("id", "Product", .text), ProductMember("type", "Type", .text),
        ProductMember("bundleID", "App", .text),
    ]

    /// Whether an object is its value as a whole.
    fileprivate var isOne: Bool { if case .sandbox = kind { true } else { false } }

    /// The members of the objects in its value.
    fileprivate var columns: [ProductMember] {
        switch kind {
        case .object(let members): members
        case .rows(let rows): rows.columns + (rows.more?.columns ?? [])
        default: []
        }
    }

    /// A member of its value, or what stands there under a name.
    fileprivate func inner(_ name: String) -> ProductMember? {
        switch kind {
        case .object(let members): members.first { $0.name == name }
        case .rows(let rows) where rows.shape != .texts: ProductMember(name, name, .object(columns))
        default: nil
        }
    }
}

extension JSONPart {
    /// A string as pages show it.
    fileprivate var shownString: String {
        string.flatMap { text in
            text.isEmpty || text.unicodeScalars.contains(where: \.isHiddenInPages) ? nil : text
        } ?? text.entryLines
    }
}
