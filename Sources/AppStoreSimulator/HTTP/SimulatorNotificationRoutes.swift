import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase

/// The routes that set notification URLs and faults: `/simulator/v1`.
struct SimulatorNotificationRoutes: Sendable {
    /// The `bundleID` and `environment` of the query or the body; without them the setting applies to all.
    private struct Setting: Decodable {
        var url: String
        var version: Int?
        var password: String?
        var bundleID: String?
        var environment: String?
    }

    /// The app and environment of the setting; `nil` for all.
    private struct Scope {
        var app: BundleID?
        var environment: InAppPurchase.Environment?

        init(_ app: String?, _ environment: String?) throws {
            self.app = app?.identifier.map(BundleID.init(stored:))
            self.environment = environment?.servedEnvironment
            guard (app == nil) == (self.app == nil), (environment == nil) == (self.environment == nil) else {
                throw SimulatorProblem.invalid(
                    "bundleID has 1 to 255 characters, environment is Production or Sandbox.")
            }
        }
    }

    var addresses: NotificationAddresses
    var outbox: Outbox

    func add(to router: RouterGroup<StoreRequestContext>) {
        router.put("notification-url", use: setAddress)
        router.get("notification-url") { request, _ in
            let scope = try scope(of: request)
            guard let address = try await addresses.address(app: scope.app, environment: scope.environment) else {
                throw SimulatorProblem.notFound("No URL is known.")
            }
            return try Response.json(NotificationAddress(withoutPassword: address))
        }
        router.delete("notification-url") { request, _ in
            let scope = try scope(of: request)
            try await addresses.set(nil, app: scope.app, environment: scope.environment)
            return Response(status: .noContent)
        }
        router.post("notification-faults") { request, context in
            await outbox.post(try await context.decode(NotificationFault.self, from: request))
            return Response(status: .noContent)
        }
        router.delete("notification-faults") { _, _ in
            await outbox.post(NotificationFault())
            return Response(status: .noContent)
        }
    }

    @Sendable private func setAddress(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        let setting = try await context.decode(Setting.self, from: request)
        let scope = try Scope(setting.bundleID, setting.environment)
        guard
            let address = NotificationAddress(
                url: setting.url, version: setting.version ?? 2, password: setting.password)
        else { throw SimulatorProblem.invalid("An http or https URL is needed, and version 1 or 2.") }
        try await addresses.set(address, app: scope.app, environment: scope.environment)
        return Response(status: .noContent)
    }

    private func scope(of request: Request) throws -> Scope {
        let query = request.uri.queryParameters
        return try Scope(query.get("bundleID"), query.get("environment"))
    }
}

extension NotificationAddress {
    fileprivate init(withoutPassword address: NotificationAddress) {
        self = address
        password = nil
    }
}
