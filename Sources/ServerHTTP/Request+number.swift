import Hummingbird

extension Request {
    /// Returns a query parameter that is a whole number; `nil` if the request does not have it.
    ///
    /// - Throws: ``Problem`` that names the parameter and the range.
    package func number(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = uri.queryParameters[Substring(name)] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Problem.invalidRequest("\(name): a whole number in \(range.lowerBound)...\(range.upperBound)")
        }
        return number
    }

    /// Returns the query parameter `limit`, the entries of a page; `standard` if the request does not have it.
    ///
    /// - Throws: as ``number(_:in:)``.
    package func limit(upTo maximum: Int, default standard: Int) throws -> Int {
        try number("limit", in: 1...maximum) ?? standard
    }
}
