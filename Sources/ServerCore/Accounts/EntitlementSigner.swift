import Basics
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import ServerHTTP
import StrictJSON
import Synchronization

/// Signs what an account is entitled to in one app and environment, so that a device can trust it without the server
/// and whoever stands between them. Each is signed once for a change or half of its life, but with a nonce each time.
final class EntitlementSigner: Sendable {
    /// The `typ` of the JWS.
    static let type = "quartermaster-entitlements+jwt"
    /// In characters.
    static let maximumNonce = 64
    /// The maximum bytes of cached signatures, after which the cache starts anew: those that are missing are signed
    /// again.
    static let maximumBytes = 64 << 20

    /// The content of a JWS, and its subject.
    struct Statement {
        var body: EntitlementsBody
        var account: AccountID
        var scope: Scope
        /// The tag of everything in ``body`` but its time.
        var tag: String
        /// How long a device may go without asking again.
        var offlineDays: Int
        var nonce: String?
    }

    private struct Subject: Hashable {
        var account: AccountID
        var scope: Scope
    }

    private struct Signed {
        var tag: String
        /// The number of the key.
        var key: Int
        var at: Date
        var offlineDays: Int
        var jws: String

        func serves(_ statement: Statement, by key: ManifestKey) -> Bool {
            let age = statement.body.at.timeIntervalSince(at)
            return tag == statement.tag && self.key == key.number && offlineDays == statement.offlineDays && age >= 0
                && age < statement.lifetime / 2
        }
    }

    private struct Cache {
        var signed: [Subject: Signed] = [:]
        var bytes = 0

        mutating func insert(_ new: Signed, _ subject: Subject) {
            bytes += new.jws.utf8.count - (signed[subject]?.jws.utf8.count ?? 0)
            if bytes > EntitlementSigner.maximumBytes { self = Cache(bytes: new.jws.utf8.count) }
            signed[subject] = new
        }
    }

    private let keyring: ManifestKeyring
    private let cache = Mutex(Cache())

    init(_ keyring: ManifestKeyring) { self.keyring = keyring }

    /// The JWS in compact serialization, and whether the device may have it already.
    func sign(_ statement: Statement) throws -> (jws: String, isKnown: Bool) {
        let key = keyring.keys.signing(at: statement.body.at)
        let subject = Subject(account: statement.account, scope: statement.scope)
        if statement.nonce == nil, let known = cache.withLock({ $0.signed[subject] }),
            known.serves(statement, by: key)
        {
            return (known.jws, true)
        }
        let jws = try key.sign(try statement.payload, type: Self.type)
        if statement.nonce == nil {
            let signed = Signed(
                tag: statement.tag, key: key.number, at: statement.body.at, offlineDays: statement.offlineDays, jws: jws
            )
            cache.withLock { $0.insert(signed, subject) }
        }
        return (jws, false)
    }
}

extension EntitlementSigner.Statement {
    fileprivate var lifetime: TimeInterval { Double(offlineDays) * 86_400 }

    /// The payload of the JWS, with the entitlements of the one app and environment.
    fileprivate var payload: Data {
        get throws {
            let times = TimeFormat.wholeSeconds
            let entitlements = try body.entitlements
                .filter { $0.app == scope.app && $0.environment == scope.environment }
                .map { try $0.json(times: times) }
            var json = JSONWriter(capacity: 4_096)
            json.object { json in
                json.member("account", body.account)
                json.member("at", body.at, times)
                if let balances = body.balances { json.member("balances", balances) }
                json.member("bundleID", scope.app.text)
                json.name("entitlements")
                json.array { json in
                    for entitlement in entitlements { json.element(json: entitlement) }
                }
                json.member("environment", scope.environment.rawValue)
                json.member("freshUntil", body.at.addingTimeInterval(lifetime), times, isEnd: true)
                json.member("nonce", nonce)
            }
            return Data(json.bytes)
        }
    }
}

extension Request {
    /// The client's nonce, with which it recognises an answer that was made for this request.
    ///
    /// - Throws: 400 if it is empty, too long, or has other characters than those of ASCII that are printed.
    var nonce: String? {
        get throws {
            guard let nonce = headers.joined(.quartermasterNonce) else { return nil }
            guard (1...EntitlementSigner.maximumNonce).contains(nonce.utf8.count),
                nonce.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else {
                throw Problem.invalidRequest(
                    "Quartermaster-Nonce: 1 to \(EntitlementSigner.maximumNonce) printable characters of ASCII")
            }
            return nonce
        }
    }
}
