import Crypto
import Foundation
import InAppPurchase
import StrictJSON
import TestSupport
import Testing

@testable import LedgerSQL

/// Remembered terms and headers are those that would be made anew.
@Suite struct EncodedTermsTests {
    private func expectAnew(_ product: Product, by codec: TermsCodec) throws {
        let (hash, json) = try codec.encode(product)
        let anew = try JSONEncoder.canonical.encode(product)
        #expect(Data(json.utf8) == anew)
        #expect(hash == Data(SHA256.hash(data: anew)))
    }

    /// Each edit of a product is encoded by itself, and so is the same product before and after it.
    @Test func `Terms that changed are encoded anew`() throws {
        let codec = TermsCodec(handlers: standardHandlers)
        let product = try #require(try catalog().product("words", of: "hangman"))
        var edits = [product]
        for edit: (inout Product) -> Void in [
            { $0.credits["hints"] = 11 }, { $0.trialCredits = .withhold }, { $0.bundles.append("more") },
            { $0.group = "g" }, { $0.level = 3 }, { $0.ownership = .keep }, { $0.ownership = .transfer },
            { $0.afterExpiry = .keep }, { $0.metadata["a"] = .bool(true) },
        ] {
            var edited = product
            edit(&edited)
            edits.append(edited)
        }
        for edited in edits { for each in [product, edited, edited] { try expectAnew(each, by: codec) } }
    }

    /// The settings of a type are part of the terms.
    @Test func `Terms whose settings changed are encoded anew`() throws {
        let codec = TermsCodec(handlers: standardHandlers)
        let products = try catalog().apps.flatMap(\.products)
        for product in products {
            for other in products where other.type == product.type {
                var changed = product
                changed.handler = other.handler
                for each in [product, changed, product] { try expectAnew(each, by: codec) }
            }
        }
    }

    @Test func `A remembered digest is that of its text`() {
        let digests = StoredDigests(limit: 2)
        for text in ["a", "a", "b", "", "a", "b", "b"] {
            #expect(digests.digest(of: text) == Data(SHA256.hash(data: Data(text.utf8))))
        }
    }
}
