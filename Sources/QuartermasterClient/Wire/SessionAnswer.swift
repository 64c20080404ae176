import Foundation

/// The answer to `POST /v1/accounts` and `POST /v1/sessions`.
struct SessionAnswer: Decodable, Sendable {
    let account: UUID
    let accessToken: String
    /// The recovery code, only of a new account.
    let recoveryCode: String?
}
