/// What tells one series of a family from the others, as it is written: sorted by name, values escaped.
struct Labels: Hashable, Comparable, Sendable {
    /// `method="GET",status="200"`; empty where there are none.
    let text: String

    /// An empty value is the same as no label (https://prometheus.io/docs/concepts/data_model/). Of two labels with one
    /// name the first stays: a scrape with both would be refused whole.
    init(_ dimensions: [(String, String)]) {
        let pairs = dimensions.filter { !$0.1.isEmpty }.map { (name: $0.0.labelName, value: $0.1) }
        let values = Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
        text = values.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value.escapedValue)\"" }
            .joined(separator: ",")
    }

    private init(text: String) { self.text = text }

    /// With one more, which comes last: the bound of a bucket.
    func adding(_ name: String, _ value: String) -> Labels {
        Labels(text: text + (text.isEmpty ? "" : ",") + "\(name)=\"\(value)\"")
    }

    static func < (left: Labels, right: Labels) -> Bool { left.text < right.text }
}

extension String {
    /// Names with two underscores are Prometheus' own; `le` is the bound of a bucket.
    fileprivate var labelName: String {
        let name = prometheusName
        return name.hasPrefix("__") || name == "le" ? "label_" + name : name
    }

    /// Within the quotes of a label.
    var escapedValue: String { escaped(["\\": "\\\\", "\"": "\\\"", "\n": "\\n"]) }

    /// In a HELP line.
    var escapedHelp: String { escaped(["\\": "\\\\", "\n": "\\n"]) }

    /// By scalars: `\r\n` is one character, and its line feed would end the line.
    private func escaped(_ escapes: [Unicode.Scalar: String]) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if let escape = escapes[scalar] { text += escape } else { text.unicodeScalars.append(scalar) }
        }
    }
}
