import Foundation

/// The old-style (OpenStep) property list of iOS 6 receipts: a flat dictionary of strings.
enum PropertyListText {
    /// The maximum size in bytes. Genuine ones have about 4 KiB; the parser is not meant for more.
    static let maximumSize = 64 * 1_024

    /// The text `{ "key" = "value"; … }`, with keys in order.
    static func encode(_ members: [String: String]) -> Data {
        let lines = members.sorted { $0.key < $1.key }.map { "\t\(quoted($0.key)) = \(quoted($0.value));\n" }
        return Data("{\n\(lines.joined())}".utf8)
    }

    /// The dictionary; `nil` if it is not one of strings, or too large. The system's parser bounds nesting itself.
    static func decode(_ data: Data) -> [String: String]? {
        guard data.count <= maximumSize else { return nil }
        var format = PropertyListSerialization.PropertyListFormat.openStep
        let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: &format)
        return list as? [String: String]
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
