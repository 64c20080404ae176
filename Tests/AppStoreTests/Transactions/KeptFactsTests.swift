import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

/// Every field that Apple documents is stored with the transaction, or is in a list with the reason why not.
@Suite struct KeptFactsTests {
    /// The payload without the one field: a refund, since its reason alone says nothing.
    private static let refunded = hints.with([
        "revocationDate": .integer(Date.t0.milliseconds - 60_000), "expiresDate": .integer(Date.t0.milliseconds),
    ])

    @Test(arguments: TransactionFields.kept)
    func `Each listed field of a signed transaction is stored`(field: KeptField<Transaction>) async throws {
        let authority = try SigningAuthority()
        let verifier = try authority.verifier
        let apps: Set<BundleID> = ["com.example.hangman", "com.example.words"]
        for isPresent in [true, false] {
            let payload = isPresent ? Self.refunded.with([field.name: field.value]) : Self.refunded
            let read = try await verifier.verify(try authority.jws(payload), apps: apps, expecting: nil, at: .t0)
            #expect(field.isKept(read) == isPresent)
        }
    }

    @Test(arguments: RenewalFields.kept)
    func `Each listed field of renewal info is stored`(field: KeptField<RenewalFacts>) throws {
        let required = NotificationMaker.renewalInfo.with(["autoRenewStatus": 0, "autoRenewProductId": nil])
        let read = { (body: JSONValue) in try JSONDecoder().decode(RenewalInfoPayload.self, from: body.data).facts }
        #expect(field.isKept(try read(required.with([field.name: field.value]))))
        #expect(!field.isKept(try read(required)))
    }

    @Test(arguments: AppReceiptFields.kept.indices)
    func `Each listed attribute of an app receipt is stored`(index: Int) async throws {
        let (attribute, value, isKept) = AppReceiptFields.kept[index]
        let authority = try ReceiptAuthority()
        for isPresent in [true, false] {
            var maker = AppReceiptMaker()
            if isPresent, attribute < 1_000 { maker.attributes[attribute] = value }
            if isPresent, attribute >= 1_000 { maker.purchases[0][attribute] = value }
            let answer = try await authority.verifier.verify(maker.receipt(by: authority), at: .t0)
            #expect(isKept(try #require(answer.receipt.transactions.first)) == isPresent, "\(attribute)")
        }
    }

    @Test(arguments: VerifyReceiptFields.kept)
    func `Each listed field of a verifyReceipt answer is stored`(field: KeptField<Transaction>) throws {
        let refunded = VerifyReceiptBody.entry.with(VerifyReceiptBody.times("cancellation_date", .t0 - 10))
            .with(["is_upgraded": nil])
        for isPresent in [true, false] {
            let entry = isPresent ? refunded.with([field.name: field.value]) : refunded
            let answer = try VerifyReceiptBody.answer(
                VerifyReceiptBody.unified(
                    [:],
                    receipt: [
                        "in_app": [entry], "original_application_version": "1.7",
                        "application_version": isPresent ? nil : "2.6", "version_external_identifier": 812_345_678,
                    ]))
            let transaction = try #require(answer.receipt.transactions.first)
            #expect(field.isKept(transaction) == isPresent)
            #expect(transaction.details?.originalAppVersion == "1.7")
            #expect(isPresent || transaction.details?.appVersion == "2.6")
            #expect(answer.receipt.appVersion == (isPresent ? nil : Self.version("2.6")))
        }
    }

    @Test func `The facts of an answer in the iOS 6 style are stored`() throws {
        let receipt = VerifyReceiptBody.transaction([
            "bvrs": "2.5", "web_order_line_item_id": "1000000077", "is_trial_period": "true",
            "is_in_intro_offer_period": "false", "version_external_identifier": "812345678",
        ])
        let read = try VerifyReceiptBody.answer(VerifyReceiptBody.iOS6.with(["receipt": receipt])).receipt
        #expect(read.appVersion == Self.version("2.5"))
        let details = try #require(read.transactions.first?.details)
        #expect(details.appVersion == "2.5" && details.webOrderLineItemID == "1000000077")
        #expect(details.isTrial == true && details.isIntroductoryPeriod == false)
    }

    private static func version(_ text: String) -> AppVersion {
        AppVersion(app: "com.example.hangman", text: text, externalID: 812_345_678)
    }

    @Test(arguments: [(812_345_678, version("1.2")), (0, AppVersion(app: "com.example.hangman", text: "1.2"))])
    func `The version of an app receipt is stored with its number`(number: Int, version: AppVersion) async throws {
        let authority = try ReceiptAuthority()
        var maker = AppReceiptMaker()
        (maker.attributes[16], maker.purchases) = (.integer(number), [])
        let answer = try await authority.verifier.verify(maker.receipt(by: authority), at: .t0)
        #expect(answer.receipt.appVersion == version)
    }

    /// The lists are complete: every field of Apple's documentation is in one of the two.
    @Test func `Every documented field is stored or listed with a reason`() {
        #expect(Set(TransactionFields.kept.map(\.name)).symmetricDifference(TransactionFields.notKept.keys).count == 38)
        #expect(Set(RenewalFields.kept.map(\.name)).symmetricDifference(RenewalFields.notKept.keys).count == 26)
        #expect(
            Set(VerifyReceiptFields.kept.map(\.name)).symmetricDifference(VerifyReceiptFields.notKept.keys)
                == VerifyReceiptFields.documented)
        let attributes = Set(AppReceiptFields.kept.map(\.attribute))
        #expect(attributes.isDisjoint(with: AppReceiptFields.notKept.keys))
        // Apple, "Validating receipts on the device": the documented attributes.
        let documented = [0, 2, 3, 4, 5, 12, 17, 19, 21] + Array(1701...1706) + [1708, 1711, 1712, 1719]
        #expect(attributes.union(AppReceiptFields.notKept.keys).isSuperset(of: documented))
    }

    /// A period is a trial if a copy says so, or if an introductory period cost nothing.
    @Test(
        arguments: [
            (nil, nil, nil, nil, nil), (true, nil, nil, nil, true), (false, nil, nil, nil, false),
            (nil, 1, "FREE_TRIAL", 0, true), (nil, 3, "FREE_TRIAL", nil, true), (nil, 1, nil, 0, true),
            (nil, 2, nil, 0, false), (nil, 1, "PAY_AS_YOU_GO", 990, false), (nil, nil, nil, 1_990, false),
            (false, 1, "FREE_TRIAL", 0, true),
        ] as [(Bool?, Int?, String?, Int?, Bool?)])
    func `A free trial is recognized by its statement or its offer and price`(
        stated: Bool?, offer: Int?, discount: String?, price: Int?, isTrial: Bool?
    ) {
        var details = PurchaseDetails()
        details.isTrialPeriod = stated
        if offer != nil || discount != nil { details.offer = PurchaseOffer(type: offer, discountType: discount) }
        details.price = price
        #expect(details.isTrial == isTrial)
    }

    /// An offer of an unknown form, or a price with a fraction, is no reason to refuse what was paid for.
    @Test func `An offer or price that Apple does not document is ignored`() async throws {
        let authority = try SigningAuthority()
        let payload = hints.with(["price": 1_990.5, "offerType": 1e300, "currency": "EUR"])
        let read = try await authority.verifier.verify(
            try authority.jws(payload), apps: hangman, expecting: nil, at: .t0)
        #expect(read.details?.price == nil && read.details?.offer == nil && read.details?.currency == "EUR")
    }
}
