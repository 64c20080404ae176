extension KeyedDecodingContainer {
    /// Decodes a setting that is, or holds, whole numbers; `nil` if it is absent or null.
    ///
    /// Foundation's `JSONDecoder` loses the path if a number is not whole or does not fit (`1.5`, `1e30`). A handler
    /// that decodes its numbers by this function gives the operator the path to the error.
    ///
    /// - Throws: `DecodingError` with the path to `key`.
    public func decodeWholeNumbersIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        do {
            return try decodeIfPresent(type, forKey: key)
        } catch  where !(error is DecodingError) {
            throw invalid(key, "a number that is not whole, or too large")
        }
    }

    /// Decodes a setting that is a whole number; `nil` if it is absent or null.
    ///
    /// - Throws: `DecodingError` with the path to `key`, also if the number is out of bounds.
    public func decodeWholeNumberIfPresent(in bounds: ClosedRange<Int>, forKey key: Key) throws -> Int? {
        let number = try decodeWholeNumbersIfPresent(Int.self, forKey: key)
        guard number.map(bounds.contains) ?? true else {
            throw invalid(key, "a number from \(bounds.lowerBound) to \(bounds.upperBound)")
        }
        return number
    }
}
