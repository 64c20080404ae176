/// The type of a JSON value.
package enum JSONKind: UInt8, Sendable {
    case null, bool, number, string, array, object
}
