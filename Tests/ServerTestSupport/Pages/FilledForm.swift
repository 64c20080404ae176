import Testing

import ServerHTTP

/// The last form of a page with all its fields, as a browser would send it.
package struct FilledForm {
    package var action: String
    package private(set) var values: [(String, String)]

    package init(_ html: String) throws {
        let forms = html.matches(of: #/<form method="post" action="([^"]*)"[^>]*>(?s)(.*?)</form>/#)
        let form = try #require(forms.last, "\(html)")
        action = String(form.output.1).unescaped
        let body = String(form.output.2)
        values = body.matches(of: #/<input [^>]*>/#).compactMap { Self.input(String($0.output)) }
        values += body.matches(of: #/<textarea [^>]*name="([^"]*)"[^>]*>\n(?s)(.*?)</textarea>/#).map {
            // A browser sends line breaks as two characters.
            (String($0.output.1).unescaped, String($0.output.2).unescaped.replacing("\n", with: "\r\n"))
        }
        values += body.matches(of: #/<select [^>]*name="([^"]*)"[^>]*>(?s)(.*?)</select>/#).map {
            let options = String($0.output.2).matches(of: #/<option value="([^"]*)"( selected)?>/#)
            let chosen = options.first { $0.output.2 != nil } ?? options.first
            return (String($0.output.1).unescaped, chosen.map { String($0.output.1).unescaped } ?? "")
        }
    }

    private static func input(_ element: String) -> (String, String)? {
        guard let name = element.firstMatch(of: #/ name="([^"]*)"/#),
            let value = element.firstMatch(of: #/ value="([^"]*)"/#)
        else { return nil }
        return (String(name.output.1).unescaped, String(value.output.1).unescaped)
    }

    package subscript(_ name: String) -> String? { values.first { $0.0 == name }?.1 }

    /// - Throws: if the form has no such field.
    package mutating func fill(_ name: String, _ value: String) throws {
        let place = try #require(values.firstIndex { $0.0 == name }, "\(name) of \(values.map(\.0))")
        values[place].1 = value
    }
}

extension PageVisitor {
    package func send(_ form: FilledForm) async throws -> Answer { try await post(form.action, form.values) }

    /// Sends the last form of a page as it is.
    package func send(formOf answer: Answer) async throws -> Answer { try await send(FilledForm(answer.html)) }

    /// Opens a page, and fills in its form.
    package func form(_ path: String, _ filled: [(String, String)] = []) async throws -> FilledForm {
        var form = try FilledForm(try await get(path).html)
        for (name, value) in filled { try form.fill(name, value) }
        return form
    }
}
