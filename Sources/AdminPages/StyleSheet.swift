import ServerCore

/// The style of the pages, in light and dark. Every pair of colours has a contrast of at least 4.5 to 1 for text, 3 to
/// 1 for the edges of fields.
package enum StyleSheet {
    package static let text = """
        :root {
          color-scheme: light dark;
          --ground: #ffffff; --panel: #f4f6f8; --ink: #1b2026; --soft: #4a5460; --line: #cbd2d9; --edge: #6b7683;
          --accent: #0a559e; --on-accent: #ffffff;
          --good: #17602f; --good-ground: #e4f3e8; --bad: #9b1c1a; --bad-ground: #fdeceb;
          --waiting: #6d4500; --waiting-ground: #fff2d4; --plain: #3a434d; --plain-ground: #e8ecf0;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #11151a; --panel: #1a2027; --ink: #e6ebf0; --soft: #adb8c4; --line: #37414c; --edge: #8793a0;
            --accent: #8dc2ff; --on-accent: #0c1a2a;
            --good: #93dca9; --good-ground: #16301f; --bad: #ffaba5; --bad-ground: #3d1a19;
            --waiting: #f1ca7d; --waiting-ground: #352a10; --plain: #c6d0da; --plain-ground: #2a323b;
          }
        }
        * { box-sizing: border-box; }
        html { font: 16px/1.5 system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
        body { margin: 0; background: var(--ground); color: var(--ink); }
        a { color: var(--accent); text-underline-offset: 0.15em; }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
        main:focus-visible { outline: none; }
        .skip { position: absolute; left: -100rem; }
        .skip:focus { left: 1rem; top: 0.5rem; background: var(--ground); padding: 0.5rem 1rem; z-index: 1; }
        header { background: var(--panel); border-bottom: 1px solid var(--line); padding: 0.6rem max(1rem, 50vw - 35rem);
          display: flex; flex-wrap: wrap; gap: 0.4rem 1.2rem; align-items: center; }
        .brand { margin: 0; font-weight: 700; }
        .brand a { color: inherit; text-decoration: none; display: inline-block; padding: 0.2rem 0; }
        nav { flex: 1 1 20rem; }
        nav ul, .cards, .links { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; }
        nav a { display: block; padding: 0.25rem 0.6rem; border-radius: 0.3rem; text-decoration: none; }
        nav a:hover { text-decoration: underline; }
        nav a[aria-current] { background: var(--accent); color: var(--on-accent); }
        .viewer { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: center; margin: 0; padding: 0; border: 0;
          background: none; color: var(--soft); max-width: none; }
        main { max-width: 72rem; margin: 0 auto; padding: 1rem; }
        h1 { font-size: 1.6rem; line-height: 1.25; margin: 0.6rem 0 1rem; overflow-wrap: anywhere; }
        section + section { margin-top: 1.2rem; }
        h2 { font-size: 1.15rem; margin: 2rem 0 0.6rem; }
        p { margin: 0.4rem 0; max-width: 48rem; }
        small, .note { color: var(--soft); font-size: 0.875rem; }
        td .note { display: block; }
        code { font: 0.9em ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; user-select: all; }
        .notice { border-left: 0.3rem solid; padding: 0.6rem 1rem; }
        .good { color: var(--good); } .bad { color: var(--bad); } .waiting { color: var(--waiting); }
        .notice.good, .badge.good { background: var(--good-ground); color: var(--good); }
        .notice.bad, .badge.bad { background: var(--bad-ground); color: var(--bad); }
        .notice.waiting, .badge.waiting { background: var(--waiting-ground); color: var(--waiting); }
        .notice.plain, .badge.plain { background: var(--plain-ground); color: var(--plain); }
        .badge { display: inline-block; padding: 0.05rem 0.5rem; border-radius: 0.3rem; font-size: 0.875rem;
          font-weight: 600; }
        .cards { gap: 0.8rem; margin-top: 1rem; }
        .cards li { flex: 1 1 13rem; background: var(--panel); border: 1px solid var(--line); border-top-width: 0.3rem;
          border-radius: 0.4rem; padding: 0.7rem 0.9rem; color: var(--ink); }
        .cards li.good { border-top-color: var(--good); } .cards li.bad { border-top-color: var(--bad); }
        .cards li.waiting { border-top-color: var(--waiting); }
        .cards li > * { display: block; }
        .cards strong { font-size: 1.5rem; line-height: 1.3; }
        .cards li.bad strong { color: var(--bad); } .cards li.waiting strong { color: var(--waiting); }
        .cards a { padding: 0.2rem 0; }
        .links { gap: 0.4rem 1.2rem; margin-top: 0.6rem; }
        .links a { display: inline-block; padding: 0.2rem 0; }
        dl { margin: 0; display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: 0.35rem 1.5rem; }
        dt { color: var(--soft); }
        dd { margin: 0; overflow-wrap: anywhere; }
        table { border-collapse: collapse; width: 100%; }
        caption { text-align: left; color: var(--soft); font-size: 0.875rem; padding: 0.2rem 0; }
        th, td { text-align: left; vertical-align: top; padding: 0.45rem 0.9rem 0.45rem 0;
          border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
        th { font-size: 0.875rem; color: var(--soft); font-weight: 600; }
        td time { display: inline-block; min-width: 9rem; }
        .badge { white-space: nowrap; }
        .action { display: inline-block; margin-right: 0.6rem; padding: 0.1rem 0; white-space: nowrap; }
        .empty { color: var(--soft); }
        form { background: var(--panel); border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.8rem 1rem;
          max-width: 36rem; }
        .field { display: flex; flex-direction: column; gap: 0.2rem; margin: 0.6rem 0; }
        label { font-weight: 600; }
        input, select, textarea { font: inherit; color: var(--ink); background: var(--ground);
          border: 1px solid var(--edge); border-radius: 0.3rem; padding: 0.4rem 0.6rem; width: 100%; min-height: 2.4rem; }
        textarea { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 0.9rem; }
        pre, .difference { font: 0.875rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace; background: var(--panel);
          border: 1px solid var(--line); border-radius: 0.4rem; margin: 0.6rem 0; padding: 0.6rem 0.8rem;
          white-space: pre-wrap; overflow-wrap: anywhere; max-width: 60rem; }
        .difference { list-style: none; white-space: normal; }
        .difference li { white-space: pre-wrap; }
        .difference del, .difference ins { display: block; text-decoration: none; }
        .difference del { background: var(--bad-ground); color: var(--bad); }
        .difference ins { background: var(--good-ground); color: var(--good); }
        .chart { display: block; width: 100%; max-width: 60rem; height: auto; font-size: 0.75rem; }
        .chart rect { fill: var(--accent); }
        .chart line { stroke: var(--line); }
        .chart text { fill: var(--soft); }
        .chart .number { text-anchor: end; dominant-baseline: middle; }
        summary { cursor: pointer; padding: 0.3rem 0; }
        button { font: inherit; font-weight: 600; min-height: 2.4rem; padding: 0.3rem 1.1rem; border-radius: 0.3rem;
          border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); cursor: pointer; }
        button.dangerous { background: var(--bad); border-color: var(--bad); color: var(--ground); }
        button.quiet { background: none; color: var(--accent); font-weight: 400; min-height: 1.9rem; padding: 0 0.7rem; }
        .timeline { list-style: none; margin: 0; padding: 0 0 0 1rem; border-left: 2px solid var(--line); }
        .timeline li { margin: 0 0 1rem; color: var(--ink); }
        .timeline p { margin: 0; }
        .timeline .when { color: var(--soft); font-size: 0.875rem; }
        .timeline .bad strong { color: var(--bad); } .timeline .waiting strong { color: var(--waiting); }
        .timeline .good strong { color: var(--good); }
        .details { overflow-wrap: anywhere; color: var(--soft); }
        @media (max-width: 48rem) {
          table, tbody, tr, td, caption { display: block; }
          thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
          tr { border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.4rem 0.8rem; margin: 0 0 0.7rem; }
          td { border: 0; padding: 0.25rem 0; }
          dl { display: block; }
          dd { margin: 0 0 0.5rem; }
          td::before { content: attr(data-label); display: block; color: var(--soft); font-size: 0.875rem; }
        }
        @media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }

        """

    /// The picture in the browser's tab.
    package static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0a559e"/>\
        <circle cx="8" cy="7.5" r="4" fill="none" stroke="#fff" stroke-width="2"/>\
        <path d="M9 9l3.5 4" stroke="#fff" stroke-width="2"/></svg>
        """
}
