import Basics
import Crypto
package import Foundation
import StrictJSON

/// AWS Signature Version 4 for S3.
///
/// Sources: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html and
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
package struct SignatureV4: Sendable {
    /// The value in place of the body's hash if the body is not signed, as in presigned URLs.
    static let unsignedPayload = "UNSIGNED-PAYLOAD"
    private static let algorithm = "AWS4-HMAC-SHA256"
    private static let service = "s3"

    let credentials: ObjectCredentials
    let region: String

    package init(_ credentials: ObjectCredentials, region: String) {
        self.credentials = credentials
        self.region = region
    }

    /// The request's headers with those of the signature: `x-amz-date`, `x-amz-content-sha256` and `Authorization`. All
    /// given headers are signed.
    ///
    /// - Parameters:
    ///   - sha256: of the body, in lower-case hexadecimal.
    ///   - date: now; object stores refuse requests whose time is some minutes off.
    package func headers(
        for request: SignableRequest, sha256: String, at date: Date
    ) -> [(name: String, value: String)] {
        let time = AmazonTime(date)
        var signed = request
        signed.headers += [("x-amz-content-sha256", sha256), ("x-amz-date", time.stamp)]
        if let token = credentials.sessionToken { signed.headers.append(("x-amz-security-token", token)) }
        let signature = signature(of: signed.canonical(sha256: sha256), at: time)
        let authorization = """
            \(Self.algorithm) Credential=\(credentials.accessKeyID)/\(scope(time)),\
            SignedHeaders=\(signed.signedHeaders),Signature=\(signature)
            """
        return signed.headers + [("authorization", authorization)]
    }

    /// The query of a presigned URL: whoever has it may make the request until it expires.
    ///
    /// - Parameters:
    ///   - lifetime: in seconds; object stores accept a week at most.
    ///   - date: now.
    package func query(for request: SignableRequest, lifetime: Int, at date: Date) -> String {
        let time = AmazonTime(date)
        var signed = request
        signed.query += [
            ("X-Amz-Algorithm", Self.algorithm), ("X-Amz-Credential", "\(credentials.accessKeyID)/\(scope(time))"),
            ("X-Amz-Date", time.stamp), ("X-Amz-Expires", String(lifetime)),
            ("X-Amz-SignedHeaders", signed.signedHeaders),
        ]
        if let token = credentials.sessionToken { signed.query.append(("X-Amz-Security-Token", token)) }
        let signature = signature(of: signed.canonical(sha256: Self.unsignedPayload), at: time)
        return "\(signed.canonicalQuery)&X-Amz-Signature=\(signature)"
    }

    private func scope(_ time: AmazonTime) -> String { "\(time.day)/\(region)/\(Self.service)/aws4_request" }

    private func signature(of canonicalRequest: String, at time: AmazonTime) -> String {
        let hash = SHA256.hash(data: Data(canonicalRequest.utf8)).hex
        let text = [Self.algorithm, time.stamp, scope(time), hash].joined(separator: "\n")
        let start = SymmetricKey(data: Data("AWS4\(credentials.secretAccessKey)".utf8))
        let key = [time.day, region, Self.service, "aws4_request"].reduce(start) { key, part in
            SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: key))
        }
        return HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key).hex
    }
}

/// A time in the formats of the signature: ISO 8601's basic format, in UTC.
struct AmazonTime {
    /// Date and time, such as `20130524T000000Z`.
    let stamp: String
    /// The date, such as `20130524`.
    let day: String

    init(_ date: Date) {
        stamp = date.formatted(
            Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted, timeZone: .gmt))
        day = String(stamp.prefix(8))
    }
}
