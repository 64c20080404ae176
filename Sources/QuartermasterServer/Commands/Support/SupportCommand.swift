import ArgumentParser

struct SupportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "support", abstract: "Help players: transfers, credits, blocks, sessions, sandbox.",
        discussion: """
            Every act needs --reason, and is recorded in the audit trail. With --dry-run it says what it would change, and \
            changes nothing. A server may be serving meanwhile.
            """,
        subcommands: [
            Transfer.self, UndoTransfer.self, Credit.self, Block.self, Unblock.self, SessionsRevoke.self,
            Extend.self, NewRecoveryCode.self, Tester.self, Beta.self, SandboxReset.self,
        ])
}
