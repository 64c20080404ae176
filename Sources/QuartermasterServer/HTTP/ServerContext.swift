import Foundation
import Hummingbird
import InAppPurchase
import NIOCore
import Synchronization

/// What travels with a request.
struct ServerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    let notes = LogAnnotations()

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// Who asks. Set by ``PlayerAuthentication``.
    /// - Throws: 401 where nobody was authenticated.
    var account: AccountID {
        get throws {
            guard let account = notes.account else { throw Problem.unauthenticated }
            return account
        }
    }
}

extension ServerContext {
    /// A part of the path, its percent escapes resolved: names of currencies, apps and bundles may need them.
    ///
    /// - Throws: 404 where the escapes make no UTF-8, or a control character: nothing here has such a name.
    func pathPart(_ name: String) throws -> String {
        guard let part = try parameters.require(name).removingPercentEncoding, !part.hasControlCharacters else {
            throw Problem.notFound
        }
        return part
    }
}

/// What is learnt of a request on the way in, for the routes and for the log line written on the way out.
final class LogAnnotations: Sendable {
    private struct Values {
        var account: AccountID?
        var admin: AdminToken?
        var receipt: String?
        var bodyAllowance: BodyAllowance?
    }

    private let values = Mutex(Values())

    /// The player who asks, or whom an administrator asks about.
    var account: AccountID? {
        get { values.withLock { $0.account } }
        set { values.withLock { $0.account = newValue } }
    }

    var admin: AdminToken? {
        get { values.withLock { $0.admin } }
        set { values.withLock { $0.admin = newValue } }
    }

    /// What the request may buffer; nil for one that has no body.
    var bodyAllowance: BodyAllowance? {
        get { values.withLock { $0.bodyAllowance } }
        set { values.withLock { $0.bodyAllowance = newValue } }
    }

    var receipt: String? {
        get { values.withLock { $0.receipt } }
        set { values.withLock { $0.receipt = newValue } }
    }
}
