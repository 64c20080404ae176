import Content
import TestSupport
import Testing

/// Headers made of parts, so that their meaning is known without parsing them.
@Suite struct NegotiationModelTests {
    private struct Member {
        static let codings = ["gzip", "zstd", "dcz", "identity", "*", "br", "x-gzip"]
        static let weights = [
            ("", 1000), (";q=1", 1000), ("; q=1.0", 1000), (";q=0", 0), (";Q=0.000", 0), (" ;q=0.5", 500),
            (";q=0.500", 500), (";\tq=0.05", 50), (";q=0.999", 999), (";q=1.1", nil), (";q=x", nil), (";q", nil),
        ]

        let coding: String
        /// The quality; nil if the member is malformed.
        let weight: Int?
        let text: String

        init(using generator: inout SeededGenerator) {
            coding = Self.codings.randomElement(using: &generator) ?? "*"
            let (suffix, weight) = Self.weights.randomElement(using: &generator) ?? ("", 1000)
            self.weight = weight
            let space = generator.pick("", " ", "\t ")
            text = space + (generator.flip() ? coding : coding.uppercased()) + suffix + space
        }
    }

    /// The rules of RFC 9110 §12.5.3, stated once more.
    private static func weight(of coding: String, in members: [Member]) -> Int? {
        func least(_ name: String) -> Int? { members.filter { $0.coding == name }.compactMap(\.weight).min() }
        if let named = least(coding) ?? (coding == "gzip" ? least("x-gzip") : nil) { return named == 0 ? nil : named }
        if coding == "dcz" { return nil }
        if let any = least("*") { return any == 0 ? nil : any }
        return coding == "identity" ? 0 : nil
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `The chosen representation is that of a model of the RFC`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var seen: [String: Int] = [:]
        for _ in 0..<10_000 {
            let members = (0..<Int.random(in: 0...5, using: &generator)).map { _ in Member(using: &generator) }
            let variants = ContentNegotiationTests.variants.filter { _ in generator.pick(true, false) }
            let hasDictionary = generator.flip()
            let negotiation = ContentNegotiation(
                acceptEncoding: members.map(\.text).joined(separator: ","),
                availableDictionary: hasDictionary ? ContentNegotiationTests.dictionary : nil)
            let choice = negotiation.choice(
                among: variants, size: ContentNegotiationTests.size, sha256: ContentNegotiationTests.file)
            let expected = Self.choice(members, variants, hasDictionary: hasDictionary)
            if choice != expected { Issue.record("\(negotiation): \(choice), not \(expected)") }
            seen[choice.name, default: 0] += 1
        }
        for name in ["identity", "none", "gzip", "zstd", "dcz"] { #expect(seen[name, default: 0] > 200, "\(name)") }
    }

    private static func choice(
        _ members: [Member], _ variants: [ContentVariant], hasDictionary: Bool
    ) -> ContentNegotiation.Choice {
        var best: (choice: ContentNegotiation.Choice, weight: Int)? = weight(of: "identity", in: members)
            .map { (.identity, $0) }
        // From the largest to the smallest, as they are listed there.
        for variant in ContentNegotiationTests.variants where variants.contains(variant) {
            guard variant.encoding != .patch, variant.encoding != .dcz || hasDictionary,
                let weight = weight(of: variant.encoding.rawValue, in: members), weight >= best?.weight ?? 0
            else { continue }
            best = (.variant(variant), weight)
        }
        return best?.choice ?? .notAcceptable
    }
}

extension ContentNegotiation.Choice {
    fileprivate var name: String {
        switch self {
        case .identity: "identity"
        case .notAcceptable: "none"
        case .variant(let variant): variant.encoding.rawValue
        }
    }
}
