/// Those who may call a route.
package enum Callers: Sendable, Equatable {
    case everybody
    case players
    /// Administrators, for a route that changes something those whose token may.
    case administrators(mayChange: Bool)
    /// Administrators by their session in a browser.
    case visitors
}
