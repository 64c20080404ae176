import Crypto
import Foundation
import InAppPurchase
import Testing

@testable import AppStore

/// An app receipt's hash of the device that it was made for.
@Suite struct AppReceiptDeviceTests {
    let authority: ReceiptAuthority

    init() throws { authority = try ReceiptAuthority() }

    /// The 16 bytes of identifierForVendor, or the 6 of a Mac's MAC address.
    @Test(arguments: [16, 6])
    func `An app receipt made for this device is accepted from it only`(_ count: Int) async throws {
        let device = Data((0..<count).map { UInt8($0) })
        let bundle = AppReceiptMaker.text("com.example.hangman").der
        let hash = Array(Insecure.SHA1.hash(data: Array(device) + [1, 2, 3, 4] + bundle))
        let maker = AppReceiptMaker(attributes: AppReceiptMaker.hangman.merging([5: .raw(hash)]) { $1 })
        let receipt = try maker.receipt(by: authority)
        let verifier = try authority.verifier
        _ = try await verifier.verify(receipt, device: device, at: .t0)
        await #expect(throws: ReceiptRejection(.otherDevice)) {
            try await verifier.verify(receipt, device: device.dropLast(), at: .t0)
        }
    }

    @Test func `An app receipt is refused from another device`() async throws {
        let receipt = try AppReceiptMaker().receipt(by: authority)
        let verifier = try authority.verifier
        for device in [Data(), Data([0]), AppReceiptMaker.device + [0], Data(AppReceiptMaker.device.reversed())] {
            await #expect(throws: ReceiptRejection(.otherDevice)) {
                try await verifier.verify(receipt, device: device, at: .t0)
            }
        }
    }
}
