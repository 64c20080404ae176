/// The answer to a request for a page, or to a form.
enum PageAnswer: Sendable {
    case page(PageContent)
    /// The path of the page to go on with (303 See Other).
    case redirect(String)
}
