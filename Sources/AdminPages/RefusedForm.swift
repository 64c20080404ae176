import HTTPTypes
import Hummingbird
import ServerCore
import ServerHTTP

/// A form that was refused for what was typed into it. The page with the form is shown again, with the error above it
/// and everything as it was typed.
struct RefusedForm: Sendable {
    /// The statuses that mean that another value may be accepted, or the same value later.
    private static let statuses: Set<HTTPResponse.Status> = [.badRequest, .conflict, .unprocessableContent]

    private let problem: Problem
    private let form: FormBody
    private let visit: Visit

    /// - Returns: `nil` if the error is not about what was typed.
    init?(_ error: any Error, _ form: FormBody, _ visit: Visit) {
        let (problem, isOurs) = Problem.from(error)
        guard !isOurs, !error.isLostConnection, !problem.closesConnection, Self.statuses.contains(problem.status) else {
            return nil
        }
        self.problem = problem
        self.form = form
        self.visit = visit
    }

    /// - Returns: `nil` if the page cannot be made, or no longer has the form.
    func content(on page: PageRouter.PageHandler) async -> PageContent? {
        guard case .page(var content) = try? await page(visit.filling(form)) else { return nil }
        guard let index = content.blocks.firstIndex(where: { isRefused($0.form) }),
            let shown = content.blocks[index].form
        else { return nil }
        let filled = shown.filled { form.has($0) ? form[$0] : nil }
        content.blocks[index].form = filled.marked(problem.mistakes(in: shown))
        content.notice = problem.notice(about: shown)
        content.status = problem.status
        return content
    }

    private func isRefused(_ other: Form?) -> Bool {
        other?.method == "post" && other?.action == visit.request.uri.path
    }
}

extension Problem {
    /// The detail at the field that it names, if it names one.
    fileprivate func mistakes(in form: Form) -> [String: String] {
        guard let detail, let field = form.fields.first(where: { detail.hasPrefix("\($0.name): ") }) else { return [:] }
        return [field.name: String(detail.dropFirst(field.name.count + 2))]
    }

    /// The title and the detail, which names fields as the form does.
    func notice(about form: Form) -> Notice {
        guard let detail else { return Notice("\(title).", .bad) }
        let field = form.fields.first { detail.hasPrefix("\($0.name): ") }
        let words = field.map { "\($0.label): \(detail.dropFirst($0.name.count + 2))" } ?? detail
        return Notice("\(title). \(words)", .bad)
    }
}

extension PageContent {
    /// The page of a list whose parameters are wrong: the form with them, and the error.
    ///
    /// - Throws: the problem, if another value would not help.
    init(_ title: String, _ error: Problem, in form: Form) throws {
        guard [.badRequest, .unprocessableContent].contains(error.status) else { throw error }
        self.init(
            title, notice: error.notice(about: form), status: error.status,
            [Block(form: form, links: [Link("Clear all filters", form.action)])])
    }
}
