import Mustache
import ServerCore

/// Writes pages as HTML.
package struct PageRenderer: Sendable {
    private static let main = "page"

    private let library: MustacheLibrary

    /// - Throws: if a template cannot be parsed.
    package init() throws {
        MustacheContentTypes.register(HTMLEscaping(), named: HTMLEscaping.name)
        // Each template names it: a partial begins with Mustache's own.
        let pragma = "{{% CONTENT_TYPE: \(HTMLEscaping.name)}}"
        library = MustacheLibrary(templates: try Templates.all.mapValues { try MustacheTemplate(string: pragma + $0) })
    }

    package func html(_ page: Page) -> String { library.render(page, withTemplate: Self.main) ?? "" }
}

/// The escaping of strings in the pages, for elements and for attributes in quotes.
///
/// Mustache's own compares characters: `"` followed by a combining mark is another character than `"`, is not escaped,
/// and ends an attribute. This one escapes Unicode scalars, as browsers read them.
struct HTMLEscaping: MustacheContentType {
    /// The name by which templates ask for it.
    static let name = "QUARTERMASTER"

    func escapeText(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            case _ where scalar.isHiddenInPages: escaped.append("\u{FFFD}")
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
