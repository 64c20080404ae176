package import InAppPurchase

/// The accounts of a list that are given something, and the lines that give nobody anything.
package struct GiftPlan: Sendable {
    /// The reason why a line gives nobody anything.
    package enum Obstacle: CaseIterable, Sendable {
        /// There is no such account.
        case unknown
        case blocked
        /// The account has it already, by an earlier run or otherwise.
        case alreadyHad
        /// An earlier line names the same account.
        case repeated
        /// The account has as many grants as can stand at the same time.
        case full
    }

    package private(set) var accounts: [AccountID] = []
    private var lines: [Obstacle: [Int]] = [:]

    mutating func add(_ account: AccountID) { accounts.append(account) }

    mutating func pass(over line: Int, for obstacle: Obstacle) { lines[obstacle, default: []].append(line) }

    /// The numbers of the lines, from 1, that give nobody anything for this reason.
    package func lines(_ obstacle: Obstacle) -> [Int] { lines[obstacle] ?? [] }
}
