import Foundation
import InAppPurchase
import Ledger
import Logging
import NIOCore
import ServerHTTP

/// Records of bytes that are not accepted.
extension ReceiptIntake {
    /// Records the hash and length of bytes that are no receipt, and returns the receipt ID of that record.
    func recordUnreadable(_ bytes: ByteBuffer, _ reason: String, from account: AccountID) async throws -> String {
        let digest = try await LargeBodies.shared.run(bytes: bytes.readableBytes) { bytes.sha256 }
        return try await record(.whole(digest: digest, length: bytes.readableBytes), reason, from: account)
    }

    /// Like ``recordUnreadable(_:_:from:)``, for a request that is refused in any case: a failure is logged, and does
    /// not change the answer.
    ///
    /// - Returns: `nil` if nothing could be recorded.
    @discardableResult
    func recordRefusal(of bytes: ByteBuffer, _ reason: String, from account: AccountID) async -> String? {
        await orLogged(reason) { try await recordUnreadable(bytes, reason, from: account) }
    }

    /// Records the refusal of a body that was not read to its end.
    ///
    /// - Parameter announced: the length that the client announced; `nil` if it announced none.
    func recordRefusal(ofUnread announced: Int?, _ reason: String, from account: AccountID) async {
        await orLogged(reason) { try await record(.unread(announcedLength: announced), reason, from: account) }
    }

    private func record(_ bytes: UnreadableBytes, _ reason: String, from account: AccountID) async throws -> String {
        let now = decisions.clock()
        let id = Names.receipt(random, at: now)
        try await ledger.recordUnreadable(bytes, id: id, reason: reason, from: account, at: now)
        return id
    }

    @discardableResult
    private func orLogged(_ reason: String, _ record: () async throws -> String) async -> String? {
        do {
            return try await record()
        } catch {
            lines.log(
                .init("the refusal of a receipt cannot be recorded"), .error,
                metadata: ["reason": "\(reason)", "error": "\(error)"], to: logger)
            return nil
        }
    }
}
