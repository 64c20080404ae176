import AppStore
import Basics
import Crypto
import Foundation
import InAppPurchase
import Ledger
import Logging
import ServerCore
import ServerHTTP
import Synchronization

/// Keeps the App Store's signers that were verified in the ledger, so that after a restart their messages do not wait
/// behind forged ones. Nothing is trusted for it: each process verifies their chains itself.
package final class KnownSigners: PeriodicService {
    static let interval = Duration.seconds(10)
    /// As many as a verifier keeps. Only certificates that lead to a pinned root are recorded.
    static let maximum = 32
    private static let prefix = "signers/"

    private let ledger: any KeyValueStore
    private let verifier: LocalVerifier
    private let clock: @Sendable () -> Date
    private let logger: Logger
    /// The signers that the ledger is known to have.
    private let recorded = Mutex<Set<SignerCertificates>>([])

    init(ledger: any KeyValueStore, verifier: LocalVerifier, clock: @escaping @Sendable () -> Date, logger: Logger) {
        self.ledger = ledger
        self.verifier = verifier
        self.clock = clock
        self.logger = logger
    }

    /// A signer as it is stored.
    private struct Stored: Codable {
        var signer: SignerCertificates
        /// In milliseconds since 1970.
        var recorded: Int
    }

    /// Expects messages of the recorded signers. A ledger that cannot be read is reported: nothing depends on it.
    func load() async {
        do {
            let signers = try await stored().values.map(\.signer)
            for signer in signers { verifier.expect(signer) }
            recorded.withLock { $0.formUnion(signers) }
        } catch {
            logger.error("the store's signers could not be read", metadata: ["error": "\(error)"])
        }
    }

    func runOnce() async { await record() }

    func stop() async { await record() }

    /// Records the signers that were verified since; of too many the oldest are removed.
    func record() async {
        let new = recorded.withLock { verifier.signers.subtracting($0) }
        guard !new.isEmpty else { return }
        do {
            let date = clock().milliseconds
            let values = try new.map { signer in
                (Self.key(of: signer), try JSONEncoder().encode(Stored(signer: signer, recorded: date)))
            }
            try await ledger.set(Dictionary(values) { first, _ in first })
            recorded.withLock { $0.formUnion(new) }
            let old = try await stored().sorted { ($0.value.recorded, $0.key) > ($1.value.recorded, $1.key) }
            try await ledger.removeValues(forKeys: old.dropFirst(Self.maximum).map(\.key))
        } catch {
            logger.error("the store's signers could not be recorded", metadata: ["error": "\(error)"])
        }
    }

    private func stored() async throws -> [String: Stored] {
        try await ledger.values(withPrefix: Self.prefix).compactMapValues {
            try? JSONDecoder().decode(Stored.self, from: $0)
        }
    }

    private static func key(of signer: SignerCertificates) -> String {
        prefix + Data(SHA256.hash(data: signer.leaf + signer.intermediate)).hex
    }
}
