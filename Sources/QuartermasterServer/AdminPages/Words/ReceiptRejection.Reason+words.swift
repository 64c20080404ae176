import InAppPurchase

extension ReceiptRejection.Reason {
    /// The reason in words, with what can be done about it.
    var words: String {
        switch self {
        case .malformed: "It is no receipt. The app sent something else."
        case .signature: "Its signature is wrong: it was changed after the store signed it."
        case .chain: "Its certificates are not the store's. Forged, or a development receipt."
        case .expiredCertificate: "A certificate was not valid on the day it was signed."
        case .bundleID: "It is for an app that is not served here, or not for the app that sent it."
        case .appAppleID: "It is for an app with another number in the App Store than the catalog says."
        case .environment: "It is for an environment that is not served, such as Xcode's."
        case .notFound: "The store knows no such purchase."
        case .unsupported: "Its format is not accepted. A later version of the server may."
        case .otherDevice:
            "It was made for another device, as after a restored backup. The player should restore purchases in the app."
        }
    }
}
