public import Foundation

/// Whether a product may be used now. A denial is an answer, not an error.
public enum Access: Hashable, Sendable {
    /// Access until the date; `nil` for access without end.
    case granted(until: Date?)
    /// No access, for the reason given.
    case denied(DenialReason)

    /// Whether access is granted, with or without an end.
    public var isGranted: Bool {
        if case .granted = self { true } else { false }
    }
}
