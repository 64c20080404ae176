import AuditSeal
import Basics
import Content
import Foundation
import Hummingbird
import Ledger
import ServerHTTP

/// The services that the features of a server share.
struct ServerServices {
    var ledger: any Ledger
    var decisions: ServingContext
    var store: any Store
    var recorder: NotificationRecorder
    var intake: ReceiptIntake
    var content: any ContentRepository
    var publications: PublicationDates
    var cache: ContentCache
    var lists: ProductLists
    var grants: GrantKeyring
    var manifestKeys: ManifestKeyring
    var auditKeys: AuditKeys
    var editor: any CatalogEditing
    var publishing: Publishing
    var delivery: ContentSender
    /// The path of the content folder.
    var folder: String
    var limits: RateLimits
    var connections: ConnectionLimits
    var clients: ClientAddresses
    var bodies: BodyBudget
    var unsent: UnsentBudget
    var metrics: ServerMetrics
    var ids: RequestIDs
    var lines: RepeatedLines
    var random: RandomBytes

    var clock: @Sendable () -> Date { decisions.clock }
}

extension ServerServices {
    /// The groups of a router.
    func groups(of router: Router<ServerContext>, _ table: RouteTable) -> RouteGroups {
        let admin = AdminAuthentication(ledger: ledger, clients: clients, limiter: limits.adminTokens, clock: clock)
        return RouteGroups(
            root: RouteGroup(router, table), open: RouteGroup(router, table, path: "/v1"),
            player: RouteGroup(router, table, path: "/v1", for: .players, by: PlayerAuthentication(ledger: ledger)),
            admin: AdminRouter(RouteGroup(router, table, path: "/admin/v1", by: admin)))
    }

    /// All features that need them, but the pages.
    var features: [any RouteFeature] { everybody + player + administrator }

    private var everybody: [any RouteFeature] {
        [
            KeyRoutes(keys: auditKeys, manifests: manifestKeys),
            ProductRoutes(lists: lists, clock: clock),
            ContentRoutes(
                content: content, cache: cache, grants: grants, delivery: delivery, folder: folder,
                limits: connections, clock: clock, sent: metrics.contentSent),
            AccountRoutes(
                ledger: ledger, decisions: decisions, clients: clients, limits: limits, clock: clock, random: random),
            UnavailableProductRoutes(
                ledger: ledger, decisions: decisions, clients: clients, limiter: limits.unavailableProducts,
                random: random),
            NotificationRoutes(
                store: store, recorder: recorder, clients: clients, limiter: limits.notifications, clock: clock),
        ]
    }

    private var player: [any RouteFeature] {
        let entitlements = EntitlementRoutes(ledger: ledger, publications: publications, decisions: decisions)
        return [
            entitlements,
            HistoryRoutes(ledger: ledger, decisions: decisions),
            ReceiptRoutes(
                intake: intake, entitlements: entitlements, ledger: ledger, decisions: decisions,
                limiter: limits.receipts, clients: clients),
            ConsentRoutes(ledger: ledger, clock: clock),
            OfferRoutes(ledger: ledger, decisions: decisions, store: store),
            BundleRoutes(
                ledger: ledger, content: content, publications: publications, grants: grants,
                manifests: ManifestSigner(manifestKeys), decisions: decisions, random: random),
            DeliveryRoutes(ledger: ledger, clock: clock),
        ]
    }

    private var administrator: [any RouteFeature] {
        let acts = SupportActs(ledger: ledger, decisions: decisions)
        return [
            AuditRoutes(ledger: ledger),
            AppRoutes(editor: editor, live: decisions.live, clock: clock),
            CatalogRoutes(editor: editor, live: decisions.live, clock: clock),
            PreviewRoutes(lists: lists, clock: clock),
            BundleListRoutes(publishing: publishing, publications: publications, live: decisions.live, clock: clock),
            BundleVersionRoutes(publishing: publishing),
            UploadRoutes(publishing: publishing),
            AccountReportRoutes(ledger: ledger, decisions: decisions, store: store),
            DeliveryListRoutes(ledger: ledger, clock: clock),
            ReceiptListRoutes(ledger: ledger),
            NotificationListRoutes(ledger: ledger, clock: clock),
            TesterListRoutes(ledger: ledger),
            ReportRoutes(ledger: ledger, clock: clock),
            NotificationTestRoutes(test: NotificationTest(ledger: ledger, decisions: decisions, store: store)),
            OverviewRoutes(ledger: ledger, store: store, decisions: decisions),
            SupportRoutes(acts: acts, random: random),
            RenewalDateRoutes(acts: acts, dates: RenewalDates(ledger: ledger, decisions: decisions, store: store)),
            GrantRoutes(acts: acts, random: random),
        ]
    }
}
