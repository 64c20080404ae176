import Foundation

extension Quartermaster {
    /// Asks the server what the account is entitled to, and accepts only what it has signed for this question.
    ///
    /// - Returns: whether they have changed.
    /// - Throws: ``EntitlementRefusal``, or what a request throws; what was known stays.
    @discardableResult
    func refreshEntitlements() async throws -> Bool {
        guard let account = try await session.current()?.id else { throw NoAccount() }
        let environment = await environment.value()
        entitlements.restrict(to: account, in: environment)
        var request = APIRequest(.get, "v1", "entitlements")
        request.query = [("bundleID", configuration.bundleID), ("environment", environment?.rawValue)]
        let question = entitlements.ask(request, at: time.now, makeNonce: { UUID().uuidString })
        let response = try await session.send(question.request)
        do {
            guard response.status != 304 else { return try confirm(question, response) }
            let answer = try await answer(in: response)
            let isChanged = try entitlements.accept(
                answer, to: question, of: account, in: environment, at: time.now)
            if isChanged != nil { setTime(by: answer.statement) }
            return isChanged ?? false
        } catch let refusal as EntitlementRefusal {
            entitlements.refuse(refusal)
            throw refusal
        }
    }

    private func confirm(_ question: EntitlementCache.Question, _ response: HTTPResponse) throws -> Bool {
        guard try entitlements.confirm(question, at: time.now) else { return false }
        if let at = response.statedTime { time.advance(to: at) }
        (isOnline, needsEntitlements) = (true, false)
        return false
    }

    private func answer(in response: HTTPResponse) async throws -> EntitlementCache.Answer {
        let signed = try JSONDecoder().decode(EntitlementsAnswer.self, from: response.body).signed
        guard let signed else { throw EntitlementRefusal.unsigned }
        do {
            let payload = try await keys.payload(of: signed, type: SignedEntitlements.type)
            let statement = try JSONDecoder().decode(SignedEntitlements.self, from: payload)
            return EntitlementCache.Answer(signed: signed, statement: statement, etag: response["ETag"])
        } catch is DecodingError {
            throw EntitlementRefusal.signature
        } catch DownloadError.signature {
            throw EntitlementRefusal.signature
        }
    }

    /// Takes the server's time. Only an answer that was made for its question proves it: any other may be old, or its
    /// time changed on its way, and must not set the clock back.
    private func setTime(by statement: SignedEntitlements) {
        statement.nonce == nil ? time.advance(to: statement.at) : time.set(statement.at)
        (isOnline, needsEntitlements) = (true, false)
    }
}
