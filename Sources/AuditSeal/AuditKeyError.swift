/// What is stored under this name is no key of ours.
package struct AuditKeyError: Error, CustomStringConvertible {
    package var name: String

    package var description: String { "\(name) is no key of the audit trail" }
}
