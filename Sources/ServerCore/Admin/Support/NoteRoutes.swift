import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import ServerHTTP

/// Writes notes on accounts, and removes them.
struct NoteRoutes: RouteFeature {
    let acts: SupportActs
    let random: RandomBytes

    func add(to groups: RouteGroups) {
        let write = RouteFacts("addNote", reads: .json(NoteRequestBody.self))
        groups.admin.on(.post, "accounts/{account}/notes", write, from: .support, query: ["dryRun"]) {
            try await self.write($0, $1)
        }
        let remove = RouteFacts("removeNote", reads: .json(ReasonBody.self))
        groups.admin.on(.delete, "accounts/{account}/notes/{note}", remove, from: .support, query: ["dryRun"]) {
            try await self.remove($0, $1)
        }
    }

    private func write(_ request: Request, _ context: ServerContext) async throws -> Response {
        let isDryRun = try request.isDryRun
        let account = try context.namedAccount
        let text = try await request.decodedBody(NoteRequestBody.self, context).text
        guard SupportAct.checked(reason: text) != nil else { throw Problem.wrongNote }
        let answer = try await acts.answer(
            to: .addNote(Names.accountNote(random), to: account), by: try context.administrator, reason: text,
            isDryRun: isDryRun)
        return try .adminJSON(answer, status: isDryRun ? .ok : .created)
    }

    private func remove(_ request: Request, _ context: ServerContext) async throws -> Response {
        let isDryRun = try request.isDryRun
        let (account, id) = (try context.namedAccount, try context.pathPart("note"))
        let body = try await request.decodedBody(ReasonBody.self, context)
        let answer = try await acts.answer(
            to: .removeNote(id, of: account), by: try context.administrator, reason: body.reason, isDryRun: isDryRun)
        guard isDryRun else { return Response(status: .noContent) }
        return try .adminJSON(answer)
    }
}

/// A note to be written on an account.
struct NoteRequestBody: JSONRequestBody { var text: String }
