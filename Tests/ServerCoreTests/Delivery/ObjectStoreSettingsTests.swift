import Foundation
import ObjectStore
import Testing

@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

@Suite struct ObjectStoreSettingsTests {
    private static let keys = ["AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret"]

    private static func settings(_ variables: [String: String]) async throws -> Settings {
        try Settings(await SettingSources(flags: [:], environment: variables, file: nil))
    }

    @Test func `The settings of a bucket are read`() async throws {
        let plain = try await Self.settings(
            ["QUARTERMASTER_CONTENT": "s3://words/shop"].merging(Self.keys) { $1 })
        let bucket = try #require(plain.objectStore?.bucket)
        #expect(bucket.description == "s3://words/shop" && bucket.region == "us-east-1")
        #expect(plain.delivery == .redirect && plain.objectStore?.credentials.sessionToken == nil)
        let full = try await Self.settings(
            [
                "QUARTERMASTER_CONTENT": "s3://words", "QUARTERMASTER_OBJECT_STORE_ENDPOINT": "https://store.example",
                "QUARTERMASTER_OBJECT_STORE_REGION": "north", "QUARTERMASTER_OBJECT_STORE_PATH_STYLE": "false",
                "QUARTERMASTER_DELIVERY": "redirect", "AWS_SESSION_TOKEN": "token", "AWS_REGION": "south",
            ].merging(Self.keys) { $1 })
        #expect(full.objectStore?.bucket.region == "north" && full.objectStore?.credentials.sessionToken == "token")
        #expect(try await Self.settings([:]).objectStore == nil)
    }

    @Test func `The credentials of a bucket may be in a file`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let variables = [
            "QUARTERMASTER_CONTENT": "s3://words", "QUARTERMASTER_OBJECT_STORE_CREDENTIALS": file.path,
        ]
        let missing = await #expect(throws: SettingError.self) { try await Self.settings(variables) }
        #expect(missing?.description.contains(file.path) == true)
        for text in ["{'accessKeyID': 'a', 'accessKeyID': 'c', 'secretAccessKey': 'b'}", "{'accessKeyID': 'a',}"] {
            try Data(text.replacing("'", with: "\"").utf8).write(to: file)
            let wrong = await #expect(throws: SettingError.self) { try await Self.settings(variables) }
            #expect(wrong?.description.contains(file.path) == true)
        }
        try Data("{\"accessKeyID\": \"a\", \"secretAccessKey\": \"b\"}".utf8).write(to: file)
        #expect(try await Self.settings(variables).objectStore?.credentials.accessKeyID == "a")
    }

    @Test(
        arguments: [
            (["QUARTERMASTER_CONTENT": "s3://Words"], "content: should be s3://"),
            (["QUARTERMASTER_OBJECT_STORE_ENDPOINT": "store.example"], "objectStore.endpoint: should be https://"),
            (["QUARTERMASTER_OBJECT_STORE_PATH_STYLE": "maybe"], "PATH_STYLE: should be true or false"),
            (["AWS_SECRET_ACCESS_KEY": ""], "AWS_SECRET_ACCESS_KEY"),
            (["QUARTERMASTER_DELIVERY": "local"], "delivery: local needs a content folder"),
            (["QUARTERMASTER_DELIVERY": "accel"], "delivery: accel needs a content folder"),
        ] as [([String: String], String)])
    func `A mistake in the settings of a bucket is named`(_ variables: [String: String], _ error: String) async throws {
        let all = ["QUARTERMASTER_CONTENT": "s3://words"].merging(Self.keys) { $1 }.merging(variables) { $1 }
        let thrown = await #expect(throws: SettingError.self) { try await Self.settings(all) }
        #expect(thrown?.description.contains(error) == true, "\(String(describing: thrown))")
    }

    @Test func `An unknown object store setting in the file is refused`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("{\"objectStore\": {\"bucket\": \"words\"}}".utf8).write(to: file)
        let thrown = await #expect(throws: SettingError.self) {
            try await SettingSources(flags: [:], environment: [:], file: file.path)
        }
        #expect(thrown?.description.contains("objectStore.bucket") == true)
    }
}
