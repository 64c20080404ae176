import ServerCore

/// The templates, by name.
///
/// Every name begins with a dot: Mustache would look for one that is missing in the enclosing contexts. No string is
/// left unescaped; attributes have double quotes.
enum Templates {
    static let all = [
        "page": page, "block": block, "card": card, "panel": panel, "table": table, "cell": cell, "form": form,
        "field": field, "timeline": timeline, "difference": difference, "chart": chart,
    ]

    private static let page = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>{{.title}} – Quartermaster</title>
        <link rel="stylesheet" href="{{.styleSheet}}">
        <link rel="icon" href="/admin/assets/icon.svg" type="image/svg+xml">
        </head>
        <body>
        {{#.viewer}}
        <a class="skip" href="#main">Skip to the content</a>
        <header>
        <p class="brand"><a href="/admin">Quartermaster</a></p>
        <nav aria-label="Pages"><ul>
        {{#.links}}
        <li><a href="{{.href}}"{{#.isCurrent}} aria-current="page"{{/.isCurrent}}>{{.text}}</a></li>
        {{/.links}}
        {{#.groups}}
        <li><details name="pages"><summary{{#.isCurrent}} aria-current="true"{{/.isCurrent}}>{{.name}}</summary>
        <ul>
        {{#.items}}
        <li><a href="{{.href}}"{{#.isCurrent}} aria-current="page"{{/.isCurrent}}>{{.text}}</a></li>
        {{/.items}}
        </ul></details></li>
        {{/.groups}}
        </ul></nav>
        <form class="viewer" method="post" action="/admin/sign-out">
        <input type="hidden" name="csrf" value="{{.csrf}}">
        <span>{{.name}}, <span class="role">{{.role}}</span></span>
        <button class="quiet" type="submit">Sign out</button>
        </form>
        </header>
        {{/.viewer}}
        <main id="main" tabindex="-1">
        <h1>{{.title}}</h1>
        {{#.notice}}
        <p class="notice {{.tone}}" role="status">{{.text}}</p>
        {{/.notice}}
        {{#.side}}
        <div class="split"><div class="side">
        {{#.items}}
        {{>block}}
        {{/.items}}
        </div><div>
        {{/.side}}
        {{#.blocks}}
        {{>block}}
        {{/.blocks}}
        {{#.side}}
        </div></div>
        {{/.side}}
        </main>
        {{#.viewer}}
        <footer>Times are in {{.zone}}. <a href="/admin/time-zone">Choose a time zone</a></footer>
        {{/.viewer}}
        </body>
        </html>

        """

    private static let block = """
        <section{{#.id}} id="{{.}}"{{/.id}}>
        {{#.heading}}
        <h2>{{.}}</h2>
        {{/.heading}}
        {{#.text}}
        <p>{{.}}</p>
        {{/.text}}
        {{#.cards}}
        <ul class="cards">
        {{#.items}}
        {{>card}}
        {{/.items}}
        </ul>
        {{/.cards}}
        {{#.panels}}
        <ul class="panels">
        {{#.items}}
        {{>panel}}
        {{/.items}}
        </ul>
        {{/.panels}}
        {{#.settled}}
        <details><summary>{{.summary}}</summary>
        <ul class="cards">
        {{#.items}}
        {{>card}}
        {{/.items}}
        </ul></details>
        {{/.settled}}
        {{#.facts}}
        <dl>
        {{#.items}}
        <dt>{{.name}}</dt><dd>{{#.value}}{{>cell}}{{/.value}}</dd>
        {{/.items}}
        </dl>
        {{/.facts}}
        {{#.fold}}
        <details><summary>{{.}}</summary>
        {{/.fold}}
        {{#.table}}
        {{>table}}
        {{/.table}}
        {{#.listing}}
        <pre>{{.}}</pre>
        {{/.listing}}
        {{#.difference}}
        {{>difference}}
        {{/.difference}}
        {{#.fold}}
        </details>
        {{/.fold}}
        {{#.picture}}
        <p><img class="preview" src="{{.path}}" alt="{{.text}}" loading="lazy"></p>
        {{/.picture}}
        {{#.sound}}
        <p><audio controls preload="none" src="{{.path}}" aria-label="{{.text}}"></audio></p>
        {{/.sound}}
        {{#.charts}}
        <div class="charts">
        {{#.items}}
        {{>chart}}
        {{/.items}}
        </div>
        {{/.charts}}
        {{#.timeline}}
        {{>timeline}}
        {{/.timeline}}
        {{#.form}}
        {{>form}}
        {{/.form}}
        {{#.links}}
        <ul class="links">
        {{#.items}}
        <li><a href="{{.href}}">{{.text}}</a></li>
        {{/.items}}
        </ul>
        {{/.links}}
        </section>

        """

    private static let card = """
        <li class="{{.tone}}"><span class="title">{{.title}}</span>
        <strong>{{.value}}</strong>
        {{#.note}}
        <span class="note">{{.}}</span>
        {{/.note}}
        {{#.remedy}}
        <span class="note">{{.}}</span>
        {{/.remedy}}
        {{#.link}}
        <a href="{{.href}}">{{.text}}</a>
        {{/.link}}
        </li>

        """

    private static let panel = """
        <li><h3>{{#.title}}{{>cell}}{{/.title}}</h3>
        <p>{{#.badge}}<span class="badge {{.tone}}">{{.text}}</span>{{/.badge}} {{.text}}</p>
        {{#.notes}}
        <p class="note">{{.}}</p>
        {{/.notes}}
        {{#.links}}
        <ul class="links">
        {{#.items}}
        <li><a href="{{.href}}">{{.text}}</a></li>
        {{/.items}}
        </ul>
        {{/.links}}
        {{#.folded}}
        <details><summary>{{.summary}}</summary>
        {{#.table}}
        {{>table}}
        {{/.table}}
        </details>
        {{/.folded}}
        </li>

        """

    // The roles stay where small screens show rows as cards, which no longer are a table to the browser.
    private static let table = """
        {{^.hasRows}}
        <p class="empty">{{.empty}}</p>
        {{/.hasRows}}
        {{#.hasRows}}
        <table role="table">
        <caption>{{.caption}}</caption>
        <thead role="rowgroup"><tr role="row">
        {{#.columns}}
        <th scope="col" role="columnheader">{{.}}</th>
        {{/.columns}}
        </tr></thead>
        <tbody role="rowgroup">
        {{#.rows}}
        <tr role="row">
        {{#.cells}}
        <td role="cell" data-label="{{.label}}">{{>cell}}</td>
        {{/.cells}}
        </tr>
        {{/.rows}}
        </tbody>
        </table>
        {{/.hasRows}}

        """

    private static let cell = """
        {{#.badge}}<span class="badge {{.tone}}">{{.text}}</span>{{/.badge}}\
        {{#.time}}<time datetime="{{.datetime}}">{{.text}}</time>\
        {{#.distance}} <small>{{.}}</small>{{/.distance}}{{/.time}}\
        {{#.code}}<code{{#.title}} class="id" title="{{.}}"{{/.title}}>{{.text}}</code>{{/.code}}\
        {{#.link}}<a href="{{.href}}"{{#.title}} class="id" title="{{.}}"{{/.title}}>{{.text}}</a>{{/.link}}\
        {{#.text}}{{.}}{{/.text}}\
        {{#.beneath}} <code class="beneath">{{.}}</code>{{/.beneath}}\
        {{#.note}} <small class="note">{{.}}</small>{{/.note}}\
        {{#.actions}} <a class="action" href="{{.href}}">{{.text}}</a>{{/.actions}}
        """

    private static let form = """
        {{#.isFilter}}
        <details class="filter"{{#.isOpen}} open{{/.isOpen}}><summary>Filter</summary>
        {{/.isFilter}}
        <form method="{{.method}}" action="{{.action}}"{{#.encoding}} enctype="{{.}}"{{/.encoding}}>
        {{#.hidden}}
        <input type="hidden" name="{{.name}}" value="{{.value}}">
        {{/.hidden}}
        {{#.fields}}
        {{>field}}
        {{/.fields}}
        <p><button type="submit"{{#.isDangerous}} class="dangerous"{{/.isDangerous}}>{{.button}}</button></p>
        </form>
        {{#.isFilter}}
        </details>
        {{/.isFilter}}

        """

    private static let field = """
        {{#.group}}
        {{^.isFolded}}
        <fieldset><legend>{{.label}}</legend>
        {{/.isFolded}}
        {{#.isFolded}}
        <details class="group"{{#.isOpen}} open{{/.isOpen}}><summary>{{.label}}</summary>
        {{/.isFolded}}
        {{#.hint}}
        <p class="note">{{.}}</p>
        {{/.hint}}
        {{#.fields}}
        {{>field}}
        {{/.fields}}
        {{^.isFolded}}
        </fieldset>
        {{/.isFolded}}
        {{#.isFolded}}
        </details>
        {{/.isFolded}}
        {{/.group}}
        {{^.group}}
        <p class="field"><label for="{{.id}}">{{.label}}</label>
        {{#.hint}}
        <small id="{{.id}}">{{.text}}</small>
        {{/.hint}}
        {{#.mistake}}
        <strong class="mistake" id="{{.id}}">{{.text}}</strong>
        {{/.mistake}}
        {{#.input}}
        <input id="{{.id}}" name="{{.name}}" type="{{.type}}" value="{{.value}}" autocomplete="{{.autocomplete}}"\
        {{#.isRequired}} required{{/.isRequired}}{{#.maximum}} maxlength="{{.}}"{{/.maximum}}{{#.list}} list="{{.}}"{{/.list}}\
        {{#.step}} step="{{.}}"{{/.step}}\
        {{#.isInvalid}} aria-invalid="true"{{/.isInvalid}}{{#.describedBy}} aria-describedby="{{.}}"{{/.describedBy}}>
        {{/.input}}
        {{#.suggestions}}
        <datalist id="{{.id}}">
        {{#.options}}
        <option value="{{.value}}">{{.text}}</option>
        {{/.options}}
        </datalist>
        {{/.suggestions}}
        {{#.area}}
        <textarea id="{{.id}}" name="{{.name}}" rows="{{.rows}}" spellcheck="false" autocomplete="off"\
        {{#.isInvalid}} aria-invalid="true"{{/.isInvalid}}{{#.describedBy}} aria-describedby="{{.}}"{{/.describedBy}}>
        {{.value}}</textarea>
        {{/.area}}
        {{#.files}}
        <input id="{{.id}}" name="{{.name}}" type="file" multiple{{#.isFolder}} webkitdirectory{{/.isFolder}}\
        {{#.isInvalid}} aria-invalid="true"{{/.isInvalid}}{{#.describedBy}} aria-describedby="{{.}}"{{/.describedBy}}>
        {{/.files}}
        {{#.choices}}
        <select id="{{.id}}" name="{{.name}}"\
        {{#.isInvalid}} aria-invalid="true"{{/.isInvalid}}{{#.describedBy}} aria-describedby="{{.}}"{{/.describedBy}}>
        {{#.options}}
        <option value="{{.value}}"{{#.isSelected}} selected{{/.isSelected}}>{{.text}}</option>
        {{/.options}}
        </select>
        {{/.choices}}
        </p>
        {{/.group}}

        """

    // The marks are text of their own: nobody has to see colours, and copying the lines copies them, too.
    private static let difference = """
        <ol class="difference">
        {{#.items}}
        {{#.removed}}
        <li><del><span class="mark">− </span>{{.}}</del></li>
        {{/.removed}}
        {{#.added}}
        <li><ins><span class="mark">+ </span>{{.}}</ins></li>
        {{/.added}}
        {{#.same}}
        <li><span class="mark">  </span>{{.}}</li>
        {{/.same}}
        {{/.items}}
        </ol>

        """

    // Whoever does not see it has the title, the description and the table.
    private static let chart = """
        <div><h3>{{.title}}</h3>
        <p class="note">{{.description}}</p>
        <svg class="chart {{.tone}}" role="img" aria-labelledby="{{.id}}-title {{.id}}-description" \
        viewBox="0 0 {{.width}} {{.height}}" xmlns="http://www.w3.org/2000/svg">
        <title id="{{.id}}-title">{{.title}}</title>
        <desc id="{{.id}}-description">{{.description}}</desc>
        {{#.lines}}
        <line x1="{{.x}}" y1="{{.y}}" x2="100%" y2="{{.y}}"/>
        <text class="number" x="{{.end}}" y="{{.y}}">{{.text}}</text>
        {{/.lines}}
        {{#.bars}}
        <rect x="{{.x}}" y="{{.y}}" width="{{.width}}" height="{{.height}}"><title>{{.text}}</title></rect>
        {{/.bars}}
        {{#.days}}
        <text x="{{.x}}" y="{{.y}}">{{.text}}</text>
        {{/.days}}
        </svg>
        <details><summary>{{.title}} as a table</summary>
        {{#.table}}
        {{>table}}
        {{/.table}}
        </details></div>

        """

    private static let timeline = """
        <ol class="timeline">
        {{#.items}}
        <li class="{{.tone}}">
        {{#.time}}<p class="when"><time datetime="{{.datetime}}">{{.text}}</time>\
        {{#.distance}} <small>{{.}}</small>{{/.distance}}</p>{{/.time}}
        <p><strong>{{.title}}</strong>{{#.actor}} by {{.}}{{/.actor}}\
        {{#.link}} <a href="{{.href}}"{{#.title}} class="id" title="{{.}}"{{/.title}}>{{.text}}</a>{{/.link}}</p>
        {{#.text}}
        <p>{{.}}</p>
        {{/.text}}
        {{#.details}}
        <details><summary>Details</summary><p class="details">{{.}}</p></details>
        {{/.details}}
        </li>
        {{/.items}}
        </ol>

        """
}
