/// Why nothing is erased.
package enum ErasureRefusal: Error, Hashable, Sendable {
    /// The row tells of an erasure: without its content, what it names would be erased without a word.
    case tellsOfAnErasure(sequence: Int)
    /// There is no row with any of the numbers.
    case noSuchRow
    /// More than ``ErasureChoice/maximumRows`` by their numbers.
    case tooManyRows
}
