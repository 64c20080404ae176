/// The status and the header fields of an answer.
struct HTTPHead: Sendable {
    let status: Int
    /// The fields by their names in lower case.
    let headers: [String: String]

    subscript(_ name: String) -> String? { headers[name.lowercased()] }
}
