import ArgumentParser

/// The options of all acts of support.
struct SupportOptions: ParsableArguments {
    @OptionGroup var settings: SettingOptions
    @Option(help: "The reason, such as a ticket number and a few words. It is recorded in the audit trail.")
    var reason: String
    @Flag(help: "Print what would change, without changing anything.")
    var dryRun = false
    @OptionGroup var confirmation: Confirmation
    @Flag(help: "Print JSON.")
    var json = false
}
