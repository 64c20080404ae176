package import InAppPurchase
import Synchronization

/// Facts about a request that are learnt while it is processed, for the routes and for the log line at its end.
package final class LogAnnotations: Sendable {
    private struct Values {
        var account: AccountID?
        var administrator: (any NamedAdministrator)?
        var receipt: String?
        var bodyAllowance: BodyAllowance?
        var trouble: (any Error)?
        var isStreamed = false
    }

    private let values = Mutex(Values())

    /// The player who sent the request, or whom an administrator asks about.
    package var account: AccountID? {
        get { values.withLock { $0.account } }
        set { values.withLock { $0.account = newValue } }
    }

    /// The administrator who sent the request; `nil` for everybody else.
    package var administrator: (any NamedAdministrator)? {
        get { values.withLock { $0.administrator } }
        set { values.withLock { $0.administrator = newValue } }
    }

    /// The reservation for the request's body; `nil` for a request that has none.
    var bodyAllowance: BodyAllowance? {
        get { values.withLock { $0.bodyAllowance } }
        set { values.withLock { $0.bodyAllowance = newValue } }
    }

    /// An error of the server's own that was answered with a page already; `nil` if there was none.
    package var trouble: (any Error)? {
        get { values.withLock { $0.trouble } }
        set { values.withLock { $0.trouble = newValue } }
    }

    /// Whether the response's body is read from a file piece by piece while it is sent.
    package var isStreamed: Bool {
        get { values.withLock { $0.isStreamed } }
        set { values.withLock { $0.isStreamed = newValue } }
    }

    package var receipt: String? {
        get { values.withLock { $0.receipt } }
        set { values.withLock { $0.receipt = newValue } }
    }
}

/// An administrator, as the log names them.
package protocol NamedAdministrator: Sendable {
    var name: String { get }
}
