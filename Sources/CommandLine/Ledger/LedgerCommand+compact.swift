import ArgumentParser
import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

extension LedgerCommand {
    struct Compact: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Compact the receipts that earlier releases stored.",
            discussion: """
                Earlier releases stored each receipt as it was sent, three quarters of it the same certificates. \
                Verified receipts are packed page by page, and each is read back and compared before its page is \
                committed. You can run this while a server is serving. If the command is interrupted, run it again to \
                continue.

                At the end, an SQLite file is rewritten to make it smaller. This needs as much free disk space as the \
                ledger takes; meanwhile, a server's writes wait or are answered with 503. With --keep-file this step \
                is skipped, and the freed space is reused for new data. PostgreSQL reuses the space by itself after \
                its next vacuum.

                Example: quartermaster ledger compact --database var/ledger.sqlite
                """)

        @OptionGroup var options: SettingOptions
        @OptionGroup var confirmation: Confirmation

        @Flag(help: "Do not rewrite an SQLite file at the end.") var keepFile = false

        /// The maximum number of receipts in one commit.
        static let pageLength = 200

        func run(_ program: any ServerProgram) async throws {
            let settings = try await options.settings()
            let ledger = try LedgerOpener.openExisting(settings.database, handlers: program.handlers)
            let line = ProgressLine.onTerminal(clock: { Date() })
            defer { line?.clear() }
            let sum = try await CommandError.naming(settings.databaseName) {
                let sum = try await compact(ledger, line)
                if !keepFile {
                    line?.begin("writing the file anew")
                    try await ledger.reclaimSpace()
                }
                return sum
            }
            line?.clear()
            let (receipts, bytes) = (sum.packed.counted("receipt"), sum.bytesBefore.counted("byte"))
            confirmation.print("\(receipts) packed: \(bytes) before, \(sum.bytesAfter) now")
        }

        private func compact(_ ledger: any LedgerMaintenance, _ line: ProgressLine?) async throws -> CompactedReceipts {
            var sum = CompactedReceipts(last: nil, lookedAt: 0, packed: 0, bytesBefore: 0, bytesAfter: 0)
            line?.begin("packing receipts")
            while true {
                let page = try await ledger.compactReceipts(after: sum.last ?? "", atMost: Self.pageLength)
                guard let last = page.last else { return sum }
                sum = CompactedReceipts(
                    last: last, lookedAt: sum.lookedAt &+ page.lookedAt, packed: sum.packed &+ page.packed,
                    bytesBefore: sum.bytesBefore &+ page.bytesBefore, bytesAfter: sum.bytesAfter &+ page.bytesAfter)
                line?.show(.lookedAt(receipts: sum.lookedAt))
            }
        }
    }
}
