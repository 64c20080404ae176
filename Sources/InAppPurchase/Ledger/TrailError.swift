/// The first thing in an audit trail that does not fit.
public struct TrailError: Error, Hashable, CustomStringConvertible {
    public enum Place: Hashable, Sendable {
        case row(sequence: Int)
        case position(Int)
        case checkpoint(position: Int)
        /// Of a file, from 1.
        case line(Int)
    }

    public var place: Place
    public var reason: String

    public init(_ place: Place, _ reason: String) {
        self.place = place
        self.reason = reason
    }

    /// One line: what and where.
    public var description: String {
        switch place {
        case .row(let sequence): "row \(sequence): \(reason)"
        case .position(let position): "position \(position): \(reason)"
        case .checkpoint(let position): "checkpoint \(position): \(reason)"
        case .line(let number): "line \(number): \(reason)"
        }
    }
}
