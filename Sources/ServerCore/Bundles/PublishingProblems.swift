import Content
import HTTPTypes
package import ServerHTTP

extension Problem {
    fileprivate init(publishing refusal: PublishRefusal) {
        let detail = "\(refusal)"
        self =
            switch refusal {
            case .bundleName, .content, .member:
                Problem(.unprocessableContent, "invalid_bundle", "The version cannot be published", detail: detail)
            case .notNewer, .noPatch:
                Problem(.conflict, "version_not_newer", "The version is not higher than the newest", detail: detail)
            case .otherVersion: Problem(.conflict, "version_exists", "The version already exists", detail: detail)
            case .unknownVersion: Problem(.notFound, "unknown_bundle", "Unknown bundle or version")
            case .state(let state):
                Problem(
                    .conflict, "version_state", "The version's state does not allow this", detail: detail,
                    reason: state.rawValue)
            case .missing: Problem(.conflict, "content_missing", "The version has missing files", detail: detail)
            case .busy: .storeBusy(detail)
            case .notWritable, .unreadable: .unwritableStore(detail)
            }
    }

    fileprivate init(upload refusal: UploadRefusal) {
        switch refusal {
        case .offset(let offset):
            self = Problem(
                .conflict, "upload_offset_mismatch", "The upload offset does not match",
                detail: "\(offset) bytes have been received. Continue after them.")
            headers = [.uploadOffset: "\(offset)"]
        case .tooLong: self = .requestTooLarge
        case .wrongHash:
            self = Problem(
                .unprocessableContent, "content_mismatch", "The content does not match the SHA-256",
                detail: "They were dropped. Send the file from its beginning.")
        case .busy: self = .storeBusy("Another client is sending this file.")
        case .tooMany:
            self = .tooManyRequests(
                "\(ContentUploads.maximumPartials) uploads are in progress; finish one of them first.", retryAfter: 30)
        case .notWritable(let detail): self = .unwritableStore(detail)
        }
    }

    private static func storeBusy(_ detail: String) -> Problem {
        Problem(.serviceUnavailable, "busy", "Another publisher is changing this bundle", detail: detail, retryAfter: 5)
    }

    private static func unwritableStore(_ detail: String) -> Problem {
        var problem = storageUnavailable
        problem.detail = detail
        return problem
    }
}

extension PublishRefusal: ProblemConvertible {
    package var problem: Problem { Problem(publishing: self) }
    package var isOurs: Bool {
        switch self {
        case .notWritable, .unreadable: true
        default: false
        }
    }
}

extension UploadRefusal: ProblemConvertible {
    package var problem: Problem { Problem(upload: self) }
    package var isOurs: Bool { if case .notWritable = self { true } else { false } }
}
