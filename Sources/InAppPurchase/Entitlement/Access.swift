public import Foundation

/// A verdict. A denial is an answer, not an error.
public enum Access: Hashable, Sendable {
    /// Until the date; without one, for ever.
    case granted(until: Date?)
    case denied(DenialReason)

    public var isGranted: Bool {
        if case .granted = self { true } else { false }
    }
}
