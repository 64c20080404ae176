/// The first contradiction found in an audit trail.
package struct TrailError: Error, Hashable, CustomStringConvertible {
    package enum Place: Hashable, Sendable {
        case row(sequence: Int)
        case position(Int)
        case checkpoint(position: Int)
        /// A line of a file, counted from 1.
        case line(Int)
    }

    package var place: Place
    package var reason: String

    package init(_ place: Place, _ reason: String) {
        self.place = place
        self.reason = reason
    }

    /// The place and the reason, in one line.
    package var description: String {
        switch place {
        case .row(let sequence): "row \(sequence): \(reason)"
        case .position(let position): "position \(position): \(reason)"
        case .checkpoint(let position): "checkpoint \(position): \(reason)"
        case .line(let number): "line \(number): \(reason)"
        }
    }
}
