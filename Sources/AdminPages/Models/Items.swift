/// A list that a template shows inside an element of its own.
package struct Items<Element: Sendable>: Sendable {
    package var items: [Element]

    package init(_ items: [Element]) { self.items = items }
}
