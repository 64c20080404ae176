/// A name and a value.
package struct Fact: Sendable {
    package var name: String
    package var value: Cell

    package init(_ name: String, _ value: Cell) {
        self.name = name
        self.value = value
    }
}
