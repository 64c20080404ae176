/// The accounts to which a placement offers the same variants: those in some of its buckets.
package struct PlacementGroup: Hashable, Sendable {
    package var buckets: ClosedRange<Int>
    /// The numbers of the variants, from 1, in the order of the catalog. An account is offered the first whose other
    /// conditions fit its client; if there are none, nothing.
    package var variants: [Int]

    /// The number of buckets, which is the group's share of all accounts in percent.
    package var share: Int { buckets.count }
}

extension Placement {
    /// The groups into which it divides accounts, in the order of their buckets; one if it does not divide them.
    package var groups: [PlacementGroup] {
        let all = PlacementCondition.allBuckets
        let bounds = variants.map(\.condition.buckets).flatMap { [$0.lowerBound, $0.upperBound + 1] }
        let starts = Set(bounds + [all.lowerBound]).filter(all.contains).sorted()
        let ends = starts.dropFirst().map { $0 - 1 } + [all.upperBound]
        return zip(starts, ends).reduce(into: []) { groups, bounds in
            let offered = numbers(ofVariantsFor: bounds.0)
            let first = groups.last?.variants == offered ? groups.removeLast().buckets.lowerBound : bounds.0
            groups.append(PlacementGroup(buckets: first...bounds.1, variants: offered))
        }
    }

    /// Every product that one of the variants offers.
    package var products: Set<ProductID> { Set(variants.flatMap(\.products)) }

    /// The variants that accounts in a bucket may be offered: none comes after one without other conditions.
    private func numbers(ofVariantsFor bucket: Int) -> [Int] {
        let found = variants.enumerated().filter { $0.element.condition.buckets.contains(bucket) }
        let last = found.firstIndex { $0.element.condition.hasOnlyBuckets }
        return found.prefix(last.map { $0 + 1 } ?? found.count).map { $0.offset + 1 }
    }
}

extension PlacementCondition {
    /// Whether every client in one of the buckets fulfils it at all times.
    fileprivate var hasOnlyBuckets: Bool { maximumAppVersion == nil && availability == Availability() }
}
