package import Foundation
import ServerHTTP
import StrictJSON

/// Entries of apps: their settings are edited, and every byte of their products stays.
extension CatalogText {
    /// A member of an entry as it is written.
    fileprivate struct Member {
        var name: String?
        /// The text before it: the comma and the white space.
        var lead: [UInt8]
        /// The name, the colon and the value.
        var text: [UInt8]
    }

    /// The settings of an app with its ID, as one object on one line; `nil` if there is no such app.
    package func settingsEntry(ofApp app: Int) -> Data? {
        guard apps.entries.indices.contains(app) else { return nil }
        let members = apps.entries[app].members.compactMap { name, value in
            name.string.map { AppEntry.Member(name: $0, value: Data(JSONStyle.plain.text(of: value))) }
        }
        return AppEntry.object(members.filter { $0.name != "products" })
    }

    /// The text with the app appended.
    func adding(app entry: Data) -> Data? { adding(entry, to: apps) }

    /// The text without the app.
    func removing(app: Int) -> Data? { removing(app, from: apps) }

    /// The text with other settings of an app. Members with the same value stay as they are written, new ones come
    /// before the products.
    func replacing(settingsOfApp app: Int, with settings: [AppEntry.Member]) -> Data? {
        guard apps.entries.indices.contains(app) else { return nil }
        let entry = apps.entries[app]
        guard let last = entry.members.last?.value.range.upperBound else { return nil }
        let old = members(of: entry)
        var new = replacing(old, in: entry, with: settings)
        let products = new.firstIndex { $0.name == "products" } ?? new.endIndex
        let index = products > 0 ? products : new.endIndex
        let lead = index > 1 ? new[index - 1].lead : old.dropFirst().first?.lead ?? [.comma, .space]
        let known = Set(old.compactMap(\.name))
        new.insert(contentsOf: settings.filter { !known.contains($0.name) }.map { Member($0, lead) }, at: index)
        if let first = old.first, !new.isEmpty { new[0].lead = first.lead }
        let closing = json.text(from: last, to: entry.range.upperBound - 1)
        return splicing(
            entry.range.lowerBound + 1..<entry.range.upperBound - 1, new.flatMap { $0.lead + $0.text } + closing)
    }

    private func members(of entry: JSONPart) -> [Member] {
        var end = entry.range.lowerBound + 1
        return entry.members.map { name, value in
            defer { end = value.range.upperBound }
            return Member(
                name: name.string, lead: json.text(from: end, to: name.range.lowerBound),
                text: json.text(from: name.range.lowerBound, to: value.range.upperBound))
        }
    }

    /// The members that stay, with their new values.
    private func replacing(_ members: [Member], in entry: JSONPart, with settings: [AppEntry.Member]) -> [Member] {
        zip(members, entry.members).compactMap { member, part in
            guard let name = member.name, !Self.otherMembers.contains(name) else { return member }
            guard let new = settings.first(where: { $0.name == name }) else { return nil }
            guard Data(JSONStyle.plain.text(of: part.value)) != new.value else { return member }
            var member = member
            member.text = json.text(from: part.name.range.lowerBound, to: part.value.range.lowerBound) + new.value
            return member
        }
    }
}

extension CatalogText.Member {
    fileprivate init(_ member: AppEntry.Member, _ lead: [UInt8]) {
        self.init(name: member.name, lead: lead, text: Array(member.name.jsonText + Data(": ".utf8) + member.value))
    }
}
