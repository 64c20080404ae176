import Foundation
import TestSupport
import Testing

@testable import QuartermasterClient

@Suite("A transaction is finished when the server says so, and never else", .enabled(if: ShopServer.isBuilt))
struct FinishTests {
    /// Rows of docs/app/errors.md that no purchase in the simulated App Store leads to, and why.
    private static let outOfReach = [
        "denied/notStarted": "needs two products of one group, and the shop has one of each",
        "rejected/environment": "Xcode signs such, with a certificate of its own",
        "rejected/otherDevice": "needs an app receipt with deviceIdentifier, and the client sends signed transactions",
        "rejected/appAppleID": "needs an app receipt: a signed transaction does not tell the app's number",
        "rejected/notFound": "a transaction ID waits for a day before",
        "rejected/unsupported": "needs a transaction ID where there is no key; the client sends signed transactions",
    ]

    @Test func `A purchase for each row of the errors page is finished only where the page says so`() async throws {
        let page = try ErrorsPage()
        let rejections = try page.rejections().map { ("rejected/\($0)", false) }
        let rows = try page.outcomes().merging(rejections) { first, _ in first }
        #expect(rows.count > 20)
        let stage = try await FinishStage()
        let cases = await stage.cases
        for (row, mayFinish) in rows.sorted(by: { $0.key < $1.key }) {
            guard let play = cases[row] else {
                #expect(Self.outOfReach[row] != nil, "there is no case for \(row)")
                continue
            }
            let sent = try await play(stage)
            let outcome = await sent.engine.submit(sent.transaction)
            #expect(outcome.row == row)
            #expect(await sent.engine.isQueued(sent.transaction.id) == !mayFinish, "\(row)")
            if sent.isOfStore {
                #expect(try await stage.isFinished(sent.transaction, of: sent.customer) == mayFinish, "\(row)")
            }
        }
        #expect(Set(cases.keys).union(Self.outOfReach.keys) == Set(rows.keys))
        try await stage.end()
    }

    @Test func `The 'finish' of an answer is obeyed in each row of the errors page`() throws {
        let page = try ErrorsPage()
        for (row, mayFinish) in try page.outcomes() {
            let parts = row.split(separator: "/")
            let reason = parts.count > 1 ? #", "reason": "\#(parts[1])""# : ""
            let answer = try JSONDecoder().decode(
                ReceiptAnswer.self,
                from: Data(
                    #"""
                    {"receipt": "r_1", "status": "verified", "finish": \#(mayFinish), "transactions": [
                        {"id": "7", "product": "words", "outcome": "\#(parts[0])"\#(reason), "finish": \#(mayFinish)}]}
                    """#.utf8))
            let outcome = ReceiptOutcome(answer, for: "7", retryAfter: nil)
            #expect((outcome.next == .done) == mayFinish && outcome.finished == (mayFinish ? ["7"] : []), "\(row)")
        }
        for reason in try page.rejections() {
            let words = #""reason": "\#(reason)", "finish": true"#
            var problem = try JSONDecoder().decode(
                ServerProblem.self, from: Data("{\"code\": \"receipt_rejected\", \(words)}".utf8))
            problem.status = 422
            // Also where a server says so: it has not judged the transaction.
            let outcome = ReceiptOutcome(problem)
            #expect(outcome.next == .refused && outcome.finished.isEmpty, "\(reason)")
            #expect(outcome.result == .denied(reason: DenialReason(rawValue: reason), remedy: nil))
            let answer = try JSONDecoder().decode(
                ReceiptAnswer.self, from: Data("{\"receipt\": \"r_1\", \"status\": \"rejected\", \(words)}".utf8))
            let looked = ReceiptOutcome(answer, for: "7", retryAfter: nil)
            #expect(looked.next == .refused && looked.finished.isEmpty, "\(reason)")
        }
    }

    @Test func `A restored receipt is finished only if it was verified`() throws {
        for (status, mayFinish) in [("verified", true), ("rejected", false), ("conflict", false), ("pending", false)] {
            let restored = try JSONDecoder().decode(
                RestoredReceipt.self, from: Data("{\"status\": \"\(status)\", \"finish\": true}".utf8))
            #expect(restored.mayFinish == mayFinish)
        }
    }

    @Test(arguments: [
        (400, ReceiptOutcome.Next.refused), (403, .refused), (404, .refused), (405, .refused), (409, .keep),
        (413, .tooLarge), (422, .refused),
        (429, .retry(after: nil)), (500, .retry(after: nil)), (503, .retry(after: nil)), (599, .retry(after: nil)),
    ])
    func `A problem without 'finish' finishes nothing`(status: Int, next: ReceiptOutcome.Next) {
        let outcome = ReceiptOutcome(ServerProblem(status: status))
        #expect(outcome.next == next)
        #expect(outcome.finished.isEmpty)
    }

    @Test func `An answer without 'finish' and with an unknown outcome finishes nothing`() throws {
        let answer = try JSONDecoder().decode(
            ReceiptAnswer.self,
            from: Data(
                #"{"receipt": "r", "status": "verified", "transactions": [{"id": "7", "outcome": "invented"}]}"#.utf8))
        let outcome = ReceiptOutcome(answer, for: "7", retryAfter: nil)
        #expect(outcome.next == .keep && outcome.finished.isEmpty)
        #expect(outcome.result == .denied(reason: "invented", remedy: nil))
    }
}

extension ReceiptOutcome {
    /// The row of the errors page that belongs to the result.
    fileprivate var row: String {
        switch result {
        case .delivered: "delivered"
        case .alreadyDelivered: "alreadyDelivered"
        case .denied(let reason, _): isRejection ? "rejected/\(reason)" : "denied/\(reason)"
        default: "\(result)"
        }
    }

    private var isRejection: Bool { !changesEntitlements }
}
