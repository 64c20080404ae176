/// A line of a text that is compared with another one: in both, or in one of them only.
package struct DifferenceLine: Sendable {
    package var added: String?
    package var removed: String?
    package var same: String?

    private init(added: String? = nil, removed: String? = nil, same: String? = nil) {
        self.added = added
        self.removed = removed
        self.same = same
    }

    package static func added(_ text: String) -> DifferenceLine { DifferenceLine(added: text) }
    package static func removed(_ text: String) -> DifferenceLine { DifferenceLine(removed: text) }
    package static func same(_ text: String) -> DifferenceLine { DifferenceLine(same: text) }
}
