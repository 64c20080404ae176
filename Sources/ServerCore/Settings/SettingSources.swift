package import Configuration
import Foundation
import InAppPurchase
import Ledger
package import ServerHTTP
import StrictJSON
import Synchronization
import SystemPackage

/// The sources of settings, in order of precedence.
///
/// Each source is read by itself, so that an invalid value is an error that names its place and never a silent default.
package struct SettingSources: Sendable {
    private struct Source: Sendable {
        var reader: ConfigReader
        /// The name by which an operator knows the setting in this source.
        var place: @Sendable (String) -> String
    }

    /// The settings that were asked for, with their defaults as text.
    private final class Asked: Sendable {
        let defaults = Mutex<[String: String]>([:])
    }

    private var sources: [Source] = []
    private let environment: [String: String]
    private let asked: Asked?
    /// The path of the configuration file; `nil` if there is none.
    package let file: String?
    /// The apps that variables and the file name: the place of each by the form that its ID has in a variable.
    private(set) var namedApps: [String: String] = [:]

    private init(_ asked: Asked) {
        environment = [:]
        self.asked = asked
        file = nil
    }

    /// The settings that `read` asks for where none has a value: their defaults as text, by name.
    package static func defaults(of read: (SettingSources) throws -> Void) rethrows -> [String: String] {
        let asked = Asked()
        try read(SettingSources(asked))
        return asked.defaults.withLock { $0 }
    }

    /// Makes a setting known that is read later, when its app is known.
    package func declare(_ name: String, default text: String = "none") {
        asked?.defaults.withLock { $0[name] = text }
    }

    /// - Parameters:
    ///   - flags: values by the names of the settings.
    ///   - environment: the process's environment variables.
    ///   - file: a JSON file.
    /// - Throws: ``/ServerHTTP/SettingError`` if the file cannot be read, and for a name in it or in the environment
    ///   that no setting has.
    package init(flags: [String: ConfigContent], environment: [String: String], file: String?) async throws {
        let values = flags.map { name, value in
            (AbsoluteConfigKey(name.split(separator: ".").map(String.init)), ConfigValue(value, isSecret: false))
        }
        let commandLine = InMemoryProvider(
            name: "command line", values: Dictionary(values) { first, _ in first })
        let variables = EnvironmentVariablesProvider(environmentVariables: environment)
            .prefixKeys(with: "quartermaster")
        self.environment = environment
        asked = nil
        self.file = file
        sources = [
            Source(reader: ConfigReader(provider: commandLine)) { "--" + $0.flagName },
            Source(reader: ConfigReader(provider: variables)) {
                Self.variable(of: $0)
            },
        ]
        namedApps = try Self.checkVariables(in: environment)
        guard let file else { return }
        do {
            // First, since its errors say where.
            for app in try Self.checkNames(in: file) {
                namedApps[Self.variableName(app)] = "apps.\(app) in \(file)"
            }
            let provider = try await FileProvider<JSONSnapshot>(filePath: FilePath(file))
            sources.append(Source(reader: ConfigReader(provider: provider)) { "\($0) in \(file)" })
        } catch let error as SettingError {
            throw error
        } catch let error as JSONError {
            throw SettingError("\(file): \(error)")
        } catch let error as DecodingError {
            throw SettingError("\(file): \(error.explanation)")
        } catch {
            let cause = (error as? CocoaError)?.localizedDescription ?? "\(error)"
            throw SettingError("\(file): cannot be read as a JSON configuration: \(cause)")
        }
    }

    /// The configuration files of the current folder, of which the first existing one is read; `make run` writes the
    /// second.
    static let usualFiles = ["quartermaster.json", "var/quartermaster.json"]
    /// The configuration file of this machine's server, which is read if the current folder has none. In a folder that
    /// the process may not look into it counts as missing.
    package static let machineFile = "/etc/quartermaster/settings.json"

    /// The configuration file of a command.
    ///
    /// - Parameters:
    ///   - name: the command line's option.
    ///   - environment: the environment variables, of which `QUARTERMASTER_CONFIG` may name a file; if it is empty,
    ///     none is used.
    ///   - folder: the current folder.
    ///   - machineFile: ``machineFile``.
    package static func file(
        named name: String?, _ environment: [String: String],
        in folder: String = FileManager.default.currentDirectoryPath, or machineFile: String = machineFile
    ) -> String? {
        if let name = name ?? environment[fileVariable] { return name.isEmpty ? nil : name }
        return usualFiles.first { FileManager.default.fileExists(atPath: "\(folder)/\($0)") }
            ?? (FileManager.default.fileExists(atPath: machineFile) ? machineFile : nil)
    }

    /// There are some hundred settings, including those of each app.
    private static let limits = JSONLimits(maximumMembers: 10_000)

    /// - Returns: the apps that the file names.
    /// - Throws: ``/ServerHTTP/SettingError`` for the first name that no setting has.
    private static func checkNames(in file: String) throws -> [String] {
        let text: Data
        let json: StrictJSON
        do { text = try Data(contentsOf: URL(filePath: file)) } catch {
            let cause = LocalUser.current.hindrance(at: file) ?? error.localizedDescription
            throw SettingError("\(file): cannot be read: \(cause)")
        }
        do { json = try StrictJSON(text, limits, tolerance: .byteOrderMark) } catch {
            throw SettingError("\(file): \(error)")
        }
        let members = try json.decode([String: JSONValue].self)
        let names = Settings.defaults.keys.map { $0.split(separator: ".").map(String.init) }
        try refuse(members, Set(names.compactMap(\.first)), at: "", in: file)
        let groups = Dictionary(grouping: names.filter { $0.count == 2 }) { $0[0] }
        for (name, known) in groups.sorted(by: { $0.key < $1.key }) {
            try refuse(
                try object(members[name], at: name, in: file), Set(known.map { $0[1] }), at: "\(name).", in: file)
        }
        let apps = try object(members["apps"], at: "apps", in: file)
        for (app, settings) in apps.sorted(by: { $0.key < $1.key }) {
            let settings = try object(settings, at: "apps.\(app)", in: file)
            try refuse(settings, AppStoreSettings.appNames, at: "apps.\(app).", in: file)
            try requireTexts(settings, AppStoreSettings.appTextNames, at: "apps.\(app).", in: file)
        }
        return Array(apps.keys)
    }

    /// - Returns: its members; none if there is no value.
    private static func object(_ value: JSONValue?, at place: String, in file: String) throws -> [String: JSONValue] {
        guard let value else { return [:] }
        guard case .object(let members) = value else { throw SettingError("\(place) in \(file): should be an object") }
        return members
    }

    /// Refuses a value that is no string: it is read when it is needed, and would count as none then.
    private static func requireTexts(
        _ members: [String: JSONValue], _ names: Set<String>, at place: String, in file: String
    ) throws {
        for (name, value) in members.sorted(by: { $0.key < $1.key }) where names.contains(name) {
            guard case .string = value else { throw SettingError("\(place)\(name) in \(file): should be text") }
        }
    }

    /// - Throws: ``/ServerHTTP/SettingError`` for the first name that is unknown.
    private static func refuse(
        _ members: [String: JSONValue], _ known: Set<String>, at place: String, in file: String
    ) throws {
        for name in members.keys.sorted() where !known.contains(name) {
            let suggestion = name.nearest(in: known).map { "; did you mean \(place)\($0)?" } ?? ""
            throw SettingError("\(place)\(name) in \(file): there is no such setting\(suggestion)")
        }
    }

    /// An environment variable of other programs; `nil` if it is empty.
    func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// - Parameter text: describes the default.
    package func string(_ name: String, default text: String = "none") throws -> String? {
        try value(name, "text", default: text) { reader, key in
            reader.string(forKey: key).flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    package func string(_ name: String, or standard: String) throws -> String {
        try string(name, default: standard) ?? standard
    }

    package func bool(_ name: String, default text: String) throws -> Bool? {
        try value(name, "true or false", default: text) { $0.bool(forKey: $1) }
    }

    package func bool(_ name: String, or standard: Bool) throws -> Bool {
        try bool(name, default: "\(standard)") ?? standard
    }

    package func address(_ name: String, such example: String) throws -> ListenAddress? {
        try value(name, "a host and a port, such as \(example)") {
            $0.string(forKey: $1).flatMap { ListenAddress($0) }
        }
    }

    package func url(_ name: String, or standard: String) throws -> String {
        try value(name, "an http or https URL", default: standard) { reader, key in
            reader.string(forKey: key).flatMap { text in
                let url = URL(string: text)
                return ["http", "https"].contains(url?.scheme) && url?.host() != nil ? text : nil
            }
        } ?? standard
    }

    package func port(_ name: String, or standard: Int) throws -> Int {
        try number(name, "a port from 0 to 65535", in: 0...65_535, or: standard)
    }

    package func number(_ name: String, _ expected: String, in range: ClosedRange<Int>, or standard: Int) throws -> Int
    {
        try value(name, expected, default: "\(standard)") { reader, key in
            reader.int(forKey: key).flatMap { range.contains($0) ? $0 : nil }
        } ?? standard
    }

    package func word<Word: RawRepresentable<String>>(_ name: String, _ expected: String, or standard: Word) throws
        -> Word
    {
        try value(name, expected, default: standard.rawValue) {
            $0.string(forKey: $1).flatMap { Word(rawValue: $0) }
        } ?? standard
    }

    /// - Parameter item: `nil` for a text that is no such item.
    package func list<Item>(_ name: String, _ expected: String, _ item: (String) -> Item?) throws -> [Item] {
        try value(name, expected) { reader, key in
            guard let texts = reader.stringArray(forKey: key) else { return nil }
            let items = texts.compactMap(item)
            return items.count == texts.count ? items : nil
        } ?? []
    }

    /// The value in the first source that has one.
    ///
    /// - Parameters:
    ///   - expected: a description of valid values.
    ///   - text: describes the default.
    ///   - key: needed if the dots in the name do not separate objects, as in a bundle ID.
    /// - Throws: ``/ServerHTTP/SettingError`` if that source has a value from which `read` returns `nil`.
    package func value<Value>(
        _ name: String, _ expected: String, default text: String = "none", at key: ConfigKey? = nil,
        _ read: (ConfigReader, ConfigKey) -> Value?
    ) throws -> Value? {
        declare(name, default: text)
        let key = key ?? ConfigKey(name)
        for source in sources where source.reader.has(key) {
            if let value = read(source.reader, key) { return value }
            throw SettingError("\(source.place(name)): should be \(expected)")
        }
        return nil
    }

    /// A secret; `nil` if the first source that has one has an empty string.
    package func secret(_ key: ConfigKey) -> String? {
        let value = sources.lazy.compactMap { $0.reader.string(forKey: key, isSecret: true) }.first
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension ConfigReader {
    /// Whether there is a value for the key, of any type.
    fileprivate func has(_ key: ConfigKey) -> Bool {
        string(forKey: key) != nil || int(forKey: key) != nil || bool(forKey: key) != nil
            || double(forKey: key) != nil || stringArray(forKey: key) != nil
    }
}

extension String {
    /// The name in words, such as `simulator-port` for `simulatorPort`.
    fileprivate var flagName: String {
        reduce(into: "") { text, letter in
            text += letter == "." ? "-" : letter.isUppercase ? "-" + letter.lowercased() : String(letter)
        }
    }
}
