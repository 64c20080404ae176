import Foundation
import Testing

@testable import ObjectStore

@Suite struct ObjectListingTests {
    /// As AWS's page of ListObjectsV2 shows it.
    private static let document = """
        <?xml version="1.0" encoding="UTF-8"?>
        <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
            <Name>words</Name><Prefix>shop/</Prefix><KeyCount>1</KeyCount><EncodingType>url</EncodingType>
            <IsTruncated>true</IsTruncated><NextContinuationToken>1ue&amp;GcxLPRx1Tr</NextContinuationToken>
            <Contents>
                <Key>shop/my%2Bimage+%C3%BC.jpg</Key>
                <LastModified>2009-10-12T17:50:30.000Z</LastModified>
                <ETag>"fba9dede5f27731c9771645a39863328"</ETag>
                <Size>434234</Size>
                <Owner><ID>1</ID></Owner>
            </Contents>
            <CommonPrefixes><Prefix>x</Prefix></CommonPrefixes>
        </ListBucketResult>
        """

    @Test func `A page of a listing is read with its objects and continuation token`() throws {
        let page = try ObjectListing(Data(Self.document.utf8), prefix: "shop/")
        #expect(page.continuation == "1ue&GcxLPRx1Tr" && page.errorCode == nil)
        let expected = ListedObject(
            key: "my+image \u{FC}.jpg", size: 434_234, etag: "\"fba9dede5f27731c9771645a39863328\"",
            modified: Date(timeIntervalSince1970: 1_255_369_830))
        #expect(page.objects == [expected])
    }

    @Test func `The code of an error document is read`() throws {
        let error = "<Error><Code>NoSuchKey</Code><Message>x</Message><Resource>/r</Resource></Error>"
        #expect(try ObjectListing(Data(error.utf8), prefix: "").errorCode == "NoSuchKey")
    }

    @Test(arguments: [
        "", "{}", "<a>", "<html></html>", String(document.dropLast(3)), document.replacing("434234", with: "-1"),
        document.replacing("2009", with: "then"), document.replacing("<Key>shop/", with: "<Key>other/"),
        document.replacing("%C3", with: "%ZZ"), document.replacing("1ue&amp;GcxLPRx1Tr", with: ""),
    ])
    func `A document that is no listing is an error`(_ document: String) {
        #expect(throws: ObjectStoreError.self) { try ObjectListing(Data(document.utf8), prefix: "shop/") }
    }
}
