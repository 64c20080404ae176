import Foundation
import InAppPurchase
import Testing

@testable import AppStore

@Suite struct UnityWrapperTests {
    static let jws = "eyJ-_.eyJ.AA"
    static let inner = ReceiptRecognitionTests.der

    private static func wrap(_ payload: JSONValue, store: JSONValue = "AppleAppStore") -> String {
        let wrapper: JSONValue = ["Store": store, "TransactionID": "2000000847061981", "Payload": payload]
        return (try? wrapper.data).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    @Test(
        arguments: [
            (wrap(.string(inner)), Receipt.Kind.appReceipt), (" \n" + wrap(.string(inner)), .appReceipt),
            (wrap(.string(inner), store: "MacAppStore"), .appReceipt), (wrap(.string(jws)), .signedTransaction),
            (wrap(.string(ReceiptRecognitionTests.propertyList)), .transactionReceipt),
            (wrap("{\"json\":\"\(jws)\"}"), .signedTransaction),
            (wrap("{\"json\":\"{}\",\"signedData\":\"\(jws)\",\"zz\":[1]}"), .signedTransaction),
            // Google's: its signature looks like an app receipt.
            (wrap("{\"json\":\"{}\",\"signature\":\"\(inner)\"}", store: "GooglePlay"), nil),
            (wrap(.string(wrap(.string(inner)))), nil), (wrap("{\"json\":{\"json\":\"\(jws)\"}}"), nil),
            (wrap(7), nil), (wrap(["json": .string(jws)]), nil), (wrap(""), nil), (wrap("ThisIsFakeReceiptData"), nil),
            ("{\"Payload\":\"\(inner)\"}", nil), ("{", nil), ("{}", nil), (inner, .appReceipt),
            (jws, .signedTransaction),
            ("7", .transactionID),
        ] as [(String, Receipt.Kind?)])
    func `A receipt is unwrapped from the JSON of Unity`(_ content: String, _ kind: Receipt.Kind?) {
        #expect(Receipt.Kind(of: Receipt.unwrapped(content)) == kind)
    }

    @Test func `A text that is no wrapper stays as it is`() {
        for content in ["", "x", "{}", Self.inner, " \(Self.jws)"] { #expect(Receipt.unwrapped(content) == content) }
    }

    @Test func `A wrapper that is too long or too deep is not unwrapped`() {
        let long = Self.wrap(.string(String(repeating: "A", count: Receipt.maximumSize)))
        let deep = "{\"Store\":\"AppleAppStore\",\"Payload\":" + String(repeating: "[", count: 100_000)
        for content in [long, deep] { #expect(Receipt.unwrapped(content) == content) }
    }
}
