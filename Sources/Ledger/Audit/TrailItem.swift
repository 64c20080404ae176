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
