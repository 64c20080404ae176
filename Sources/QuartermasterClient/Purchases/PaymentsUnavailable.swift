/// The device may not make payments: parents or an administrator have forbidden it. ``ShopState/canMakePayments`` says
/// so beforehand.
public struct PaymentsUnavailable: Error, Sendable {
    public init() {}
}
