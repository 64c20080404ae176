/// What a trail is made of, in the order in which it is checked.
package enum TrailItem: Sendable {
    /// Comes first. The place in the chain before the first item; nil where the trail begins with position 1.
    case beginning(after: ChainPosition?)
    /// A row with its seal; nil where it has none yet.
    case row(AuditRow, Seal?)
    /// A seal whose row is gone.
    case rowless(Seal)
    case checkpoint(Checkpoint)
    /// Comes last. The highest sequence number that is known to have been given to a row; nil where none was kept.
    case end(highest: Int?)
}
