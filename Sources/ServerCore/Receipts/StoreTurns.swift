import Basics
import InAppPurchase
import ServerHTTP
import StoreClient

/// Turns at questions to the store about receipts, by address and account: many questions of one client keep nobody
/// else waiting. Transaction IDs, which anybody can make up, have turns of their own.
struct StoreTurns: Sendable {
    /// In all as many as there are connections to one host of the store, with some left for workers. One account has
    /// few, since its receipts are rarely more than one.
    static let receiptLimits = FairTurns.Limits(total: 32, perAddress: 16, perAccount: 4, waiting: 1_000)
    static let transactionIDLimits = FairTurns.Limits(total: 16, perAddress: 8, perAccount: 2, waiting: 1_000)

    /// The store is not asked within less: it may answer later than that, which would look like an outage to the
    /// circuit breaker, and whoever sends restores that use up their time could stop everybody's questions.
    static let minimumTime = Duration.seconds(2)

    let receipts = FairTurns(receiptLimits)
    let transactionIDs = FairTurns(transactionIDLimits)

    /// Asks when it is the turn of the receipt's sender.
    ///
    /// - Parameters:
    ///   - time: the time for the wait and the question.
    ///   - question: asks the store within the rest of the time.
    /// - Returns: `nil` if there was no turn in time, or too little is left of it, or too many wait.
    func ask<Answer: Sendable>(
        about receipt: Receipt, within time: Duration, _ question: (Duration) async -> Answer
    ) async -> Answer? {
        let turns = receipt.kind == .transactionID ? transactionIDs : receipts
        let sender = Sender(address: Sender.current.address, account: receipt.account.text)
        let began = ContinuousClock.now
        guard time >= Self.minimumTime, await turns.enter(for: sender, within: time - Self.minimumTime) else {
            return nil
        }
        defer { turns.release(for: sender) }
        return await question(time - began.duration(to: .now))
    }
}

extension Unavailability {
    /// Too many questions wait for the store.
    static let noTurn = Unavailability(.temporary, "too many questions to the store wait")
}
