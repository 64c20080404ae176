/// The administrator who is signed in, as the head of every page shows them.
package struct Viewer: Sendable {
    package var name: String
    package var role: String
    package var navigation: [NavigationItem]
    /// The session's token against forged requests, which every form that changes something sends.
    package var csrf: String

    package init(name: String, role: String, navigation: [NavigationItem], csrf: String) {
        self.name = name
        self.role = role
        self.navigation = navigation
        self.csrf = csrf
    }
}
