import Foundation
import InAppPurchase
import ServerCore
import StrictJSON

/// A member as all of its fields: one, those of its own members, or rows.
extension ProductMember {
    /// The part of the name of the field with the end of ``Kind/sandbox``.
    private static let end = "until"
    /// The choice of ``Kind/sandbox`` that has an end.
    private static let everyoneUntil = "everyoneUntil"

    private static let admitted: [(value: String, words: String)] = [
        ("nobody", "Nobody"), ("testers", "Testers only"),
        (everyoneUntil, "Everyone until a date, as for App Review; testers always"),
        ("everyone", "Everyone, always"),
    ]

    func sandboxWords(for value: JSONPart, _ visit: Visit) -> String? {
        if let date = value[Self.everyoneUntil] { return end.words(for: date, visit).map { "Everyone until \($0)" } }
        return Self.admitted.first { $0.value == value.string }?.words
    }

    private static func sandboxEnd(_ name: String) -> String { "\(name)-\(end)" }

    private var end: ProductMember {
        ProductMember(Self.end, "Until", .time, hint: "In UTC. Only for everyone until a date.")
    }

    /// The texts of the fields by their names; `nil` for a value that the fields would not return unchanged.
    func texts(of value: JSONPart?, as name: String? = nil) -> [String: String]? {
        let name = name ?? fieldName
        switch kind {
        case .rows(let rows): return rows.texts(of: value, as: name)
        case .object(let members):
            var texts: [String: String] = [:]
            for member in members {
                guard let text = member.text(of: value?[member.name]) else { return nil }
                texts["\(name)-\(member.name)"] = text
            }
            guard let value else { return texts }
            return json(of: texts, as: name)?.isSameJSON(as: value) == true ? texts : nil
        case .sandbox:
            let date = value?[Self.everyoneUntil]
            guard let text = end.text(of: date) else { return nil }
            let choice = date == nil ? value.map { $0.string ?? "" } ?? "nobody" : Self.everyoneUntil
            let texts = [name: choice, Self.sandboxEnd(name): text]
            guard let value else { return texts }
            return json(of: texts, as: name)?.isSameJSON(as: value) == true ? texts : nil
        default: return text(of: value).map { [name: $0] }
        }
    }

    /// The JSON that the texts of the fields mean; `nil` for empty ones, which mean no such member.
    func json(of texts: [String: String], as name: String? = nil) -> Data? {
        let name = name ?? fieldName
        switch kind {
        case .rows(let rows): return rows.json(of: texts, as: name)
        case .object(let members):
            let filled = members.compactMap { member in
                member.json(of: texts["\(name)-\(member.name)"] ?? "").map { (member.name, $0) }
            }
            return filled.isEmpty ? nil : .object(filled)
        case .sandbox:
            let choice = texts[name] ?? ""
            guard choice == Self.everyoneUntil else { return choice.jsonText }
            return .object([(choice, end.json(of: texts[Self.sandboxEnd(name)] ?? "") ?? "".jsonText)])
        default: return json(of: texts[name] ?? "")
        }
    }

    func fields(_ texts: [String: String]) -> [Field] {
        let name = fieldName
        switch kind {
        case .rows(let rows):
            return [.group(label, hint: hint, rows.fields(texts, as: name))]
        case .object(let members):
            return [
                .group(
                    label, hint: hint,
                    members.map { $0.field(texts["\(name)-\($0.name)"] ?? "", as: "\(name)-\($0.name)") })
            ]
        case .sandbox:
            let place = Self.sandboxEnd(name)
            return [
                .choice(
                    label, name: name, Self.admitted.map { ($0.value, $0.words) }, selected: texts[name], hint: hint),
                end.field(texts[place] ?? "", as: place),
            ]
        default: return [field(texts[name] ?? "", as: name)]
        }
    }

    /// The mistakes in the texts, by the names of the fields.
    func mistakes(in texts: [String: String]) -> [String: String] {
        let name = fieldName
        switch kind {
        case .rows(let rows): return rows.mistakes(in: texts, as: name)
        case .object(let members):
            return members.reduce(into: [:]) { mistakes, member in
                let place = "\(name)-\(member.name)"
                mistakes[place] = member.mistake(in: texts[place] ?? "")
            }
        case .sandbox:
            let (place, choice) = (Self.sandboxEnd(name), texts[name] ?? "")
            guard Self.admitted.contains(where: { $0.value == choice }) else { return [name: "Choose one of these."] }
            let date = texts[place] ?? ""
            if choice == Self.everyoneUntil, date.isEmpty { return [place: "Fill in the date."] }
            return end.mistake(in: date).map { [place: $0] } ?? [:]
        default: return mistake(in: texts[name] ?? "").map { [name: $0] } ?? [:]
        }
    }

    /// The name of the field that a path inside of the member is about.
    func field(at path: [String], in texts: [String: String]) -> String {
        let name = fieldName
        switch kind {
        case .rows(let rows): return rows.field(at: path, in: texts, as: name) ?? rows.first(as: name)
        case .object(let members):
            let member = members.first { $0.name == path.first } ?? members.first
            return "\(name)-\(member?.name ?? "")"
        case .sandbox: return path.isEmpty ? name : Self.sandboxEnd(name)
        default: return name
        }
    }
}
