import Content
import TestSupport
import Testing

/// Range headers of all kinds, compared with a model that says in one expression what a range is.
@Suite struct ByteRangeModelTests {
    /// One range of RFC 9110 §14.1.2, with empty list elements around it (§5.6.1.2).
    private static var form: Regex<(Substring, Substring, Substring)> {
        /(?i)bytes=(?:[ \t]*(?:,[ \t]*)+)?([0-9]*)-([0-9]*)(?:[ \t]*(?:,[ \t]*)+)?/.matchingSemantics(.unicodeScalar)
    }

    /// - Parameter form: ``form``, which takes longer to make than to match.
    private static func model(
        _ header: String, size: Int, _ form: Regex<(Substring, Substring, Substring)>
    ) -> ByteRange {
        guard let match = header.wholeMatch(of: form) else { return .whole }
        func number(_ digits: Substring) -> Int? { digits.isEmpty ? nil : Int(digits) ?? .max }
        let first: Int
        var last = size - 1
        switch (number(match.1), number(match.2)) {
        case (nil, nil): return .whole
        case (nil, let suffix?): first = suffix == 0 ? size : max(0, size - suffix)
        case (let from?, nil): first = from
        case (let from?, let to?):
            if to < from { return .whole }
            (first, last) = (from, min(to, last))
        }
        return first < size ? .part(first: first, last: last) : .unsatisfiable
    }

    @Test(arguments: [11, 12, 13, 14] as [UInt64]) func `Ranges are those of a model of the RFC`(seed: UInt64) {
        let form = Self.form
        var generator = SeededGenerator(seed: seed)
        var seen = (parts: 0, wholes: 0, others: 0)
        for _ in 0..<25_000 {
            let header = HeaderFuzzTests.range(using: &generator)
            let size = HeaderFuzzTests.sizes.randomElement(using: &generator) ?? 0
            let range = ByteRange(header, size: size)
            if range != Self.model(header, size: size, form) {
                Issue.record("\(header.debugDescription) of \(size): \(range)")
            }
            switch range {
            case .part: seen.parts += 1
            case .whole: seen.wholes += 1
            case .unsatisfiable: seen.others += 1
            }
        }
        #expect(seen.parts > 500 && seen.wholes > 500 && seen.others > 500)
    }
}
