package import Basics
package import Content
import Crypto
package import Foundation
package import Logging
package import ServerHTTP

/// The keys that links to content are signed with.
package typealias GrantKeyring = Keyring<GrantKeys>

extension Keyring where Keys == GrantKeys {
    /// - Throws: what the key-value store throws.
    package convenience init(
        _ store: any KeyValueStore, random: @escaping RandomBytes, clock: @escaping @Sendable () -> Date, logger: Logger
    ) async throws {
        try await self.init("grant", logger: logger) {
            try await GrantKeys.load(from: store, at: clock()) { SymmetricKey(data: random(32)) }
        }
    }

    package var signer: GrantSigner { GrantSigner(keys: keys) }
}
