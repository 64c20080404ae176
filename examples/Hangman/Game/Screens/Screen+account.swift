extension Screen {
    /// Whose the purchases are. The recovery code is shown while the player asks for it.
    var account: [StyledLine] {
        var lines = [StyledLine(), row("Account", model.shop.account ?? "none yet")]
        lines.append(row("Recovery code", model.code ?? "hidden; c shows it"))
        if model.shop.waiting > 0 { lines.append(row("Waiting", "\(model.shop.waiting) purchases to be judged")) }
        lines.append(StyledLine())
        let about =
            model.shop.account == nil
            ? "An account is made with the first purchase, hint or download. It needs no name and no address."
            : "Who has the recovery code has the account. With it, another device gets all that you own."
        lines += paragraph(about, .muted)
        if model.shop.hasOtherOwner {
            lines +=
                [StyledLine()] + paragraph("A purchase of yours belongs to another account; p transfers it.", .strong)
        }
        return lines
    }

    private func row(_ title: String, _ text: String) -> StyledLine {
        StyledLine("   ") + StyledLine(title, .muted).fitted(to: 16) + StyledLine(Columns.printable(text))
    }
}
