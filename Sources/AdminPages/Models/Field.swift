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
        /// The steps of a number or a time; `nil` for the browser's.
        var step: String?
        /// The IDs of the mistake and the hint.
        var describedBy: String?
        var isInvalid = false
    }

    package struct Area: Sendable {
        var id: String
        var name: String
        var value: String
        var rows: Int
        /// The IDs of the mistake and the hint.
        var describedBy: String?
        var isInvalid = false
    }

    package struct Files: Sendable {
        var id: String
        var name: String
        var isFolder: Bool
        /// The IDs of the mistake and the hint.
        var describedBy: String?
        var isInvalid = false
    }

    package struct Choices: Sendable {
        var id: String
        var name: String
        var options: [Option]
        /// The IDs of the mistake and the hint.
        var describedBy: String?
        var isInvalid = false
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

    /// Fields that belong together.
    package struct Group: Sendable {
        var label: String
        var hint: String?
        /// Whether they are shown only when somebody opens them.
        var isFolded: Bool
        var isOpen: Bool
        var fields: [Field]
    }

    package let label: String
    package let name: String
    package let id: String
    package var hint: Hint?
    /// The mistake in the value.
    package var mistake: Hint?
    /// The fields of a group, which has nothing else but its label.
    package var group: Group?
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

    /// Fields that belong together, under a heading.
    ///
    /// - Parameter isOpen: whether they are shown at once; `nil` if they always are.
    package static func group(_ label: String, hint: String? = nil, isOpen: Bool? = nil, _ fields: [Field]) -> Field {
        var field = Field(label, name: "", hint: nil)
        field.group = Group(
            label: label, hint: hint, isFolded: isOpen != nil, isOpen: isOpen ?? true, fields: fields)
        return field
    }

    /// The field and those of its group, each with the mistake in it.
    ///
    /// - Parameter mistakes: by the names of the fields.
    package func marked(_ mistakes: [String: String]) -> Field {
        var field = self
        if let group {
            field.group?.fields = group.fields.map { $0.marked(mistakes) }
            field.group?.isOpen = group.isOpen || group.fields.contains { !$0.labels(of: mistakes).isEmpty }
        }
        guard !name.isEmpty, let text = mistakes[name] else { return field }
        let mistake = Hint(id: "mistake-\(name)", text: text)
        let describedBy = [mistake.id, hint?.id].compactMap { $0 }.joined(separator: " ")
        field.mistake = mistake
        field.input?.describedBy = describedBy
        field.input?.isInvalid = true
        field.area?.describedBy = describedBy
        field.area?.isInvalid = true
        field.files?.describedBy = describedBy
        field.files?.isInvalid = true
        field.choices?.describedBy = describedBy
        field.choices?.isInvalid = true
        return field
    }

    /// The labels of the fields with mistakes.
    func labels(of mistakes: [String: String]) -> [String] {
        group?.fields.flatMap { $0.labels(of: mistakes) } ?? (mistakes[name] == nil ? [] : [label])
    }

    /// - Parameters:
    ///   - type: the type of HTML's `input`.
    ///   - maximum: the maximum number of characters that a browser accepts.
    package static func input(
        _ label: String, name: String, type: String = "text", value: String = "", hint: String? = nil,
        autocomplete: String = "off", isRequired: Bool = true, maximum: Int? = nil, step: String? = nil
    ) -> Field {
        var field = Field(label, name: name, hint: hint)
        field.input = Input(
            id: field.id, name: name, type: type, value: value, autocomplete: autocomplete, isRequired: isRequired,
            maximum: maximum, list: nil, step: step, describedBy: field.hint?.id)
        return field
    }

    /// A field for a time in UTC, or for none.
    ///
    /// - Parameter value: the time as ``Foundation/Date/formTime`` writes it.
    static func time(_ label: String, name: String, value: String, hint: String?) -> Field {
        // Without the step browsers refuse seconds.
        let step = value.count(where: { $0 == ":" }) > 1 ? "1" : nil
        return input(
            label, name: name, type: "datetime-local", value: value, hint: hint, isRequired: false, step: step)
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
