import Foundation
import TestSupport
import Testing

@testable import InAppPurchase

/// The groups into which a placement divides accounts.
@Suite struct PlacementGroupTests {
    private static func placement(_ text: String) throws -> Placement {
        try JSONDecoder().decode(Placement.self, from: Data(text.utf8))
    }

    private static let examples: [(String, [ClosedRange<Int>], [[Int]])] = [
        (#"["a", "b"]"#, [0...99], [[1]]), ("[]", [0...99], [[1]]),
        (#"[{"products": ["a"], "when": {"buckets": [0, 49]}}, {"products": ["b"]}]"#, [0...49, 50...99], [[1], [2]]),
        (
            #"[{"products": ["a"], "when": {"buckets": [0, 49], "storefronts": ["DEU"]}}, {"products": ["b"]}]"#,
            [0...49, 50...99], [[1, 2], [2]]
        ),
        // Nobody is offered the second.
        (#"[{"products": ["a"]}, {"products": ["b"], "when": {"buckets": [0, 49]}}]"#, [0...99], [[1]]),
        (
            #"[{"products": ["a"], "when": {"buckets": [20, 39]}}, {"products": [], "when": {"buckets": [40, 59]}}]"#,
            [0...19, 20...39, 40...59, 60...99], [[], [1], [2], []]
        ),
    ]

    @Test(arguments: examples)
    func `A placement has a group for each part that is offered other variants`(
        text: String, buckets: [ClosedRange<Int>], variants: [[Int]]
    ) throws {
        let groups = try Self.placement(text).groups
        #expect(groups.map(\.buckets) == buckets)
        #expect(groups.map(\.variants) == variants)
        #expect(groups.map(\.share).reduce(0, +) == 100)
    }

    @Test func `What a client is offered is a variant of its group`() throws {
        var generator = SeededGenerator(seed: 47)
        for _ in 0..<200 {
            let variants = (0..<Int.random(in: 0...4, using: &generator)).map { number in
                let first = Int.random(in: 0...99, using: &generator)
                let last = Int.random(in: first...99, using: &generator)
                let stores = generator.flip() ? #", "storefronts": ["DEU"]"# : ""
                let condition = generator.flip() ? #", "when": {"buckets": [\#(first), \#(last)]\#(stores)}"# : ""
                return #"{"products": ["\#(number)"]\#(condition)}"#
            }
            let placement = try Self.placement("[\(variants.joined(separator: ", "))]")
            let groups = placement.groups
            #expect(groups.flatMap { Array($0.buckets) } == Array(0...99), "\(variants)")
            for bucket in 0...99 {
                let group = try #require(groups.first { $0.buckets.contains(bucket) })
                let offered = ["DEU", "USA"].compactMap { store in
                    placement.variant(for: .init(storefront: store), bucket: bucket, at: .distantPast)?.products.first
                }
                let numbers = Set(offered.compactMap { Int($0.text) }.map { $0 + 1 })
                #expect(numbers.isSubset(of: group.variants), "\(variants), \(bucket)")
            }
        }
    }
}
