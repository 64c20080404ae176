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

/// An item of an audit trail. Items are read in the order in which they are verified.
package enum TrailItem: Sendable {
    /// The first item: the position in the chain before the rows that follow; `nil` if the trail begins with position
    /// 1.
    case beginning(after: ChainPosition?)
    /// A row with its seal; `nil` if it is not sealed yet.
    case row(AuditRow, Seal?)
    /// A seal whose row is missing.
    case rowless(Seal)
    case checkpoint(Checkpoint)
    /// The last item: the highest sequence number that is known to have been given to a row; `nil` if none was stored.
    case end(highest: Int?)
}
