/// Something that the program is to do. What comes of it arrives as a ``Message``.
package enum Command: Sendable, Equatable {
    /// Choose a word of the pack, or of the built-in one.
    case deal(String?)
    case spendHint
    case buy(String)
    /// Buy more time with a product whose time runs.
    case extend(String)
    /// Download the newest version of a bundle, and install it.
    case install(String)
    case pause(String)
    case resume(String)
    case cancel(String)
    case refresh
    case restore
    case readCode
    case signIn(String)
    case setOffline(Bool)
    /// Write the model's ``Model/saved`` to the disk.
    case save
    case suspend
    case quit
}
