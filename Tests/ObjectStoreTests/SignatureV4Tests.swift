import Foundation
import Testing

@testable import ObjectStore

/// Against the examples of AWS's own documentation.
///
/// Sources: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html and
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
@Suite struct SignatureV4Tests {
    private static let date = Date(timeIntervalSince1970: 1_369_353_600)  // 2013-05-24, midnight
    private static let emptySHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private static let host = ("host", "examplebucket.s3.amazonaws.com")
    private static let credentials = ObjectCredentials(
        accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")

    struct Example: Sendable, CustomTestStringConvertible {
        var name: String
        var request: SignableRequest
        var sha256 = SignatureV4Tests.emptySHA256
        var signature: String

        var testDescription: String { name }
    }

    static let examples = [
        Example(
            name: "GET Object",
            request: SignableRequest(method: "GET", path: "/test.txt", headers: [host, ("range", "bytes=0-9")]),
            signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
        Example(
            name: "PUT Object",
            request: SignableRequest(
                method: "PUT", path: "/" + "test$file.text".uriEncoded(),
                headers: [
                    ("date", "Fri, 24 May 2013 00:00:00 GMT"), host, ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
                ]), sha256: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
        Example(
            name: "GET Bucket Lifecycle",
            request: SignableRequest(method: "GET", path: "/", query: [("lifecycle", "")], headers: [host]),
            signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        Example(
            name: "Get Bucket (List Objects)",
            request: SignableRequest(
                method: "GET", path: "/", query: [("prefix", "J"), ("max-keys", "2")], headers: [host]),
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ]

    @Test(arguments: examples) func `Requests are signed as in the examples of AWS`(_ example: Example) throws {
        let headers = SignatureV4(Self.credentials, region: "us-east-1")
            .headers(for: example.request, sha256: example.sha256, at: Self.date)
        let authorization = try #require(headers.first { $0.name == "authorization" }?.value)
        #expect(
            authorization.hasPrefix(
                "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders="))
        #expect(authorization.hasSuffix(",Signature=\(example.signature)"))
    }

    @Test func `Links are signed as in the example of AWS`() {
        let query = SignatureV4(Self.credentials, region: "us-east-1").query(
            for: SignableRequest(method: "GET", path: "/test.txt", headers: [Self.host]), lifetime: 86_400,
            at: Self.date)
        #expect(
            query == """
                X-Amz-Algorithm=AWS4-HMAC-SHA256\
                &X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request\
                &X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host\
                &X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404
                """)
    }

    @Test func `Credentials are described without their secrets`() {
        let text = "\(Self.credentials) \(String(reflecting: Self.credentials))"
        #expect(!text.contains("wJalr") && !text.contains("AKIA"))
    }
}
