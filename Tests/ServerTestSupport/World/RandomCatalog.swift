package import Foundation
package import InAppPurchase
import ServerCore
import TestSupport

/// A valid `products.json` written in an odd way: the text in pieces, so that a test knows which of them may change.
package struct RandomCatalog {
    package struct Entry {
        package var id: ProductID
        package var text: String
        /// Its place in the pieces.
        package var piece: Int
    }

    package private(set) var apps: [[Entry]] = []
    package private(set) var pieces: [String] = []
    private var generator: SeededGenerator

    package var text: Data { Data(pieces.joined().utf8) }

    package init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        if generator.flip() { pieces.append("\u{FEFF}") }
        let extra = generator.flip() ? "\(string("apps\u{0}"))\(space):\(space)\(value(depth: 2))\(space),\(space)" : ""
        pieces.append("\(space){\(space)\(extra)\(space)\(name("apps"))\(space):\(space)[\(space)")
        for app in 0..<Int.random(in: 1...3, using: &generator) {
            if app > 0 { pieces.append("\(space),\(space)") }
            addApp("com.example.app\(app)")
        }
        pieces.append("\(space)]\(space)}\(space)")
    }

    private mutating func addApp(_ bundleID: String) {
        let number = generator.flip() ? "\(name("appAppleID")):\(space)1234567890\(space),\(space)" : ""
        pieces.append("{\(space)\(number)\(name("products"))\(space):\(space)[")
        let count = Int.random(in: 0...4, using: &generator)
        var entries: [Entry] = []
        let usual = space
        for product in 0..<count {
            let gap = generator.flip() ? usual : space
            pieces.append(product == 0 ? gap : "\(generator.flip() ? "" : space),\(gap)")
            let id = "p\(product)" + generator.pick("", "é", "e\u{301}", "😀", "\"\\", "}", "]")
            entries.append(Entry(id: ProductID(stored: id), text: entry(ProductID(stored: id)), piece: pieces.count))
            pieces.append(entries.last?.text ?? "")
        }
        apps.append(entries)
        pieces.append(
            "\(space)]\(space),\(space)\(name("bundleID"))\(space):\(space)\(string(bundleID))\(space)}")
    }

    /// An entry in any formatting.
    package mutating func entry(_ id: ProductID) -> String {
        var members = [
            "\(name("id"))\(space):\(space)\(string(id.text))",
            "\(name("type"))\(space):\(space)\(string("consumable"))",
        ]
        if generator.flip() { members.append("\"credits\"\(space):\(space){\(space)\"hints\"\(space):10\(space)}") }
        if generator.flip() { members.append("\(name("metadata"))\(space):{\"m\":\(space)\(value(depth: 0))}") }
        members.shuffle(using: &generator)
        let comma = generator.flip() ? ", " : "\(space),\(space)"
        return "{\(space)\(members.joined(separator: comma))\(space)}"
    }

    private mutating func value(depth: Int) -> String {
        let items = (0..<Int.random(in: 0...2, using: &generator)).map { _ in depth < 3 ? value(depth: depth + 1) : "0"
        }
        let members = items.enumerated().map { "\(string("k\($0)}]"))\(space):\(space)\($1)" }
        return switch Int.random(in: 0...5, using: &generator) {
        case 0: "[\(space)\(items.joined(separator: "\(space),\(space)"))\(space)]"
        case 1: "{\(space)\(members.joined(separator: ","))\(space)}"
        case 2: generator.pick("-1.50e+3", "12345678901234567890123", "0.1000", "1E2", "-0")
        case 3: generator.pick("true", "false", "null")
        default: string(generator.pick("}],{", "a\"b\\", "é\u{301}\u{1F600}", "/", "\n\t", "[[[", "\\\\\""))
        }
    }

    /// A string literal in which some characters are escaped that need not be.
    private mutating func string(_ text: String) -> String {
        let units = text.utf16.count == text.count ? Array(text.unicodeScalars) : []
        guard !units.isEmpty, generator.flip() else {
            return (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
        }
        return "\"" + text.utf16.map { "\\u" + String(UInt32($0) + 0x10000, radix: 16).suffix(4) }.joined() + "\""
    }

    private mutating func name(_ text: String) -> String {
        guard generator.flip(), let first = text.utf16.first else { return "\"\(text)\"" }
        return "\"\\u" + String(UInt32(first) + 0x10000, radix: 16).suffix(4) + text.dropFirst() + "\""
    }

    private var space: String { mutating get { generator.pick("", " ", "\n", "\r\n    ", "\t", "\n  ", "\n\n  ") } }
}
