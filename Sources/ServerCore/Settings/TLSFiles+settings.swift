import ServerHTTP

extension TLSFiles {
    /// Reads the settings; `nil` if neither is set.
    /// - Throws: ``/ServerHTTP/SettingError`` if only one of them is set.
    package init?(_ sources: SettingSources) throws {
        switch (try sources.string("tls.certificate"), try sources.string("tls.privateKey")) {
        case (nil, nil): return nil
        case (let certificate?, let privateKey?):
            self.init(certificate: certificate, privateKey: privateKey)
        case (nil, _): throw SettingError("tls.certificate: is missing beside tls.privateKey")
        case (_, nil): throw SettingError("tls.privateKey: is missing beside tls.certificate")
        }
    }
}
