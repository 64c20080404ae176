/// A page for administrators: strings only, ready to be shown.
package struct Page: Sendable {
    package var title: String
    /// The path of the style sheet.
    package var styleSheet: String
    /// The administrator who is signed in; `nil` on the page for signing in, and after signing out.
    package var viewer: Viewer?
    package var notice: Notice?
    package var blocks: [Block]
    /// The facts beside the blocks; `nil` for a page that is one column.
    package var side: Items<Block>?

    package init(
        _ title: String, styleSheet: String, viewer: Viewer? = nil, notice: Notice? = nil, blocks: [Block] = [],
        side: [Block] = []
    ) {
        self.title = title
        self.styleSheet = styleSheet
        self.viewer = viewer
        self.notice = notice
        self.blocks = blocks
        self.side = side.isEmpty ? nil : Items(side)
    }
}
