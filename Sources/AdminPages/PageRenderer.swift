import Mustache

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
