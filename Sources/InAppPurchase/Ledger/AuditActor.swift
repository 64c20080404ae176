/// Who acts on the server besides players: `admin:<token name>` over HTTP, `command:<user>` on the server's machine.
public struct AuditActor: Hashable, Sendable {
    public let name: String

    /// The holder of an admin token.
    public static func admin(_ token: AdminToken) -> AuditActor { AuditActor(name: "admin:\(token.name)") }

    /// A user of the operating system who ran a command.
    public static func command(user: String) -> AuditActor { AuditActor(name: "command:\(user)") }
}
