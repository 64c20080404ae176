/// There is no shop behind a ``ShopModel`` that shows a preview.
public struct ShopUnavailable: Error, Sendable {
    public init() {}
}
