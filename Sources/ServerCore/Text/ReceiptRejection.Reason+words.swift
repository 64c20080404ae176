import InAppPurchase
import ServerHTTP

extension ReceiptRejection.Reason {
    /// The reason in words.
    package var words: String {
        switch self {
        case .malformed: "It is no receipt. The app sent something else."
        case .signature: "Its signature is wrong: it was changed after the App Store signed it."
        case .chain: "Its certificates are not the App Store's. Forged, or a development receipt."
        case .expiredCertificate: "A certificate was not valid on the day it was signed."
        case .bundleID: "It is for an app that is not served here, or not for the app that sent it."
        case .appAppleID: "It is for an app with another number in the App Store than the catalog says."
        case .environment: "It is for an environment that is not served, such as Xcode's."
        case .notFound: "The App Store knows no such purchase."
        case .unsupported: "It is of a kind that is not accepted, or the App Store called each request about it wrong."
        case .otherDevice: "It was made for another device, as after a restored backup."
        }
    }

    /// The advice, in one line.
    package var remedy: String {
        switch self {
        case .malformed: "Have the app send what StoreKit gave it, unchanged."
        case .signature, .notFound:
            "Ask the player for the order number in the App Store's mail, and look for the purchase by it."
        case .chain: "A simulator's is accepted if the setting rootCertificates has its root. Any other is forged."
        case .expiredCertificate, .otherDevice:
            "Ask the player to restore purchases in the app: the App Store signs anew."
        case .bundleID: "If the app is yours, add it to the catalog. Then ask the player to restore purchases."
        case .appAppleID: "Correct the app's appAppleID in the catalog. Then ask the player to restore purchases."
        case .environment: "Xcode's is accepted if the app's xcodeCertificates have its certificate."
        case .unsupported:
            "Look at the app's key and at detail in the audit trail; a purchase is found by its order number."
        }
    }
}
