/// The labels of a series in the exposition format: sorted by name, values escaped.
struct Labels: Hashable, Comparable, Sendable {
    /// `method="GET",status="200"`; empty if there are none.
    let text: String

    /// An empty value is the same as no label (https://prometheus.io/docs/concepts/data_model/). Of two labels with one
    /// name the first is kept: Prometheus would refuse a scrape with both.
    init(_ dimensions: [(String, String)]) {
        let pairs = dimensions.filter { !$0.1.isEmpty }.map { (name: $0.0.labelName, value: $0.1) }
        let values = Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
        text = values.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value.escapedValue)\"" }
            .joined(separator: ",")
    }

    private init(text: String) { self.text = text }

    /// The labels with one more, which comes last: the bound of a bucket.
    func adding(_ name: String, _ value: String) -> Labels {
        Labels(text: text + (text.isEmpty ? "" : ",") + "\(name)=\"\(value)\"")
    }

    static func < (left: Labels, right: Labels) -> Bool { left.text < right.text }
}

extension String {
    /// The name as a valid label. Names with two underscores are reserved by Prometheus; `le` is the bound of a bucket.
    fileprivate var labelName: String {
        let name = prometheusName
        return name.hasPrefix("__") || name == "le" ? "label_" + name : name
    }

    /// Escaped for the quotes of a label.
    var escapedValue: String { escaped(["\\": "\\\\", "\"": "\\\"", "\n": "\\n"]) }

    /// Escaped for a HELP line.
    var escapedHelp: String { escaped(["\\": "\\\\", "\n": "\\n"]) }

    /// Escapes Unicode scalars: `\r\n` is one character, and its line feed would end the line.
    private func escaped(_ escapes: [Unicode.Scalar: String]) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if let escape = escapes[scalar] { text += escape } else { text.unicodeScalars.append(scalar) }
        }
    }
}
