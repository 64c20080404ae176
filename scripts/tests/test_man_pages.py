"""The man pages that scripts/man_pages.py makes of the program's help."""

import man_pages


def option(name, abstract, kind="option", **more):
    names = [{"kind": "long", "name": name}]
    return {"kind": kind, "names": names, "preferredName": names[0], "valueName": name, "abstract": abstract,
            "isOptional": True, "isRepeating": False, "shouldDisplay": True, **more}


QUIET = option("quiet", "Print nothing.", "flag",
               names=[{"kind": "long", "name": "quiet"}, {"kind": "short", "name": "q"}])
VERSION, HELP = option("version", "Show the version.", "flag"), option("help", "Show help information.", "flag")
LIST = {
    "commandName": "list", "abstract": "List the products.",
    "discussion": ".leading dots and back\\slashes are text.\n\nExample: shop products list \\\n    --by 'x'\nThe end.",
    "arguments": [
        option("by", "What to group by.", isOptional=False, allValues=["day", "app"], defaultValue="day"),
        option("database", "The ledger.", shouldDisplay=False),
        option("more", "More of them.", isRepeating=True), QUIET, option("colour", "Colours.", "flag"),
        option("no-colour", "", "flag"),
        {"kind": "positional", "valueName": "id", "abstract": "The ID.", "isOptional": False, "isRepeating": False,
         "shouldDisplay": True},
        VERSION, HELP,
    ],
}
ROOT = {
    "commandName": "shop", "abstract": "Sells things.",
    "subcommands": [
        {"commandName": "products", "abstract": "Products.", "subcommands": [LIST]}, {"commandName": "help"},
    ],
}


def test_each_command_has_a_page_and_help_has_none():
    assert list(man_pages.pages(ROOT, "1.0")) == ["shop.1", "shop-products.1", "shop-products-list.1"]


def test_a_group_leads_to_its_commands_and_to_what_it_is_in():
    page = man_pages.pages(ROOT, "1.0")["shop-products.1"]
    assert ".SH COMMANDS\n.TP\n\\fBshop\\-products\\-list\\fR(1)\nList the products.\n" in page
    assert page.endswith(".SH SEE ALSO\n\\fBshop\\fR(1), \\fBshop\\-products\\-list\\fR(1)\n")
    assert ".SH OPTIONS" not in page and ".SH EXAMPLES" not in page


def test_a_page_has_all_that_the_help_says():
    page = man_pages.pages(ROOT, "1.0")["shop-products-list.1"]
    assert page == r""".TH "SHOP\-PRODUCTS\-LIST" 1 "" "quartermaster 1.0" "Quartermaster"
.nh
.ad l
.SH NAME
shop\-products\-list \- List the products
.SH SYNOPSIS
\fBshop products list\fR \fB\-\-by\fR \fI<by>\fR [\fB\-\-more\fR \fI<more>\fR ...] [\fB\-\-quiet\fR] """ r"""[\fB\-\-colour\fR] [\fB\-\-no\-colour\fR] \fI<id>\fR
.SH DESCRIPTION
.PP
List the products.
.PP
\&.leading dots and back\eslashes are text.
.PP
The end.
.SH OPTIONS
.TP
\fB\-\-by\fR \fI<by>\fR
What to group by. (values: day, app; default: day)
.TP
\fB\-\-more\fR \fI<more>\fR
More of them.
.TP
\fB\-q\fR, \fB\-\-quiet\fR
Print nothing.
.TP
\fB\-\-colour\fR
.TQ
\fB\-\-no\-colour\fR
Colours.
.TP
\fI<id>\fR
The ID.
.TP
\fB\-\-version\fR
Show the version.
.TP
\fB\-\-help\fR
Show help information.
.SH SETTINGS
Those of \fBquartermaster\-serve\fR(1), by flag, environment or file. Flags here are, besides \-\-config:
.TP
\fB\-\-database\fR \fI<database>\fR
The ledger.
.SH EXAMPLES
.PP
.nf
shop products list \e
    \-\-by 'x'
.fi
.SH SEE ALSO
\fBshop\-products\fR(1)
"""


def test_a_command_that_takes_a_version_shows_it_in_its_synopsis():
    command = {"commandName": "publish", "arguments": [option("version", "A version."), HELP]}
    assert "[\\fB\\-\\-version\\fR \\fI<version>\\fR]\n" in man_pages.page(["publish"], command, "1.0")
