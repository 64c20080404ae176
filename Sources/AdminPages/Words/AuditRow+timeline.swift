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
        let members = members(visit)
        let isRefusal = members.contains { $0.name == "status" && $0.value == ReceiptAnswer.Status.rejected.rawValue }
        let words = AuditEntry.Kind(rawValue: kind)?.words ?? (title: kind, tone: Tone.plain)
        let (title, tone) = isRefusal ? ("Receipt refused", Tone.bad) : (words.title, words.tone)
        let first = [subject, content == nil ? "The content was erased." : nil].compactMap { $0 }
        let details = first + members.map { "\($0.name): \($0.value)" }
        return TimelineEntry(
            visit.time(date).moment, title, tone, details: details.isEmpty ? nil : details.joined(separator: " · "),
            actor: actor, link: namesAccount ? account.map { Link($0.text, "/admin/accounts/\($0.text)") } : nil)
    }

    /// Members that tell support nothing; the export of the trail has them.
    private static let technical: Set<String> = ["sha256", "length"]

    private func members(_ visit: Visit) -> [(name: String, value: String)] {
        let json = content.flatMap { try? JSONDecoder().decode(JSONValue.self, from: Data($0.utf8)) }
        guard case .object(let members)? = json else { return [] }
        return members.filter { !Self.technical.contains($0.key) }.sorted { $0.key < $1.key }.map {
            ($0.key, String($0.value.words(visit).prefix(Self.maximumValue)))
        }
    }
}
