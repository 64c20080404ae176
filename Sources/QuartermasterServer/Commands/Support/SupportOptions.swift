import ArgumentParser

/// The options of all acts of support.
struct SupportOptions: ParsableArguments {
    @OptionGroup var settings: SettingOptions
    @Option(help: "Why: the number of a ticket, and a few words. It stays in the audit trail.")
    var reason: String
    @Flag(help: "Print what would change, and change nothing.")
    var dryRun = false
    @OptionGroup var confirmation: Confirmation
    @Flag(help: "Print JSON.")
    var json = false
}
