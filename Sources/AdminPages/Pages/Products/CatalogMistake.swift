import Foundation

/// A refusal of the catalog, such as `offers[1].for: one of lapsed, active`.
struct CatalogMistake {
    /// The names of members and the numbers of elements from the entry to the mistake.
    let path: [String]
    let words: String

    /// Words of forms for refusals of the catalog that begin so.
    private static let plainWords: [(start: String, words: String)] = [
        ("missing", "Fill this in."), ("not an ISO 3166-1", "Write each country in three letters, such as DEU."),
        ("not the version of an app", "Write a version such as 1.10."),
        ("not up to three integers", "Write a version such as 1.10."),
        ("a URL with https", "Write an address that begins with https:// and is not too long."),
        ("not after availableFrom", "The end must be after the beginning."),
        ("below minimumAppVersion", "This is below the lowest app version."),
    ]

    init(_ text: String) {
        guard let end = text.range(of: ": "), !text[..<end.lowerBound].contains(" ") else {
            path = []
            words = text
            return
        }
        path = text[..<end.lowerBound].split { ".[]".contains($0) }.map(String.init)
        words = String(text[end.upperBound...])
    }

    /// The refusal in words of a form.
    ///
    /// - Parameters:
    ///   - labels: of the fields, by the names of the members.
    ///   - hint: of the field that it is about.
    func words(_ labels: [(name: String, label: String)], hint: String?) -> String {
        if let plain = Self.plainWords.first(where: { words.hasPrefix($0.start) }) { return plain.words }
        guard !words.hasPrefix("Expected") else { return "This does not fit. \(hint ?? "")" }
        // The other names are words of English, too.
        let unusual = labels.filter { $0.name.contains(where: \.isUppercase) }
        let plain = unusual.reduce(words) { $0.replacing($1.name, with: "“\($1.label)”") }
        return plain.prefix(1).uppercased() + plain.dropFirst() + (plain.hasSuffix(".") ? "" : ".")
    }

    /// An error in JSON with its line and column, which an editor shows too.
    static func plain(_ text: String) -> String {
        text.replacing(/at byte (\d+) \((line \d+, column \d+)\)/) { "in \($0.output.2)" }
            .replacing(/at byte (\d+)/) { "after \($0.output.1) characters" }
    }
}
