"""One picture with every page, on a phone and on a desktop, in each colour scheme."""

from html import escape

WIDTHS = (390, 1280)
# Pages can be told apart in a quarter of their size; what is far below the window's end says little more.
SCALE, SHOWN_HEIGHT = 0.25, 1_200
SHEET_WIDTH = 1_800


def contact_sheet(browser, folder, names, widths, schemes):
    """Writes contact-sheet.png into the folder of the pictures, which are named NAME-SCHEME-WIDTH.png."""
    shown = [(scheme, width) for scheme in schemes for width in widths if width in WIDTHS or len(widths) == 1]
    pages = []
    for name in names:
        pictures = "".join(
            f'<img src="{folder.resolve().as_uri()}/{escape(name)}-{scheme}-{width}.png" alt=""'
            f' width="{int(width * SCALE)}">' for scheme, width in shown)
        pages.append(f"<figure><figcaption>{escape(name)}</figcaption>{pictures}</figure>")
    sheet = folder / "contact-sheet.html"
    sheet.write_text(
        "<!DOCTYPE html><meta charset=utf-8><title>Pages</title><style>"
        "body { font: 14px sans-serif; background: #999; margin: 8px } figure { display: inline-block; margin: 0 8px 8px 0 }"
        " img { vertical-align: top; margin-right: 4px; object-fit: cover; object-position: top;"
        f" max-height: {int(SHOWN_HEIGHT * SCALE)}px }}</style>{''.join(pages)}")
    page = browser.new_page(viewport={"width": SHEET_WIDTH, "height": 1_000})
    page.goto(sheet.resolve().as_uri())
    page.screenshot(path=folder / "contact-sheet.png", full_page=True)
    page.close()
