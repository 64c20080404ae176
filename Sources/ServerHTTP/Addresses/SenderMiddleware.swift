import Basics
package import Hummingbird

/// Names the client for whom a request is answered, so that what is scarce is shared by clients. The account is added
/// where it is authenticated.
package struct SenderMiddleware: RouterMiddleware {
    package let clients: ClientAddresses

    package init(clients: ClientAddresses) {
        self.clients = clients
    }

    package func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let sender = Sender(address: clients.subscriber(request, context)?.value)
        return try await Sender.$current.withValue(sender) { try await next(request, context) }
    }
}
