import ArgumentParser

struct SupportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "support", abstract: "Help players: transfers, credits, products, blocks, sessions, sandbox.",
        discussion: """
            Every act needs --reason and is recorded in the audit trail. With --dry-run, it prints what it would \
            change without changing anything. You can run these while a server is serving.
            """,
        subcommands: [
            Transfer.self, UndoTransfer.self, Credit.self, Grant.self, RevokeGrant.self, Extend.self, Block.self,
            Unblock.self, SessionsRevoke.self, NewRecoveryCode.self, Tester.self, Beta.self, SandboxReset.self,
        ])
}
