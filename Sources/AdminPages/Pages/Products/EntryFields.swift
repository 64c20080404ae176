import Foundation
import InAppPurchase
import ServerCore
import ServerHTTP
import StrictJSON

/// The fields of a form for the members of an entry. Members that it does not show stay as they are.
struct EntryFields {
    private let base: Data
    private let shown: [(member: ProductMember, texts: [String: String])]
    /// The labels of the members that the entry has and that no field could show.
    private let hidden: [String]

    /// A sentence about the members that no field could show; `nil` if there are none.
    var hiddenText: String? {
        hidden.isEmpty
            ? nil : "Not shown here, and kept as it is: \(hidden.joined(separator: ", ")). Change it as JSON."
    }

    /// - Parameters:
    ///   - base: the entry as it was when the form was made.
    ///   - members: the members that such an entry can have.
    /// - Throws: ``/ServerCore/CatalogRefusal/unreadableEntry(_:)``
    init(_ base: Data, members: (JSONPart) -> [ProductMember]) throws {
        let root: JSONPart
        do {
            root = try StrictJSON(base, ProductEntry.limits, tolerance: .known).root
        } catch {
            throw CatalogRefusal.unreadableEntry("\(error)")
        }
        self.base = base
        let members = members(root)
        shown = members.compactMap { $0.shown(in: root) }
        let names = Set(shown.map(\.member.name))
        hidden = members.filter { !names.contains($0.name) }.map(\.label)
    }

    /// - Parameter form: what was filled in; `nil` shows the entry.
    func fields(_ form: FormBody? = nil) -> [Field] {
        shown.flatMap { member, texts in member.fields(form.map { Self.filled(texts, $0) } ?? texts) }
    }

    /// The entry with what was filled in.
    ///
    /// - Throws: ``FormRefusal``, ``/ServerCore/CatalogRefusal/unreadableEntry(_:)``
    func entry(_ form: FormBody) throws -> Data {
        var (members, mistakes) = (try EntryMembers(base), [String: String]())
        for (member, texts) in shown {
            let filled = Self.filled(texts, form)
            guard filled != texts else { continue }
            mistakes.merge(member.mistakes(in: filled)) { own, _ in own }
            members.set(member.name, to: member.json(of: filled))
        }
        guard mistakes.isEmpty else { throw FormRefusal(fields: mistakes) }
        return members.json
    }

    /// A refusal of the catalog at the field that it is about.
    func mistakes(for error: String, _ form: FormBody) -> FormRefusal {
        let mistake = CatalogMistake(error)
        let place = shown.first { $0.member.name == mistake.path.first }
        let labels = shown.map { ($0.member.name, $0.member.label) }
        let words = mistake.words(labels, hint: place?.member.hint)
        guard let (member, texts) = place else { return FormRefusal(other: mistake.path.isEmpty ? words : error) }
        let path = Array(mistake.path.dropFirst())
        return FormRefusal(fields: [member.field(at: path, in: Self.filled(texts, form)): words])
    }

    private static func filled(_ texts: [String: String], _ form: FormBody) -> [String: String] {
        // Browsers send the line breaks of a text area as two characters, which Swift takes for one.
        Dictionary(uniqueKeysWithValues: texts.keys.map { ($0, form[$0].replacing("\r\n", with: "\n")) })
    }
}
