package import AuditSeal
package import Content
package import Foundation
package import Hummingbird
package import Ledger
package import ServerHTTP
import StrictJSON

/// The services that the features of a server share.
package struct ServerServices {
    package var ledger: any Ledger
    package var decisions: ServingContext
    package var store: any Store
    package var recorder: NotificationRecorder
    package var intake: ReceiptIntake
    package var content: any ContentRepository
    package var publications: PublicationDates
    package var cache: ContentCache
    package var lists: ProductLists
    package var grants: GrantKeyring
    package var manifestKeys: ManifestKeyring
    package var auditKeys: AuditKeys
    package var editor: any CatalogEditing
    package var publishing: Publishing
    package var delivery: ContentSender
    /// The path of the content folder.
    package var folder: String
    package var limits: RateLimits
    package var connections: ConnectionLimits
    package var clients: ClientAddresses
    package var bodies: BodyBudget
    package var unsent: UnsentBudget
    package var metrics: ServerMetrics
    package var ids: RequestIDs
    package var lines: RepeatedLines
    package var random: RandomBytes

    package init(
        ledger: any Ledger, decisions: ServingContext, store: any Store, recorder: NotificationRecorder,
        intake: ReceiptIntake, content: any ContentRepository, publications: PublicationDates, cache: ContentCache,
        lists: ProductLists, grants: GrantKeyring, manifestKeys: ManifestKeyring, auditKeys: AuditKeys,
        editor: any CatalogEditing, publishing: Publishing, delivery: ContentSender, folder: String, limits: RateLimits,
        connections: ConnectionLimits, clients: ClientAddresses, bodies: BodyBudget, unsent: UnsentBudget,
        metrics: ServerMetrics, ids: RequestIDs, lines: RepeatedLines, random: @escaping RandomBytes
    ) {
        self.ledger = ledger
        self.decisions = decisions
        self.store = store
        self.recorder = recorder
        self.intake = intake
        self.content = content
        self.publications = publications
        self.cache = cache
        self.lists = lists
        self.grants = grants
        self.manifestKeys = manifestKeys
        self.auditKeys = auditKeys
        self.editor = editor
        self.publishing = publishing
        self.delivery = delivery
        self.folder = folder
        self.limits = limits
        self.connections = connections
        self.clients = clients
        self.bodies = bodies
        self.unsent = unsent
        self.metrics = metrics
        self.ids = ids
        self.lines = lines
        self.random = random
    }

    package var clock: @Sendable () -> Date { decisions.clock }
}

extension ServerServices {
    /// The groups of a router.
    package func groups(of router: Router<ServerContext>, _ table: RouteTable) -> RouteGroups {
        let admin = AdminAuthentication(ledger: ledger, clients: clients, limiter: limits.adminTokens, clock: clock)
        return RouteGroups(
            root: RouteGroup(router, table), open: RouteGroup(router, table, path: "/v1"),
            player: RouteGroup(router, table, path: "/v1", for: .players, by: PlayerAuthentication(ledger: ledger)),
            admin: AdminRouter(RouteGroup(router, table, path: "/admin/v1", by: admin)))
    }

    /// All features that need them, but the pages.
    package var features: [any RouteFeature] { everybody + player + administrator }

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
        let entitlements = EntitlementRoutes(
            ledger: ledger, publications: publications, decisions: decisions, signer: EntitlementSigner(manifestKeys))
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
            ReportRoutes(ledger: ledger, decisions: decisions),
            NotificationTestRoutes(test: NotificationTest(ledger: ledger, decisions: decisions, store: store)),
            OverviewRoutes(ledger: ledger, store: store, decisions: decisions, content: content),
            SupportRoutes(acts: acts, random: random),
            RenewalDateRoutes(acts: acts, dates: RenewalDates(ledger: ledger, decisions: decisions, store: store)),
            AppTransactionRoutes(
                acts: acts,
                fetch: AppTransactionFetch(ledger: ledger, decisions: decisions, store: store, random: random)),
            SubscriberExtensionRoutes(
                extensions: SubscriberExtensions(ledger: ledger, decisions: decisions, store: store)),
            GrantRoutes(acts: acts, random: random), NoteRoutes(acts: acts, random: random),
            GiftRoutes(gifts: Gifts(acts: acts, random: random)),
        ]
    }
}
