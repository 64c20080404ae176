import AppStore
import ArgumentParser
import Foundation
import InAppPurchase

/// Measures on one core how many pieces of signed data are verified in a second. Only `make bench` runs it.
@main struct VerificationBench: AsyncParsableCommand {
    /// The kind of signed data that is verified repeatedly.
    enum Work: String, CaseIterable, ExpressibleByArgument {
        /// A signed transaction, by a verifier that knows the signer.
        case warm
        /// The same, by a verifier that has never seen the signer.
        case cold
        /// An app receipt, by a verifier that knows the signer.
        case receipt
    }

    /// This many are verified between two looks at the clock.
    private static let batch = 50

    @Argument(help: "What scripts/signed_data.py wrote.") var folder: String
    @Argument var work: Work
    @Option(help: "How long to measure.") var seconds = 1.0

    /// Prints how many were verified, and the seconds that a core spent on them: whatever else used it meanwhile does
    /// not count, as in `openssl speed`.
    func run() async throws {
        let verify = try verification()
        let clock = ContinuousClock()
        for _ in 0..<Self.batch { try await verify() }
        let (began, computedBefore) = (clock.now, Self.computedSeconds)
        var count = 0
        repeat {
            for _ in 0..<Self.batch { try await verify() }
            count += Self.batch
        } while clock.now - began < .seconds(seconds)
        print(count, Self.computedSeconds - computedBefore)
    }

    /// Of all threads of this process.
    private static var computedSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private func verification() throws -> () async throws -> Void {
        let now = Date()
        let (jws, receipt) = (try read("transaction.jws"), try read("receipt.der"))
        let anchors = try TrustAnchors(
            signedDataRoots: [read("jws-root.der")], receiptRoots: [read("receipt-root.der")])
        let (text, base64) = (String(decoding: jws, as: UTF8.self), receipt.base64EncodedString())
        let apps: Set<BundleID> = [BundleID(stored: "com.example.hangman")]
        switch work {
        case .warm:
            let verifier = SignedTransactionVerifier(anchors: anchors)
            return { _ = try await verifier.verify(text, apps: apps, at: now) }
        case .cold:
            return { _ = try await SignedTransactionVerifier(anchors: anchors).verify(text, apps: apps, at: now) }
        case .receipt:
            let verifier = AppReceiptVerifier(anchors: anchors)
            return { _ = try await verifier.verify(base64, at: now) }
        }
    }

    private func read(_ name: String) throws -> Data {
        try Data(contentsOf: URL(filePath: folder).appending(path: name))
    }
}
