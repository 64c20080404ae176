import Basics
import Configuration
import Foundation
import InAppPurchase
import Ledger
import SystemPackage

/// The sources of settings, in order of precedence.
///
/// Each source is read by itself, so that an invalid value is an error that names its place and never a silent default.
struct SettingSources: Sendable {
    private struct Source: Sendable {
        var reader: ConfigReader
        /// The name by which an operator knows the setting in this source.
        var place: @Sendable (String) -> String
    }

    private var sources: [Source] = []
    private let environment: [String: String]
    /// The path of the configuration file; `nil` if there is none.
    let file: String?

    /// - Parameters:
    ///   - flags: values by the names of the settings.
    ///   - environment: the process's environment variables.
    ///   - file: a JSON file.
    /// - Throws: ``SettingError`` if the file cannot be read.
    init(flags: [String: ConfigContent], environment: [String: String], file: String?) async throws {
        let values = flags.map { name, value in
            (AbsoluteConfigKey(name.split(separator: ".").map(String.init)), ConfigValue(value, isSecret: false))
        }
        let commandLine = InMemoryProvider(
            name: "command line", values: Dictionary(values) { first, _ in first })
        let variables = EnvironmentVariablesProvider(environmentVariables: environment)
            .prefixKeys(with: "quartermaster")
        self.environment = environment
        self.file = file
        sources = [
            Source(reader: ConfigReader(provider: commandLine)) { "--" + $0.words(joinedBy: "-") },
            Source(reader: ConfigReader(provider: variables)) {
                "QUARTERMASTER_" + $0.words(joinedBy: "_").uppercased()
            },
        ]
        guard let file else { return }
        do {
            let provider = try await FileProvider<JSONSnapshot>(filePath: FilePath(file))
            try Self.refuseUnknownNames(in: file)
            sources.append(Source(reader: ConfigReader(provider: provider)) { "\($0) in \(file)" })
        } catch let error as SettingError {
            throw error
        } catch {
            throw SettingError("\(file): cannot be read as a JSON configuration: \(error)")
        }
    }

    /// The configuration files of the current folder, of which the first existing one is read; `make run` writes the
    /// second.
    static let usualFiles = ["quartermaster.json", "var/quartermaster.json"]

    /// The configuration file of a command.
    ///
    /// - Parameters:
    ///   - name: the command line's option.
    ///   - environment: the environment variables, of which `QUARTERMASTER_CONFIG` may name a file; if it is empty,
    ///     none is used.
    ///   - folder: the current folder.
    static func file(
        named name: String?, _ environment: [String: String],
        in folder: String = FileManager.default.currentDirectoryPath
    ) -> String? {
        if let name = name ?? environment["QUARTERMASTER_CONFIG"] { return name.isEmpty ? nil : name }
        return usualFiles.first { FileManager.default.fileExists(atPath: "\(folder)/\($0)") }
    }

    /// There are some hundred settings, including those of each app.
    private static let limits = JSONLimits(maximumMembers: 10_000)

    private static func refuseUnknownNames(in file: String) throws {
        let json = try StrictJSON(Data(contentsOf: URL(filePath: file)), limits, tolerance: .known)
        let members = try json.decode([String: JSONValue].self)
        try refuse(members, Settings.names, at: "", in: file)
        for (name, known) in Settings.nestedNames.sorted(by: { $0.key < $1.key }) {
            try refuse(try object(members[name], at: name, in: file), known, at: "\(name).", in: file)
        }
        for (app, settings) in try object(members["apps"], at: "apps", in: file).sorted(by: { $0.key < $1.key }) {
            let settings = try object(settings, at: "apps.\(app)", in: file)
            try refuse(settings, Settings.appNames, at: "apps.\(app).", in: file)
            try requireTexts(settings, Settings.appTextNames, at: "apps.\(app).", in: file)
        }
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

    /// - Throws: ``SettingError`` for the first name that is unknown.
    private static func refuse(
        _ members: [String: JSONValue], _ known: Set<String>, at place: String, in file: String
    ) throws {
        for name in members.keys.sorted() where !known.contains(name) {
            throw SettingError("\(place)\(name) in \(file): there is no such setting")
        }
    }

    /// An environment variable of other programs; `nil` if it is empty.
    func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }

    func string(_ name: String) throws -> String? {
        try value(name, "text") { reader, key in reader.string(forKey: key).flatMap { $0.isEmpty ? nil : $0 } }
    }

    func bool(_ name: String) throws -> Bool? { try value(name, "true or false") { $0.bool(forKey: $1) } }

    func url(_ name: String) throws -> String? {
        try value(name, "an http or https URL") { reader, key in
            reader.string(forKey: key).flatMap { text in
                let url = URL(string: text)
                return ["http", "https"].contains(url?.scheme) && url?.host() != nil ? text : nil
            }
        }
    }

    func port(_ name: String) throws -> Int? {
        try value(name, "a port from 0 to 65535") { reader, key in
            reader.int(forKey: key).flatMap { (0...65_535).contains($0) ? $0 : nil }
        }
    }

    /// The value in the first source that has one.
    ///
    /// - Parameters:
    ///   - expected: a description of valid values.
    ///   - key: needed if the dots in the name do not separate objects, as in a bundle ID.
    /// - Throws: ``SettingError`` if that source has a value from which `read` returns `nil`.
    func value<Value>(
        _ name: String, _ expected: String, at key: ConfigKey? = nil, _ read: (ConfigReader, ConfigKey) -> Value?
    ) throws -> Value? {
        let key = key ?? ConfigKey(name)
        for source in sources where source.reader.has(key) {
            if let value = read(source.reader, key) { return value }
            throw SettingError("\(source.place(name)): should be \(expected)")
        }
        return nil
    }

    /// A secret; `nil` if the first source that has one has an empty string.
    func secret(_ key: ConfigKey) -> String? {
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
    fileprivate func words(joinedBy separator: String) -> String {
        reduce(into: "") { text, letter in
            if letter == "." {
                text += separator
            } else {
                text += letter.isUppercase ? separator + letter.lowercased() : String(letter)
            }
        }
    }
}

/// A wrong setting: which one, and its place.
struct SettingError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
