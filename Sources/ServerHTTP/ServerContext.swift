import Foundation
package import Hummingbird
package import InAppPurchase
package import NIOCore
import Synchronization

/// The context of a request: the framework's, the connection's channel, and annotations for the log.
package struct ServerContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    package let channel: any Channel
    package let notes = LogAnnotations()

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// The account of the player who sent the request, set by `PlayerAuthentication`.
    /// - Throws: 401 if no player was authenticated.
    package var account: AccountID {
        get throws {
            guard let account = notes.account else { throw Problem.unauthenticated }
            return account
        }
    }
}

extension ServerContext {
    /// A parameter of the path with its percent encoding removed: names of currencies, apps and bundles may need it.
    ///
    /// - Throws: 404 if the decoded part is not UTF-8 or has a control character: nothing here has such a name.
    package func pathPart(_ name: String) throws -> String {
        guard let part = try parameters.require(name).removingPercentEncoding, !part.hasControlCharacters else {
            throw Problem.notFound
        }
        return part
    }

    /// A parameter of the path as an identifier, see ``pathPart(_:)``.
    ///
    /// - Throws: 404 as for any other part, and for an empty one.
    package func pathPart<ID: Identifier>(_ name: String, as type: ID.Type) throws -> ID {
        guard let identifier = try? ID(checking: try pathPart(name)) else { throw Problem.notFound }
        return identifier
    }
}
