import Foundation
import Testing

@testable import QuartermasterClient

/// The page with the keys by which an app translates the library's errors.
@Suite struct ErrorTextsTests {
    @Test func `The page lists each key with its text, and no other`() throws {
        let rows = try ErrorsPage().rows(under: "Texts")
        let listed = rows.map { ($0["key", default: ""], $0["English", default: ""]) }
        let known = ErrorTexts.english.map { ("quartermaster.\($0.key)", $0.value) }
        #expect(listed.count == known.count)
        #expect(Dictionary(listed, uniquingKeysWith: { $1 }) == Dictionary(known, uniquingKeysWith: { $1 }))
    }

    @Test func `Each error has one of the texts`() {
        let problem = ServerProblem(status: 409, code: .insufficientBalance)
        let errors: [any LocalizedError] = [
            ConnectionError.notConnected, ConnectionError.timedOut, DownloadError.stale, DownloadError.refused(problem),
            problem, ServerProblem(status: 500), CredentialsUnavailable(status: -25_308),
            CredentialsUnavailable(status: 0), EntitlementRefusal.older, FolderInUse(),
            NewerFileError(name: "spends.json"), NoAccount(), PaymentsUnavailable(), ShopUnavailable(),
            ProductUnavailable(productID: "hints"), SignedOut(), SpendPending(key: UUID()),
        ]
        let texts = Set(ErrorTexts.english.values)
        for error in errors { #expect(error.errorDescription.map(texts.contains) == true, "\(error)") }
        #expect(problem.localizedDescription == "There are not enough credits.")
    }
}
