import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InAppPurchase
import Logging
import TestSupport
import Testing

/// An app's server: a real one, on a port of its own, that stores what is posted to it.
struct Receiver {
    actor Inbox {
        private var bodies: [Data] = []
        private var statuses: [HTTPResponse.Status]
        private var waiters: [CheckedContinuation<Data, Never>] = []

        /// - Parameter statuses: of the first answers; after them, 200.
        init(statuses: [HTTPResponse.Status]) { self.statuses = statuses }

        func receive(_ body: Data) -> HTTPResponse.Status {
            if waiters.isEmpty { bodies.append(body) } else { waiters.removeFirst().resume(returning: body) }
            return statuses.isEmpty ? .ok : statuses.removeFirst()
        }

        /// The next notification that came or comes.
        func next() async -> Data {
            if !bodies.isEmpty { return bodies.removeFirst() }
            return await withCheckedContinuation { waiters.append($0) }
        }
    }

    let url: String
    let inbox: Inbox

    /// The payload of the next notification, whose signature must be valid.
    func next() async throws -> JSONValue {
        let body = try await nextBody()
        let message = try SignedMessage(body["signedPayload"])
        #expect(message.isSignatureValid)
        return message.payload
    }

    func nextBody() async throws -> JSONValue { try JSONDecoder().decode(JSONValue.self, from: await inbox.next()) }

    /// Type and subtype of the next notification: `DID_RENEW/BILLING_RECOVERY`.
    func nextKind() async throws -> String {
        let payload = try await next()
        return [payload["notificationType"].text, payload["subtype"].text].filter { !$0.isEmpty }
            .joined(separator: "/")
    }

    static func run<Value: Sendable>(
        statuses: [HTTPResponse.Status] = [], _ body: @escaping @Sendable (Receiver) async throws -> Value
    ) async throws -> Value {
        let inbox = Inbox(statuses: statuses)
        let router = Router()
        router.post("notifications") { request, _ in
            let body = try await request.body.collect(upTo: 1 << 20)
            return Response(status: await inbox.receive(Data(body.readableBytesView)))
        }
        let application = Application(router: router, logger: Logger(label: "test"))
        return try await application.test(.live) { client in
            try await body(Receiver(url: "http://localhost:\(client.port ?? 0)/notifications", inbox: inbox))
        }
    }
}

extension Shop {
    /// A store that notifies a server of what happens.
    static func opened(
        statuses: [HTTPResponse.Status] = [], _ store: MemoryKeyValueStore? = nil, clock: TestClock = TestClock(),
        version: Int = 2, appAppleID: Int? = nil, _ body: @escaping @Sendable (Shop, Receiver) async throws -> Void
    ) async throws {
        try await Receiver.run(statuses: statuses) { receiver in
            try await Shop.open(store, clock: clock, appAppleID: appAppleID) { shop in
                let address: JSONValue = [
                    "url": .string(receiver.url), "version": .integer(version), "password": "secret",
                ]
                let answer = try await shop.send(.put, "/simulator/v1/notification-url", address)
                try #require(answer.status == .noContent)
                try await body(shop, receiver)
            }
        }
    }
}
