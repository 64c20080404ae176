package import Foundation

/// Something that happened: a key, or news from the shop.
package enum Message: Sendable, Equatable {
    case key(Key)
    case resized(Size)
    case shop(Shop)
    case shelf(Shelf)
    /// A word to guess.
    case dealt(WordEntry, pack: String)
    /// A hint is about to be paid, with that key.
    case hintBegan(UUID)
    /// The hint with that key was paid.
    case hintPaid(UUID)
    /// A hint was not paid, for a reason in words. If it is not over, it may still be.
    case hintRefused(String, isOver: Bool)
    case bought(String, PurchaseReport)
    /// A download has ended: with an installed bundle, or for a reason in words. One that is not over goes on at the
    /// next start.
    case downloaded(String, refusal: String?, isOver: Bool)
    /// The recovery code, which the player asked for; `nil` if there is no account yet.
    case code(String?)
    /// A refresh the player asked for has ended, or failed for a reason in words.
    case refreshed(refusal: String?)
    /// Something for the line at the bottom.
    case said(String)
}
