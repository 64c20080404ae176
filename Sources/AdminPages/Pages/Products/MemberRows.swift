import Foundation
import ServerCore
import StrictJSON

/// A member of an entry that is a list or a table: rows of fields, with empty ones at the end for more.
struct MemberRows: Sendable {
    /// A row: the texts of its fields by the names of the columns.
    typealias Row = [String: String]

    enum Shape: Sendable {
        /// An array of objects with the columns as members.
        case list
        /// An object: the first column is the name, the others are members of the value.
        case named
        /// An object of texts, or of texts by language: name, language and text.
        case texts
        /// The placements of an app: the place, and who is offered what there.
        case placements
    }

    /// A value with more rows is edited as JSON.
    static let maximumRows = 40
    /// The empty rows of a form, for what is to be added.
    private static let spareRows = 2
    /// The number of filled rows up to which all are open.
    private static let openRows = 2

    let shape: Shape
    /// The name of a row, with an article.
    let title: String
    let columns: [ProductMember]
    /// Fields that few need, and which are shown when somebody opens them.
    var more: (title: String, columns: [ProductMember])?

    private var all: [ProductMember] { columns + (more?.columns ?? []) }
    private var key: String { columns.first?.name ?? "" }

    // MARK: Values

    /// The texts of the fields by their names; `nil` for a value that the fields would not return unchanged.
    func texts(of value: JSONPart?, as name: String) -> [String: String]? {
        guard let rows = value.map({ read($0) }) ?? [], rows.count <= Self.maximumRows else { return nil }
        let shown = rows + Array(repeating: [:], count: Self.spareRows)
        var texts: [String: String] = [:]
        for (index, row) in shown.enumerated() {
            for column in all { texts["\(name)-\(index)-\(column.name)"] = row[column.name] ?? "" }
        }
        guard let value else { return texts }
        return json(of: texts, as: name)?.isSameJSON(as: value) == true ? texts : nil
    }

    /// The rows of the form, in order; a row in which nothing is filled in is empty.
    private func rows(_ texts: [String: String], as name: String) -> [Row] {
        (0..<Self.maximumRows + Self.spareRows).map { index in
            var row: Row = [:]
            for column in all {
                let text = texts["\(name)-\(index)-\(column.name)"] ?? ""
                if !text.isEmpty { row[column.name] = text }
            }
            return row
        }
    }

    func json(of texts: [String: String], as name: String) -> Data? {
        let rows = rows(texts, as: name).filter { !$0.isEmpty }
        guard !rows.isEmpty else { return nil }
        switch shape {
        case .list: return .array(rows.map { object($0, all) })
        case .named: return .object(rows.map { ($0[key] ?? "", object($0, Array(all.dropFirst()))) })
        case .texts: return .object(grouped(rows).map { ($0.name, Self.text($0.rows)) })
        case .placements: return .object(grouped(rows).map { ($0.name, placement($0.rows)) })
        }
    }

    /// The rows with one name together, in the order of the first of each.
    private func grouped(_ rows: [Row]) -> [(name: String, rows: [Row])] {
        rows.reduce(into: []) { groups, row in
            let name = row[key] ?? ""
            if let index = groups.firstIndex(where: { $0.name == name }) {
                groups[index].rows.append(row)
            } else {
                groups.append((name, [row]))
            }
        }
    }

    private func object(_ row: Row, _ columns: [ProductMember]) -> Data {
        .object(columns.compactMap { column in column.json(of: row[column.name] ?? "").map { (column.name, $0) } })
    }

    private func read(_ value: JSONPart) -> [Row]? {
        switch shape {
        case .list: return value.elements.all { cells(of: $0, all) }
        case .named:
            return value.members.all { name, value in
                cells(of: value, Array(all.dropFirst())).map { $0.merging([key: name.string ?? ""]) { own, _ in own } }
            }
        case .texts: return value.members.all { Self.texts($0.string ?? "", $1) }?.flatMap { $0 }
        case .placements: return value.members.all { variants($0.string ?? "", $1) }?.flatMap { $0 }
        }
    }

    /// The texts of an object's members; `nil` if one has no column, or its value no text.
    private func cells(of object: JSONPart, _ columns: [ProductMember]) -> Row? {
        let cells = object.members.all { name, value -> (String, String)? in
            guard let column = columns.first(where: { $0.name == name.string }) else { return nil }
            return column.text(of: value).map { (column.name, $0) }
        }
        return cells.map { Row($0) { first, _ in first } }
    }

    // MARK: Mistakes

    /// The mistakes in the rows, by the names of the fields.
    func mistakes(in texts: [String: String], as name: String) -> [String: String] {
        var (mistakes, seen): ([String: String], Set<[String]>) = ([:], [])
        for (index, row) in rows(texts, as: name).enumerated() where !row.isEmpty {
            for column in all {
                mistakes["\(name)-\(index)-\(column.name)"] = column.mistake(in: row[column.name] ?? "")
            }
            let names = [row[key] ?? "", shape == .texts ? row[Self.language] ?? "" : ""]
            let isTwice = shape != .placements && !seen.insert(names).inserted
            if shape == .texts, row["text"] == nil { mistakes["\(name)-\(index)-text"] = "Fill this in." }
            let words = names[0].isEmpty ? "Fill this in, or empty the whole row." : isTwice ? "This is twice." : nil
            if let words { mistakes["\(name)-\(index)-\(key)"] = words }
        }
        return mistakes
    }

    /// The name of the first field.
    func first(as name: String) -> String { "\(name)-0-\(key)" }

    /// The field that a path inside of the value is about.
    func field(at path: [String], in texts: [String: String], as name: String) -> String? {
        let filled = rows(texts, as: name).enumerated().filter { !$0.element.isEmpty }
        guard let first = path.first else { return nil }
        var rows = shape == .list ? [] : filled.filter { $0.element[key] == first }
        if shape == .list, let index = Int(first), filled.indices.contains(index) { rows = [filled[index]] }
        if rows.count > 1, path.count > 1, let index = Int(path[1]), rows.indices.contains(index) {
            rows = [rows[index]]
        }
        let column = path.dropFirst().last { part in all.contains { $0.name == part } }
        let usual = columns.dropFirst().first?.name ?? key
        return rows.first.map { "\(name)-\($0.offset)-\(column ?? (shape == .list ? key : usual))" }
    }

    // MARK: Fields

    func fields(_ texts: [String: String], as name: String) -> [Field] {
        let count = (0..<Self.maximumRows + Self.spareRows).prefix { texts["\(name)-\($0)-\(key)"] != nil }.count
        // Rows with fields that few need are long.
        let isFolded = more != nil || count > Self.openRows + Self.spareRows
        return (0..<count).map { index in
            func fields(_ columns: [ProductMember]) -> [Field] {
                columns.map { column in
                    let field = "\(name)-\(index)-\(column.name)"
                    return column.field(texts[field] ?? "", as: field)
                }
            }
            func isFilled(_ columns: [ProductMember]) -> Bool {
                columns.contains { texts["\(name)-\(index)-\($0.name)"]?.isEmpty == false }
            }
            let folded = more.map { more in
                Field.group(more.title, isOpen: isFilled(more.columns), fields(more.columns))
            }
            let own = fields(columns) + [folded].compactMap { $0 }
            return isFilled(all)
                ? .group(
                    heading(index) + (isFolded ? ": \(texts["\(name)-\(index)-\(key)"] ?? "")" : ""),
                    hint: "Empty all of it to remove it.", isOpen: isFolded ? false : nil, own)
                : .group(count - index < Self.spareRows ? "And another one" : "Add \(title)", isOpen: false, own)
        }
    }
}

extension MemberRows {
    /// Such as `Placement 2`.
    private func heading(_ index: Int) -> String {
        let noun = title.drop { $0 != " " }.dropFirst()
        return noun.prefix(1).uppercased() + noun.dropFirst() + " \(index + 1)"
    }

    /// The column of texts that names their language.
    static let language = "language"

    private static func texts(_ name: String, _ value: JSONPart) -> [Row]? {
        let text = ProductMember("text", "", .text)
        if value.kind == .string { return text.text(of: value).map { [["name": name, "text": $0]] } }
        return value.kind == .object
            ? value.members.all { part, value in
                text.text(of: value).map { ["name": name, language: part.string ?? "", "text": $0] }
            } : nil
    }

    /// A text, or texts by language.
    private static func text(_ rows: [Row]) -> Data {
        if rows.count == 1, let row = rows.first, row[language] == nil { return (row["text"] ?? "").jsonText }
        return .object(rows.map { ($0[language] ?? "", ($0["text"] ?? "").jsonText) })
    }

    private func variants(_ place: String, _ value: JSONPart) -> [Row]? {
        guard value.kind == .array else { return nil }
        let strings = value.elements.compactMap(\.string)
        guard strings.count < value.elements.count || strings.isEmpty else {
            return [["place": place, "products": strings.joined(separator: "\n")]]
        }
        return value.elements.isEmpty ? [["place": place]] : value.elements.all { variant(place, $0) }
    }

    private func variant(_ place: String, _ object: JSONPart) -> Row? {
        var row: Row = ["place": place]
        for (name, value) in object.members {
            let cells: Row? =
                switch name.string {
                case "when": cells(of: value, all.filter { !Self.outside.contains($0.name) })
                case "products" where value.elements.isEmpty: [:]
                case let name?:
                    all.first { $0.name == name && Self.outside.contains(name) }
                        .flatMap { $0.text(of: value) }.map { [name: $0] }
                case nil: nil
                }
            guard let cells else { return nil }
            row.merge(cells) { own, _ in own }
        }
        return row
    }

    /// The columns of a placement that are no conditions.
    private static let outside: Set<String> = ["place", "products", "metadata"]

    private func placement(_ rows: [Row]) -> Data {
        func json(_ row: Row, _ name: String) -> Data? {
            all.first { $0.name == name }.flatMap { $0.json(of: row[name] ?? "") }
        }
        let plain = rows.first { Set($0.keys).isSubset(of: ["place", "products"]) }
        if rows.count == 1, let plain { return json(plain, "products") ?? .array([]) }
        return .array(
            rows.map { row in
                let conditions = all.filter { !Self.outside.contains($0.name) }
                let members: [(name: String, value: Data?)] = [
                    ("products", json(row, "products") ?? .array([])),
                    ("when", conditions.contains { row[$0.name] != nil } ? object(row, conditions) : nil),
                    ("metadata", json(row, "metadata")),
                ]
                return .object(members.compactMap { member in member.value.map { (member.name, $0) } })
            })
    }
}

extension Sequence {
    /// The results for all elements; `nil` if there is none for one.
    fileprivate func all<Result>(_ transform: (Element) -> Result?) -> [Result]? {
        var results: [Result] = []
        for element in self {
            guard let result = transform(element) else { return nil }
            results.append(result)
        }
        return results
    }
}
