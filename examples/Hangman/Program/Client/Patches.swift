import QuartermasterClient

/// Applies patches where there is a decoder; elsewhere changed files are downloaded whole.
enum Patches {
    static let decoder: (any PatchDecoder)? = nil
}
