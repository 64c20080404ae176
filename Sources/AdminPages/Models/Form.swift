/// A form. One that changes something is posted, with the session's token against forged requests.
package struct Form: Sendable {
    package struct Hidden: Sendable {
        package var name: String
        package var value: String
    }

    package let action: String
    /// `get` or `post`.
    package let method: String
    /// How the fields are sent; `nil` for the usual way.
    package let encoding: String?
    package let hidden: [Hidden]
    package var fields: [Field]
    package let button: String
    /// Whether the act takes something away.
    package let isDangerous: Bool
    /// Whether it narrows the list below it, and is folded unless it ``isOpen``.
    private(set) var isFilter = false
    private(set) var isOpen = false

    /// A form that asks for a page.
    package static func query(_ action: String, _ fields: [Field], button: String) -> Form {
        Form(
            action: action, method: "get", encoding: nil, hidden: [], fields: fields, button: button, isDangerous: false
        )
    }

    /// A form that narrows the list below it, folded as long as it narrows nothing.
    ///
    /// - Parameter isSet: whether the list is narrowed.
    package static func filter(_ action: String, _ fields: [Field], button: String, isSet: Bool) -> Form {
        var form = query(action, fields, button: button)
        form.isFilter = true
        form.isOpen = isSet
        return form
    }

    /// The form with which an administrator signs in, and which no session's token can come with.
    package static func signIn(_ action: String, _ fields: [Field], button: String) -> Form {
        Form(
            action: action, method: "post", encoding: nil, hidden: [], fields: fields, button: button,
            isDangerous: false)
    }

    /// A form that changes something.
    ///
    /// - Parameter hidden: values that the server gave out, in this order.
    package static func act(
        _ action: String, csrf: String, hidden: [(String, String)] = [], _ fields: [Field], button: String,
        isDangerous: Bool = false
    ) -> Form {
        let all = [(Self.csrfField, csrf)] + hidden
        return Form(
            action: action, method: "post", encoding: nil, hidden: all.map { Hidden(name: $0.0, value: $0.1) },
            fields: fields, button: button, isDangerous: isDangerous)
    }

    /// A form that uploads files, which follow the session's token.
    package static func upload(_ action: String, csrf: String, _ fields: [Field], button: String) -> Form {
        Form(
            action: action, method: "post", encoding: "multipart/form-data",
            hidden: [Hidden(name: Self.csrfField, value: csrf)], fields: fields, button: button, isDangerous: false)
    }

    /// The form with what was typed into it.
    ///
    /// - Parameter value: returns the value for a field's name; `nil` for a field that stays as it is.
    package func filled(_ value: (String) -> String?) -> Form {
        var form = self
        form.fields = fields.map { field in value(field.name).map(field.filled) ?? field }
        return form
    }

    /// The form with mistakes at its fields.
    ///
    /// - Parameter mistakes: by the names of the fields.
    package func marked(_ mistakes: [String: String]) -> Form {
        var form = self
        form.fields = fields.map { $0.marked(mistakes) }
        return form
    }

    /// The name of the field with the session's token.
    package static let csrfField = "csrf"
}
