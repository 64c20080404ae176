import Foundation
import InAppPurchase
import ServerCore
import ServerHTTP
import StrictJSON

/// The fields of a form for the members of an entry. Members that it does not show stay as they are.
struct EntryFields {
    private let base: Data
    private let shown: [(member: ProductMember, text: String)]

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
        shown = members(root).compactMap { member in member.text(of: root[member.name]).map { (member, $0) } }
    }

    /// - Parameter form: what was filled in; `nil` shows the entry.
    func fields(_ form: FormBody? = nil) -> [Field] {
        shown.map { member, text in member.field(form.map { $0[member.fieldName] } ?? text) }
    }

    /// The entry with what was filled in.
    ///
    /// - Throws: ``/ServerCore/CatalogRefusal/unreadableEntry(_:)``
    func entry(_ form: FormBody) throws -> Data {
        var members = try EntryMembers(base)
        for (member, text) in shown {
            // Browsers send the line breaks of a text area as two characters, which Swift takes for one.
            let filled = form[member.fieldName].replacing("\r\n", with: "\n")
            if filled != text { members.set(member.name, to: member.json(of: filled)) }
        }
        return members.json
    }
}
