package import Hummingbird

/// Counts the bytes that each request buffers of its body against the budget, until the request is answered.
package struct BodyBudgetMiddleware: RouterMiddleware {
    package let budget: BodyBudget
    package let clients: ClientAddresses

    package init(budget: BodyBudget, clients: ClientAddresses) {
        self.budget = budget
        self.clients = clients
    }

    package func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        // Most requests have no body and need no address.
        guard request.mayHaveBody else { return try await next(request, context) }
        let channel = context.channel
        // The framework hands an error to whoever reads the body.
        let allowance = budget.begin(for: clients.subscriber(request, context)) {
            channel.pipeline.fireErrorCaught(BodyEndedError())
        }
        context.notes.bodyAllowance = allowance
        defer { allowance.release() }
        return try await next(request, context)
    }
}

/// A body ended because it arrived too slowly, and the room was needed for others.
struct BodyEndedError: Error {}

extension Request {
    fileprivate var mayHaveBody: Bool { method != .get && method != .head }
}
