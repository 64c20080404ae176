package import Foundation

/// A sentence that an administrator wrote down about a player, for the others who help. It is the account's, and goes
/// with it.
package struct AccountNote: Hashable, Sendable {
    /// The maximum number of an account's notes: more than anybody reads, and few enough for one page.
    package static let maximumOfAccount = 100
    /// The maximum number of Unicode scalars.
    package static let maximumCharacters = SupportAct.maximumReasonCharacters

    package var id: String
    package var text: String
    package var actor: String
    package var date: Date

    package init(id: String, text: String, actor: String, date: Date) {
        self.id = id
        self.text = text
        self.actor = actor
        self.date = date
    }

    /// Whether the act would write the same again.
    func says(theSameAs act: SupportAct) -> Bool {
        actor == act.actor.name && text.utf8.elementsEqual(act.reason.utf8)
    }
}
