package import Foundation
import ServerHTTP
import StrictJSON

/// The members of a catalog's entry, each as it is written.
package struct EntryMembers {
    private var members: [(name: Data, value: Data)] = []

    /// - Throws: ``CatalogRefusal/unreadableEntry(_:)``
    package init(_ entry: Data) throws {
        do {
            members = try StrictJSON(entry, ProductEntry.limits, tolerance: .known).root.members
                .map { ($0.name.text, $0.value.text) }
        } catch {
            throw CatalogRefusal.unreadableEntry("\(error)")
        }
    }

    /// Replaces, adds or, with `nil`, removes a member; the others stay where they are.
    package mutating func set(_ name: String, to value: Data?) {
        let text = name.jsonText
        let index = members.firstIndex { $0.name == text }
        switch (index, value) {
        case (let index?, let value?): members[index].value = value
        case (let index?, nil): members.remove(at: index)
        case (nil, let value?): members.append((text, value))
        case (nil, nil): break
        }
    }

    /// The entry on one line.
    package var json: Data { .joined(members.map { $0.name + Data(": ".utf8) + $0.value }, "{", "}") }
}

extension Data {
    /// The JSON of an object on one line.
    package static func object(_ members: [(name: String, value: Data)]) -> Data {
        joined(members.map { $0.name.jsonText + Data(": ".utf8) + $0.value }, "{", "}")
    }

    /// The JSON of an array on one line.
    package static func array(_ elements: [Data]) -> Data { joined(elements, "[", "]") }

    fileprivate static func joined(_ parts: [Data], _ start: String, _ end: String) -> Data {
        Data(start.utf8) + Data(parts.joined(separator: Data(", ".utf8))) + Data(end.utf8)
    }
}
