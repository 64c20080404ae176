import ArgumentParser
import AuditSeal
import Basics
import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP
import SystemPackage

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "List the keys that sign manifests and entitlements, and have a root key vouch for them.",
        subcommands: [Root.self, List.self, Sign.self, Publish.self])

    struct Root: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a root key, which vouches for a server's keys.", subcommands: [Create.self])
    }

    struct List: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the keys of manifests, oldest first.",
            discussion: """
                With --json, prints them as GET /v1/keys does: that is what `keys sign --list` reads.

                Example: quartermaster keys list --json > keys.json
                """)

        @OptionGroup var options: SettingOptions
        @OptionGroup var confirmation: Confirmation
        @Flag(help: "Print JSON.") var json = false

        func run(_ program: any ServerProgram) async throws {
            try await options.withLedger(program.handlers) { ledger, _ in
                let keys = try await ManifestKeys.existing(in: ledger)
                guard !json else { return print(try JSONWebKeySet(keys).json) }
                let output = TextOutput.standard()
                output.print(keys.table(for: output, at: Date()))
                confirmation.print(keys.list?.words ?? "No root key has signed them.")
            }
        }
    }
}

extension KeysCommand.Root {
    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a root key in a file, and print its public key, which apps pin.",
            discussion: """
                Keep the file offline: no server needs it. Create two in two places, and pin both: either one signs.

                Example: quartermaster keys root create --out root.pem
                """)

        @Option(help: "The file to write; it must not exist.") var out: String

        func run() throws {
            let root = try RootKey(systemRandomBytes)
            do {
                let file = try FileDescriptor.open(
                    FilePath(out), .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
                _ = try file.closeAfter { try file.writeAll(root.pem.utf8) }
            } catch {
                throw CommandError("\(out): cannot be created: \(error)")
            }
            print(root.publicText)
        }
    }
}

extension KeysCommand {
    struct Sign: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign the list of keys with a root key.",
            discussion: """
                Signs the keys of the ledger and publishes the list, or with --list the keys of a file, on a machine \
                without the ledger; then `keys publish` publishes what it prints. Do it when the next key is listed, \
                at most 90 days before that signs: until then the server goes on with the present one.

                Example: quartermaster keys sign --root root.pem
                Example: quartermaster keys sign --root root.pem --list keys.json > list.jws
                """)

        @OptionGroup var options: SettingOptions
        @Option(help: "The file with the root key.") var root: String
        @Option(help: "A file with the answer of GET /v1/keys, or of `keys list --json`.") var list: String?
        // An ID may begin with a hyphen.
        @Option(
            parsing: .unconditionalSingleValue,
            help: "The ID of a key to leave out, because it was stolen. Can be repeated.")
        var without: [String] = []
        @Option(help: "For how many days apps accept the list.") var days = 730
        @OptionGroup var confirmation: Confirmation

        private static let daysAllowed = 30...3_650

        func validate() throws {
            guard Self.daysAllowed.contains(days) else {
                throw ValidationError("--days: \(Self.daysAllowed.lowerBound) to \(Self.daysAllowed.upperBound).")
            }
            guard list == nil || options.flags.database == nil else {
                throw ValidationError("--list signs a file without any ledger; leave out --database.")
            }
        }

        func run(_ program: any ServerProgram) async throws {
            let root = try KeysCommand.read(self.root) { try RootKey(pem: $0) }
            if let list {
                let set = try KeysCommand.read(list) {
                    try JSONDecoder().decode(JSONWebKeySet.self, from: Data($0.utf8))
                }
                return print(try signed(set, by: root, at: Date()).jws)
            }
            try await options.withLedger(program.handlers) { ledger, _ in
                var keys = try await ManifestKeys.existing(in: ledger)
                let date = Date()
                if keys.all.allSatisfy({ without.contains($0.id) }) {
                    keys = try await keys.makingNext(in: ledger, at: date, random: systemRandomBytes)
                }
                let signed = try signed(JSONWebKeySet(keys), by: root, at: date)
                try await KeysCommand.publish(signed, to: ledger, over: keys, at: date, confirmation)
            }
        }

        private func signed(_ set: JSONWebKeySet, by root: RootKey, at date: Date) throws -> SignedKeyList {
            let keys = set.keys.filter { $0.purpose == "manifests" }
            if let unknown = without.first(where: { id in !keys.contains { $0.kid == id } }) {
                throw CommandError("\(unknown): there is no such key")
            }
            let list = try KeyList(
                version: (set.version ?? 0) + 1, at: date, expires: date.addingTimeInterval(Double(days) * 86_400),
                keys: keys.filter { key in !without.contains { $0 == key.kid } })
            return try SignedKeyList(list, by: root)
        }
    }

    struct Publish: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Publish a list of keys that `keys sign --list` has signed.",
            discussion: """
                Servers answer it within two minutes, and then sign by it.

                Example: quartermaster keys publish list.jws
                """)

        @OptionGroup var options: SettingOptions
        @Argument(help: "The file with the list.") var file: String
        @OptionGroup var confirmation: Confirmation

        func run(_ program: any ServerProgram) async throws {
            let signed = try KeysCommand.read(file) { text throws(KeyListError) in
                try SignedKeyList(text.trimmingCharacters(in: .whitespacesAndNewlines))
            }
            try await options.withLedger(program.handlers) { ledger, _ in
                let keys = try await ManifestKeys.existing(in: ledger)
                try await KeysCommand.publish(signed, to: ledger, over: keys, at: Date(), confirmation)
            }
        }
    }

    /// - Throws: ``/ServerCore/CommandError`` that names the file.
    private static func read<Value>(_ path: String, _ parse: (String) throws -> Value) throws -> Value {
        do {
            return try parse(String(contentsOfFile: path, encoding: .utf8))
        } catch let error as KeyListError {
            throw CommandError("\(path): \(error)")
        } catch {
            throw CommandError("\(path): \((error as? DecodingError)?.explanation ?? error.localizedDescription)")
        }
    }

    private static func publish(
        _ signed: SignedKeyList, to ledger: any Ledger, over keys: ManifestKeys, at date: Date,
        _ confirmation: Confirmation
    ) async throws {
        do {
            try await signed.publish(to: ledger, over: keys, by: .operatingSystemUser, at: date)
        } catch let error as KeyListError {
            throw CommandError("\(error)")
        }
        confirmation.print("Published: \(signed.words)")
    }
}

extension ManifestKeys {
    /// - Throws: ``/ServerCore/CommandError`` before a server has created one.
    fileprivate static func existing(in ledger: any KeyValueStore) async throws -> ManifestKeys {
        guard let keys = try await stored(in: ledger) else {
            throw CommandError("there are no keys yet: the first start of a server creates one")
        }
        return keys
    }

    fileprivate func table(for output: TextOutput, at date: Date) -> TextTable {
        let (signing, published) = (signing(at: date).id, Set(published.map(\.id)))
        return TextTable(
            ["Key", "Created", "Signs from", "State"],
            all.map { key in
                let state =
                    !published.contains(key.id)
                    ? "left out" : key.id == signing ? "signs" : isNamed(key) ? "" : "not signed by the root"
                return [key.id, output.time(key.created), output.time(signsFrom(key)), state]
            })
    }
}

extension SignedKeyList {
    fileprivate var words: String {
        "version \(list.version), \(list.keys.count.counted("key")), until \(list.expires), signed by the root \(root)"
    }
}
