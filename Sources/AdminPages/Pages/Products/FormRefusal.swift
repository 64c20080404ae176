import ServerCore

/// The mistakes in a form, at its fields.
struct FormRefusal: Error {
    /// Words by the names of the fields.
    var fields: [String: String] = [:]
    /// A mistake that is at no field of the form.
    var other: String?

    /// The form with the mistakes, and the sentence above it.
    func marking(_ form: Form) -> (form: Form, notice: Notice) {
        let labels = form.fields.flatMap { $0.labels(of: fields) }
        let places = labels.isEmpty ? nil : "See \(labels.map { "“\($0)”" }.joined(separator: ", "))."
        let words = [other ?? (labels.isEmpty ? fields.values.first : nil), places].compactMap { $0 }
        return (form.marked(fields), Notice("Nothing was changed. \(words.joined(separator: " "))", .bad))
    }
}
