package import Foundation

/// A theme as it is delivered: the colours of `theme.json`. Its drawings are not for terminals.
package struct Theme: Sendable, Equatable {
    /// A colour in sRGB.
    package struct Color: Sendable, Equatable {
        package let red: UInt8
        package let green: UInt8
        package let blue: UInt8

        package init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
        }

        /// Reads `#RRGGBB`; `nil` for anything else.
        package init?(_ text: String) {
            let digits = text.dropFirst()
            guard text.first == "#", digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit),
                let value = UInt32(digits, radix: 16)
            else { return nil }
            self.init(
                red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
                blue: UInt8(truncatingIfNeeded: value))
        }
    }

    private struct Manifest: Decodable {
        let kind: String
        let formatVersion: Int
        let name: String
        let palette: [String: String]
    }

    /// The file that says what a bundle is, if it is a theme.
    package static let manifestName = "theme.json"

    package let name: String
    package let palette: [Role: Color]

    package init(name: String, palette: [Role: Color]) {
        self.name = name
        self.palette = palette
    }

    /// Reads `theme.json`.
    ///
    /// - Throws: ``UnreadableContent`` if it is no theme that this game can read, or lacks a colour that it draws with.
    package init(_ bytes: Data) throws(UnreadableContent) {
        guard let manifest = try? JSONDecoder().decode(Manifest.self, from: bytes), manifest.kind == "theme",
            manifest.formatVersion == 1
        else { throw UnreadableContent() }
        var palette: [Role: Color] = [:]
        for role in Role.allCases {
            guard let color = manifest.palette[role.rawValue].flatMap(Color.init) else { throw UnreadableContent() }
            palette[role] = color
        }
        self.init(name: Columns.printable(manifest.name), palette: palette)
    }
}
