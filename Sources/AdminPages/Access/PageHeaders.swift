import HTTPTypes

/// The header fields of the pages, which allow only the server's own style sheet, pictures, sounds and forms, no
/// framing by other pages, and no caching.
enum PageHeaders {
    private static let fields: [(name: String, value: String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; style-src 'self'; img-src 'self'; media-src 'self'; form-action 'self'; frame-ancestors 'none'; "
                + "base-uri 'none'"
        ),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Referrer-Policy", "same-origin"),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("X-Robots-Tag", "noindex"),
        (
            "Permissions-Policy",
            "camera=(), clipboard-read=(), display-capture=(), fullscreen=(), geolocation=(), microphone=(), "
                + "payment=(), usb=()"
        ),
    ]

    /// - Parameter isKept: whether browsers may cache the answer, whose path changes with its content.
    static func all(_ contentType: String, isKept: Bool = false) -> HTTPFields {
        var headers = HTTPFields()
        for field in fields {
            guard let name = HTTPField.Name(field.name) else { continue }
            headers[name] = field.value
        }
        headers[.contentType] = contentType
        headers[.cacheControl] = isKept ? "public, max-age=31536000, immutable" : "no-store"
        return headers
    }
}
