/// Files that were delivered are of a kind or a format that this game does not know.
package struct UnreadableContent: Error, Sendable, Equatable {
    package init() {}
}
