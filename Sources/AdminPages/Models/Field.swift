/// A field of a form, with its label.
package struct Field: Sendable {
    package struct Input: Sendable {
        var id: String
        var name: String
        var type: String
        var value: String
        var autocomplete: String
        var isRequired: Bool
        /// The maximum number of characters that a browser accepts; `nil` for any number.
        var maximum: Int?
        /// The ID of the list of suggestions.
        var list: String?
        /// The ID of the hint.
        var describedBy: String?
    }

    package struct Area: Sendable {
        var id: String
        var name: String
        var value: String
        var rows: Int
        /// The ID of the hint.
        var describedBy: String?
    }

    package struct Files: Sendable {
        var id: String
        var name: String
        var isFolder: Bool
        /// The ID of the hint.
        var describedBy: String?
    }

    package struct Choices: Sendable {
        var id: String
        var name: String
        var options: [Option]
        /// The ID of the hint.
        var describedBy: String?
    }

    /// Suggestions of a browser for a field in which anything can be typed.
    package struct Suggestions: Sendable {
        var id: String
        var options: [Option]
    }

    package struct Option: Sendable {
        var value: String
        var text: String
        var isSelected: Bool
    }

    package struct Hint: Sendable {
        var id: String
        var text: String
    }

    package let label: String
    package let name: String
    package let id: String
    package var hint: Hint?
    package var input: Input?
    package var area: Area?
    package var files: Files?
    package var choices: Choices?
    package var suggestions: Suggestions?

    private init(_ label: String, name: String, hint: String?) {
        self.label = label
        self.name = name
        id = "field-\(name)"
        self.hint = hint.map { Hint(id: "hint-\(name)", text: $0) }
    }

    /// The field with something filled in; files cannot be.
    package func filled(_ value: String) -> Field {
        var field = self
        field.input?.value = value
        field.area?.value = value
        if let options = choices?.options, options.contains(where: { $0.value == value }) {
            field.choices?.options = options.map {
                Option(value: $0.value, text: $0.text, isSelected: $0.value == value)
            }
        }
        return field
    }

    /// - Parameters:
    ///   - type: the type of HTML's `input`.
    ///   - maximum: the maximum number of characters that a browser accepts.
    package static func input(
        _ label: String, name: String, type: String = "text", value: String = "", hint: String? = nil,
        autocomplete: String = "off", isRequired: Bool = true, maximum: Int? = nil
    ) -> Field {
        var field = Field(label, name: name, hint: hint)
        field.input = Input(
            id: field.id, name: name, type: type, value: value, autocomplete: autocomplete, isRequired: isRequired,
            maximum: maximum, list: nil, describedBy: field.hint?.id)
        return field
    }

    /// The field with suggestions; anything else can still be typed.
    package func suggesting(_ options: [(value: String, text: String)]) -> Field {
        var field = self
        let id = "list-\(name)"
        field.input?.list = id
        field.suggestions = Suggestions(
            id: id, options: options.map { Option(value: $0.value, text: $0.text, isSelected: false) })
        return field
    }

    /// A field for several lines.
    package static func area(
        _ label: String, name: String, value: String = "", rows: Int = 3, hint: String? = nil
    ) -> Field {
        var field = Field(label, name: name, hint: hint)
        field.area = Area(id: field.id, name: name, value: value, rows: rows, describedBy: field.hint?.id)
        return field
    }

    /// A field for files, or for a folder with all that is in it.
    package static func files(_ label: String, name: String, hint: String? = nil, isFolder: Bool = false) -> Field {
        var field = Field(label, name: name, hint: hint)
        field.files = Files(id: field.id, name: name, isFolder: isFolder, describedBy: field.hint?.id)
        return field
    }

    /// - Parameter options: values and their labels.
    package static func choice(
        _ label: String, name: String, _ options: [(value: String, text: String)], selected: String? = nil,
        hint: String? = nil
    ) -> Field {
        var field = Field(label, name: name, hint: hint)
        field.choices = Choices(
            id: field.id, name: name,
            options: options.map { Option(value: $0.value, text: $0.text, isSelected: $0.value == selected) },
            describedBy: field.hint?.id)
        return field
    }
}
