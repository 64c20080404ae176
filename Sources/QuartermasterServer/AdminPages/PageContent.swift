import AdminPages
import HTTPTypes

/// The content of a page, without the head that all pages have.
struct PageContent: Sendable {
    var title: String
    var notice: Notice?
    var blocks: [Block]
    var status = HTTPResponse.Status.ok
    /// In seconds, how often the browser asks for the page again; `nil` if it does not.
    var refresh: Int?

    init(_ title: String, notice: Notice? = nil, status: HTTPResponse.Status = .ok, _ blocks: [Block]) {
        self.title = title
        self.notice = notice
        self.status = status
        self.blocks = blocks
    }
}
