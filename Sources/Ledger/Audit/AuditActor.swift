/// An actor other than a player: `admin:<token name>` over HTTP, `command:<user>` on the server's machine.
package struct AuditActor: Hashable, Sendable {
    package let name: String

    /// The holder of an admin token.
    package static func admin(_ token: AdminToken) -> AuditActor { AuditActor(name: "admin:\(token.name)") }

    /// A user of the operating system who ran a command.
    package static func command(user: String) -> AuditActor { AuditActor(name: "command:\(user)") }
}
