import Content
import TestSupport
import Testing

/// Anybody may send any header: none traps, and every part lies within the file.
@Suite struct HeaderFuzzTests {
    static let ranges = [
        "bytes=", "bytes", "BYTES=", "=", "-", "-", "-", ",", " ", "\t", "0", "1", "5", "9", "007", "255", "1024", "+",
        "0x", "9223372036854775807", "9223372036854775808", "18446744073709551616", "99999999999999999999999", "e",
        "é", "\u{301}", "\r\n", "\0", "٣", "👩‍👩‍👧", "lines=",
    ]
    /// Most combinations of these are ranges.
    static let numbers = ["-", "-", "0", "1", "9", "255", "9223372036854775808"]
    static let tags = [
        "\"", "\"", "W/", "w/", "*", ",", ",", " ", "\t", "abc", "\"abc\"", "W/\"abc\"", "x", "é", "\u{301}", "\0",
        "\u{7F}", "Fri, 20 Nov 2026 21:37:00 GMT",
    ]
    static let sizes = [0, 1, 2, 10, 255, 1024, 1 << 32, Int.max - 1, Int.max]

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func `Any Range header gives a part within the file`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var parts = 0
        for _ in 0..<30_000 {
            let header = Self.range(using: &generator)
            let size = Self.sizes.randomElement(using: &generator) ?? 0
            guard case .part(let first, let last) = ByteRange(header, size: size) else { continue }
            parts += 1
            if first < 0 || first > last || last >= size { Issue.record("\(header.debugDescription) of \(size)") }
        }
        #expect(parts > 500)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `The outcome of a conditional request follows from its headers`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var seen: [Preconditions.Outcome: Int] = [:]
        for _ in 0..<30_000 {
            let conditions = Self.conditions(using: &generator)
            let method = ["GET", "GET", "HEAD", "POST"].randomElement(using: &generator) ?? "GET"
            let size = Self.sizes.randomElement(using: &generator) ?? 0
            let outcome = conditions.outcome(method: method, etag: "abc", size: size)
            if !Self.follows(outcome, from: conditions, method: method, size: size) {
                Issue.record("\(conditions) \(method) \(size): \(outcome)")
            }
            seen[outcome, default: 0] += 1
        }
        for outcome in [Preconditions.Outcome.whole, .notModified, .preconditionFailed, .rangeNotSatisfiable] {
            #expect(seen[outcome, default: 0] > 100, "\(outcome)")
        }
    }

    private static func conditions(using generator: inout SeededGenerator) -> Preconditions {
        func header(_ odds: Int, _ make: (inout SeededGenerator) -> String) -> String? {
            Int.random(in: 0..<odds, using: &generator) == 0 ? make(&generator) : nil
        }
        return Preconditions(
            ifMatch: header(4) { $0.text(of: tags, upTo: 5) },
            ifNoneMatch: header(4) { $0.text(of: tags, upTo: 5) },
            ifRange: header(4) { $0.text(of: tags, upTo: 2) },
            range: header(1) { range(using: &$0) })
    }

    static func range(using generator: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: generator.text(of: ranges, upTo: 7)
        case 1: "bytes=" + generator.text(of: ranges, upTo: 7)
        default: "bytes=" + generator.text(of: numbers, upTo: 3)
        }
    }

    private static func follows(
        _ outcome: Preconditions.Outcome, from conditions: Preconditions, method: String, size: Int
    ) -> Bool {
        switch outcome {
        case .whole: true
        case .part(let first, let last):
            method == "GET" && conditions.range != nil && 0 <= first && first <= last && last < size
        case .rangeNotSatisfiable: method == "GET" && conditions.range != nil
        case .notModified: method != "POST" && conditions.ifNoneMatch?.contains(/\*|"abc"/) == true
        case .preconditionFailed: conditions.ifMatch != nil || (method == "POST" && conditions.ifNoneMatch != nil)
        }
    }
}
