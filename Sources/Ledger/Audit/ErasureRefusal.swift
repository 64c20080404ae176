/// The reason why nothing is erased.
package enum ErasureRefusal: Error, Hashable, Sendable {
    /// The row records an erasure: without its content the erasures that it names would no longer be recorded.
    case tellsOfAnErasure(sequence: Int)
    /// No row has any of the sequence numbers.
    case noSuchRow
    /// More than ``ErasureChoice/maximumRows`` rows were chosen by their sequence numbers.
    case tooManyRows
}
