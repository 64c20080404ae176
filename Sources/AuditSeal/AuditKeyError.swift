/// The value stored under this name is not a valid key.
package struct AuditKeyError: Error, CustomStringConvertible {
    package var name: String

    package var description: String { "\(name) is no key of the audit trail" }
}
