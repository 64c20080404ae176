/// A version of a bundle (Semantic Versioning 2.0.0) or of an app, which may have fewer than three numbers.
struct SemanticVersion: Sendable, Hashable, Comparable {
    private let numbers: [UInt64]
    private let prerelease: [Substring]

    /// `nil` if the string is not a version. Build metadata is left out, since it has no precedence.
    init?(_ text: String) {
        guard text.utf8.count <= 255 else { return nil }
        let core = text.prefix { $0 != "+" }
        let parts = core.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first else { return nil }
        let texts = first.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = texts.compactMap { $0.allSatisfy(\.isASCIIDigit) ? UInt64($0) : nil }
        guard numbers.count == texts.count, (1...4).contains(numbers.count) else { return nil }
        self.numbers = numbers + Array(repeating: 0, count: 4 - numbers.count)
        prerelease = parts.count > 1 ? parts[1].split(separator: ".", omittingEmptySubsequences: false) : []
        guard prerelease.allSatisfy({ !$0.isEmpty }) else { return nil }
    }

    /// Compares by precedence: a pre-release is below its release, and numbers in it are below words.
    static func < (left: Self, right: Self) -> Bool {
        if left.numbers != right.numbers { return left.numbers.lexicographicallyPrecedes(right.numbers) }
        if left.prerelease.isEmpty || right.prerelease.isEmpty {
            return !left.prerelease.isEmpty && right.prerelease.isEmpty
        }
        for (one, other) in zip(left.prerelease, right.prerelease) where one != other {
            switch (UInt64(one), UInt64(other)) {
            case (let one?, let other?): return one < other
            case (_?, nil): return true
            case (nil, _?): return false
            case (nil, nil): return one.utf8.lexicographicallyPrecedes(other.utf8)
            }
        }
        return left.prerelease.count < right.prerelease.count
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
