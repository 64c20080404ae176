import ArgumentParser
import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

extension AuditCommand {
    struct Erase: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Erase the content of audit trail rows permanently.",
            discussion: """
                Hashes and seals stay, so the trail can still be verified. A sealed row is appended that records which \
                rows were erased, by whom and why; without such a row `audit verify` fails. Use --rows to record rows \
                that were erased by other means.

                Example: quartermaster audit erase --account 946cfa6b-15d2-4a46-80c4-54ee4b20b092 --reason 'ticket 7'
                Example: quartermaster audit erase --rows 17,20-24 --reason 'erased by hand on Monday'
                """)

        @OptionGroup var options: SettingOptions

        @Option(help: "All rows about this account.", transform: AccountID.argument) var account: AccountID?

        @Option(help: "The rows with these sequence numbers, such as 17,20-24.", transform: RowNumbers.init)
        var rows: RowNumbers?

        @Option(help: "The reason, 1 to 500 characters, recorded in the audit trail.") var reason: String

        @OptionGroup var confirmation: Confirmation
        @Flag(help: "Print JSON.") var json = false

        func validate() throws { _ = try (choice, act(at: Date())) }

        func run(_ program: any ServerProgram) async throws {
            let (choice, date) = (try choice, Date())
            let act = try act(at: date)
            let outcome = try await options.withLedger(program.handlers) { ledger, settings in
                do {
                    let outcome = try await ledger.eraseContent(choice, act)
                    try await ledger.sealTrail(at: date)
                    return outcome
                } catch let refusal as ErasureRefusal {
                    throw CommandError("\(settings.databaseName): \(refusal.text)")
                }
            }
            guard !json else { return print(try Line(outcome).json) }
            confirmation.print("the content of \(outcome.erased.counted("row")) is erased\(outcome.namedText)")
        }

        private var choice: ErasureChoice {
            get throws {
                switch (account, rows) {
                case (let account?, nil): return .account(account)
                case (nil, let rows?): return .rows(rows.ranges)
                default: throw ValidationError("Give either --account or --rows.")
                }
            }
        }

        private func act(at date: Date) throws -> SupportAct {
            guard let act = SupportAct(by: .operatingSystemUser, reason: reason, at: date) else {
                throw ValidationError("--reason: 1 to \(SupportAct.maximumReasonCharacters) characters on one line.")
            }
            return act
        }

        private struct Line: Encodable {
            var erased: Int
            /// The number of rows whose content was gone already.
            var named: Int

            init(_ outcome: ErasureOutcome) {
                erased = outcome.erased
                named = outcome.named
            }
        }
    }

    /// Sequence numbers in the form `17,20-24`.
    struct RowNumbers {
        let ranges: [ClosedRange<Int>]

        init(_ text: String) throws {
            ranges = try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
                let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
                guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil, 1 <= first,
                    first <= last
                else { throw ValidationError("--rows: numbers from 1 on, such as 17,20-24.") }
                return first...last
            }
        }
    }
}

extension ErasureOutcome {
    fileprivate var namedText: String {
        named > 0 ? "; that of \(named) was gone before, and is accounted for now" : ""
    }
}

extension ErasureRefusal {
    fileprivate var text: String {
        switch self {
        case .tellsOfAnErasure(let sequence):
            "row \(sequence) records an erasure and cannot be erased itself. Nothing is erased"
        case .noSuchRow: "there is no row with any of these numbers"
        case .tooManyRows: "more than \(ErasureChoice.maximumRows) rows at once; give fewer. Nothing is erased"
        }
    }
}
