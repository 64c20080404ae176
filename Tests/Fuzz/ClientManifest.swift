import Foundation

@testable import QuartermasterClient

/// The answer with a manifest: what the client believes in it was signed.
struct ClientManifest: FuzzTarget {
    private let key: Data
    private let genuine: Set<Data>

    /// - Parameter folder: the output of scripts/signed_data.py.
    init(_ folder: URL) throws {
        key = try Data(contentsOf: folder.appending(path: "manifest-key"))
        let answer = try JSONDecoder().decode(
            ManifestAnswer.self, from: Data(contentsOf: folder.appending(path: "manifest.json")))
        let messages = [answer.signed, answer.fresh].compactMap { $0.flatMap(SignedMessage.init) }
        precondition(messages.count == 2 && messages.allSatisfy { [key] in $0.isSigned(by: key) }, "not signed")
        genuine = Set(messages.map(\.payload))
    }

    func test(_ input: Data) {
        guard let answer = try? JSONDecoder().decode(ManifestAnswer.self, from: input) else { return }
        for text in [answer.signed, answer.fresh].compactMap(\.self) {
            guard let message = SignedMessage(text), message.isSigned(by: key) else { continue }
            precondition(genuine.contains(message.payload), "a payload that nobody signed")
        }
    }
}
