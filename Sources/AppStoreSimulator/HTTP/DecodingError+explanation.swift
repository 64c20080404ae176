extension DecodingError {
    /// The path to the mistake and its description: `quantity: expected 1 to 10`.
    var explanation: String {
        let (path, text) = parts
        let place = path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
        return place.isEmpty ? text : "\(place): \(text)"
    }

    private var parts: ([any CodingKey], String) {
        switch self {
        case .keyNotFound(let key, let context): (context.codingPath + [key], "missing")
        case .valueNotFound(_, let context): (context.codingPath, "missing")
        case .typeMismatch(_, let context), .dataCorrupted(let context):
            (context.codingPath, context.debugDescription)
        @unknown default: ([], "cannot be read")
        }
    }
}
