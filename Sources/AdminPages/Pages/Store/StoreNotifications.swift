import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// The notifications on the page of the store, of all apps or of one, with the times without any.
struct StoreNotifications {
    /// The maximum number of notifications on the page.
    private static let rows = 25
    /// The parameter that names the app; `app` is taken by the form for a test.
    private static let appParameter = "notificationsOf"

    let ledger: any StoreLedger
    let visit: Visit
    let catalog: Catalog

    var block: Block {
        get async throws {
            let position = visit.query("notifications").flatMap { ListedNotification.Position(text: $0) }
            let page = try await NotificationListBody(
                ledger, of: app, after: position, limit: Self.rows, at: visit.date)
            let silences = silences(page)
            return Block(
                "Notifications", id: "notifications",
                text: silences.isEmpty ? nil : "None came \(silences.joined(separator: "; ")).",
                table: Table(
                    "As recorded, newest first", columns: ["Recorded", "Type", "App", "State", "ID"],
                    rows: page.notifications.map(row),
                    empty: "None has arrived yet. Set the server's address in App Store Connect."),
                form: catalog.apps.count > 1 || app != nil ? form : nil,
                links: [
                    position.map { _ in Link("The last ones", path(nil)) },
                    page.next.map { Link("Earlier ones", path($0)) },
                ].compactMap { $0 })
        }
    }

    /// The app; `nil` for all apps.
    private var app: BundleID? { visit.query(Self.appParameter).flatMap { try? BundleID(checking: $0) } }

    private func silences(_ page: NotificationListBody) -> [String] {
        (page.silentSince.map { ["since \(visit.time($0).text)"] } ?? [])
            + page.gaps.map { "from \(visit.time($0.from).text) to \(visit.time($0.to).text)" }
    }

    private func row(_ entry: NotificationListBody.Entry) -> [Cell] {
        [
            .time(visit.time(entry.recordedAt).moment).with(
                note: entry.deliveredAt == nil ? "fetched: the App Store did not send it here" : nil),
            Cell(entry.type, note: entry.subtype),
            Cell(entry.app?.text ?? "no app", note: entry.environment?.rawValue),
            entry.appliedAt == nil
                ? .badge("Waits", .waiting, note: "the App Store is asked about it") : .badge("Applied", .good),
            .code(entry.id),
        ]
    }

    private var form: Form {
        let apps = catalog.apps.map { (value: $0.bundleID.text, text: $0.bundleID.text) }
        return .filter(
            "/admin/store",
            [
                .choice(
                    "Notifications of", name: Self.appParameter, [("", "all apps together")] + apps,
                    selected: app?.text)
            ], button: "Show", isSet: app != nil)
    }

    private func path(_ next: String?) -> String {
        let parameters = [(Self.appParameter, app?.text), ("notifications", next)].compactMap { name, value in
            value.map { "\(name)=\($0.pathEncoded)" }
        }
        let query = parameters.isEmpty ? "" : "?\(parameters.joined(separator: "&"))"
        return "/admin/store\(query)#notifications"
    }
}
