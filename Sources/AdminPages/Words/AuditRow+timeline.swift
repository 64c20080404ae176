import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

extension AuditRow {
    /// The maximum number of characters of one value in the details.
    private static let maximumValue = 160

    /// The event as a line of a timeline. A kind that only a later version of the server knows is shown by its
    /// name.
    func entry(_ visit: Visit, namesAccount: Bool = false) -> TimelineEntry {
        let members = members
        let isRefusal = members["status"] == .string(ReceiptAnswer.Status.rejected.rawValue)
        let words = AuditEntry.Kind(rawValue: kind)?.words ?? (title: kind, tone: Tone.plain)
        let (title, tone) = isRefusal ? ("Receipt refused", Tone.bad) : (words.title, words.tone)
        let text =
            content == nil ? "The content was erased." : AuditWords(row: self, members: members, visit: visit).text
        return TimelineEntry(
            visit.time(date).moment, title, tone, text: text, details: details(members, visit), actor: actor,
            link: namesAccount ? account.map { Link($0.text, "/admin/accounts/\($0.text)") } : nil)
    }

    private var members: [String: JSONValue] {
        let json = content.flatMap { try? JSONDecoder().decode(JSONValue.self, from: Data($0.utf8)) }
        guard case .object(let members)? = json else { return [:] }
        return members
    }

    /// Members that tell support nothing; the export of the trail has them.
    private static let technical: Set<String> = ["sha256", "length"]

    /// The subject and the members as they are recorded; `nil` if there are none.
    private func details(_ members: [String: JSONValue], _ visit: Visit) -> String? {
        let shown = members.filter { !Self.technical.contains($0.key) }.sorted { $0.key < $1.key }.map {
            "\($0.key): \($0.value.words(visit).prefix(Self.maximumValue))"
        }
        let all = [subject].compactMap { $0 } + shown
        return all.isEmpty ? nil : all.joined(separator: " · ")
    }
}
