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
        header { background: var(--panel); border-bottom: 1px solid var(--line);
          padding: 0.6rem max(1rem, 50vw - 39rem); display: flex; flex-wrap: wrap; gap: 0.4rem 1.2rem;
          align-items: center; }
        footer { border-top: 1px solid var(--line); color: var(--soft); font-size: 0.875rem; margin-top: 2rem;
          padding: 0.8rem max(1rem, 50vw - 39rem); }
        .brand { margin: 0; font-weight: 700; }
        .brand a { color: inherit; text-decoration: none; display: inline-block; padding: 0.2rem 0; }
        nav { flex: 1 1 auto; }
        nav ul, .cards, .links { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; }
        nav > ul { gap: 0.2rem; }
        nav details { position: relative; }
        nav a, nav summary { display: block; padding: 0.25rem 0.6rem; border-radius: 0.3rem; color: var(--accent);
          text-decoration: none; }
        nav summary { list-style: none; }
        nav summary::-webkit-details-marker { display: none; }
        nav summary::after { content: " ▾"; }
        nav :is(a, summary):hover { text-decoration: underline; }
        nav > ul > li > a[aria-current], nav summary[aria-current] { background: var(--accent);
          color: var(--on-accent); }
        nav details ul { position: absolute; top: 100%; left: 0; z-index: 1; flex-direction: column; min-width: 10rem;
          margin-top: 0.2rem; padding: 0.3rem; background: var(--ground); border: 1px solid var(--edge);
          border-radius: 0.4rem; }
        nav > ul > li:last-child details ul { left: auto; right: 0; }
        nav li li a[aria-current] { font-weight: 700; background: var(--plain-ground); color: var(--plain); }
        .viewer { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: center; margin: 0; padding: 0; border: 0;
          background: none; color: var(--soft); max-width: none; }
        main { max-width: 80rem; margin: 0 auto; padding: 1rem; }
        h1 { font-size: 1.6rem; line-height: 1.25; margin: 0.6rem 0 1rem; overflow-wrap: anywhere; }
        section + section { margin-top: 1.2rem; }
        h2 { font-size: 1.15rem; margin: 2rem 0 0.6rem; overflow-wrap: anywhere; }
        h3 { font-size: 1rem; margin: 0.4rem 0; }
        p { margin: 0.4rem 0; max-width: 65ch; }
        .split { display: grid; gap: 1.5rem; grid-template-columns: minmax(0, 1fr); }
        .side section + section { margin-top: 0.8rem; }
        @media (min-width: 64rem) {
          .split { grid-template-columns: minmax(0, 1fr) 15rem; gap: 2rem; align-items: start; }
          .side { grid-column: 2; grid-row: 1; background: var(--panel); border: 1px solid var(--line);
            border-radius: 0.4rem; padding: 0.7rem 0.9rem; }
          .split > :last-child { grid-column: 1; grid-row: 1; }
          .split > :last-child > section:first-child h2 { margin-top: 0; }
          .split td > code:first-child { white-space: nowrap; }
          .side dl { display: block; }
          .side dd { margin-bottom: 0.5rem; }
          .side dt { font-size: 0.875rem; }
          .side code { font-size: 0.8125rem; }
          .side .links { display: block; }
        }
        small, .note { color: var(--soft); font-size: 0.875rem; }
        td .note, .beneath { display: block; }
        .beneath { color: var(--soft); font-family: inherit; font-size: 0.75rem; }
        code { font: 0.9em ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; user-select: all; }
        .notice { border-left: 0.3rem solid; padding: 0.6rem 1rem; }
        .good { color: var(--good); } .bad { color: var(--bad); } .waiting { color: var(--waiting); }
        .notice.good, .badge.good { background: var(--good-ground); color: var(--good); }
        .notice.bad, .badge.bad { background: var(--bad-ground); color: var(--bad); }
        .notice.waiting, .badge.waiting { background: var(--waiting-ground); color: var(--waiting); }
        .notice.plain, .badge.plain { background: var(--plain-ground); color: var(--plain); }
        .badge { display: inline-block; padding: 0.05rem 0.5rem; border-radius: 0.3rem; font-size: 0.875rem;
          font-weight: 600; }
        .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr));
          grid-auto-rows: 1fr; gap: 0.8rem; margin-top: 1rem; }
        details > .cards { margin: 0.5rem 0; }
        .cards li { background: var(--panel); border: 1px solid var(--line); border-top-width: 0.3rem;
          border-radius: 0.4rem; padding: 0.7rem 0.9rem; color: var(--ink); }
        .cards li.good { border-top-color: var(--good); } .cards li.bad { border-top-color: var(--bad); }
        .cards li.waiting { border-top-color: var(--waiting); }
        .cards li > * { display: block; }
        .cards strong { font-size: 1.5rem; line-height: 1.3; }
        .cards li.bad strong { color: var(--bad); } .cards li.waiting strong { color: var(--waiting); }
        .cards a { padding: 0.2rem 0; }
        .panels { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.8rem; }
        .panels > li { background: var(--panel); border: 1px solid var(--line); border-radius: 0.4rem;
          padding: 0.7rem 0.9rem; min-width: 0; }
        .panels h3 { font-size: 1.05rem; margin: 0; overflow-wrap: anywhere; }
        .panels h3 .note { font-weight: 400; }
        .panels th, .panels td > time { white-space: normal; }
        .panels td { overflow-wrap: anywhere; }
        .links { gap: 0.4rem 1.2rem; margin-top: 0.6rem; }
        .links a { display: inline-block; padding: 0.2rem 0; }
        dl { margin: 0; display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: 0.35rem 1.5rem; }
        dt { color: var(--soft); }
        dd { margin: 0; overflow-wrap: anywhere; }
        dt:has(+ dd:empty) { display: none; }
        table { border-collapse: collapse; width: 100%; font-size: 0.875rem; line-height: 1.4; }
        caption { text-align: left; color: var(--soft); font-size: 0.875rem; padding: 0.2rem 0; }
        th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.8rem 0.4rem 0;
          border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
        td { max-width: 17rem; }
        section:has(> table) { overflow-x: auto; }
        th { font-size: 0.875rem; color: var(--soft); font-weight: 600; }
        th, td > time { white-space: nowrap; }
        .badge { white-space: nowrap; }
        .split td > time { display: block; width: 8.5rem; white-space: normal; }
        .split td > .badge { white-space: normal; }
        .split td:nth-child(2) { overflow-wrap: anywhere; min-width: 13.5rem; }
        .split td time + small { display: block; }
        td time + small { white-space: nowrap; }
        .id { display: inline-block; max-width: 9.5ch; overflow: clip; text-overflow: ellipsis; white-space: nowrap;
          font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 0.9em; }
        :is(dl, h1) .id { display: inline; white-space: normal; overflow-wrap: anywhere; }
        .action { white-space: nowrap; display: inline-block; margin-right: 0.6rem; padding: 0.15rem 0; min-height: 1.55rem; }
        .empty { color: var(--soft); }
        form { background: var(--panel); border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.8rem 1rem;
          max-width: 36rem; overflow-wrap: anywhere; }
        .filter { margin: 0.6rem 0; }
        .filter form { max-width: none; display: grid; gap: 0 1rem; align-items: end;
          grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr)); }
        .field { display: flex; flex-direction: column; gap: 0.2rem; margin: 0.6rem 0; }
        label, legend { font-weight: 600; }
        .mistake { color: var(--bad); font-size: 0.875rem; }
        fieldset, .group { border: 1px solid var(--line); border-radius: 0.4rem; margin: 0.8rem 0; padding: 0.2rem 0.9rem;
          min-width: 0; }
        .group > summary { font-weight: 600; }
        input, select, textarea { font: inherit; color: var(--ink); background: var(--ground);
          border: 1px solid var(--edge); border-radius: 0.3rem; padding: 0.4rem 0.6rem; width: 100%; min-height: 2.4rem; }
        textarea { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 0.9rem; }
        pre, .difference { font: 0.875rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace; background: var(--panel);
          border: 1px solid var(--line); border-radius: 0.4rem; margin: 0.6rem 0; padding: 0.6rem 0.8rem;
          white-space: pre-wrap; overflow-wrap: anywhere; max-width: 60rem; }
        .preview { max-width: min(100%, 30rem); max-height: 12rem; background: var(--panel); border: 1px solid var(--line); }
        audio { max-width: 100%; }
        .difference { list-style: none; white-space: normal; }
        .difference li { white-space: pre-wrap; }
        .difference del, .difference ins { display: block; text-decoration: none; }
        .difference del { background: var(--bad-ground); color: var(--bad); }
        .difference ins { background: var(--good-ground); color: var(--good); }
        .charts { display: grid; gap: 1.2rem 1.5rem;
          grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); }
        .chart { display: block; width: 100%; max-width: 30rem; height: auto; font-size: 13px; }
        .chart rect { fill: var(--accent); }
        .chart.good rect { fill: var(--good); } .chart.bad rect { fill: var(--bad); }
        .chart.waiting rect { fill: var(--waiting); }
        .chart line { stroke: var(--line); }
        .chart text { fill: var(--soft); }
        .chart .number { text-anchor: end; dominant-baseline: middle; }
        summary { cursor: pointer; padding: 0.3rem 0; }
        button { font: inherit; font-weight: 600; min-height: 2.4rem; padding: 0.3rem 1.1rem; border-radius: 0.3rem;
          border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); cursor: pointer; }
        button.dangerous { background: var(--bad); border-color: var(--bad); color: var(--ground); }
        button.quiet { background: none; color: var(--accent); font-weight: 400; min-height: 1.9rem; padding: 0 0.7rem; }
        .timeline { list-style: none; margin: 0; padding: 0 0 0 1rem; border-left: 2px solid var(--line); }
        .timeline li { margin: 0 0 0.6rem; color: var(--ink); font-size: 0.9375rem; line-height: 1.4;
          overflow-wrap: anywhere; }
        .timeline p { margin: 0; max-width: none; }
        .timeline .when { color: var(--soft); font-size: 0.875rem; white-space: nowrap; }
        @media (min-width: 64rem) {
          .timeline li { display: grid; grid-template-columns: 14rem minmax(0, 1fr); column-gap: 1rem; }
          .timeline li > * { grid-column: 2; }
          .timeline .when { grid-column: 1; grid-row: 1 / span 2; }
          .timeline .when small { display: block; }
        }
        .timeline .bad strong { color: var(--bad); } .timeline .waiting strong { color: var(--waiting); }
        .timeline .good strong { color: var(--good); }
        .timeline summary { color: var(--soft); font-size: 0.875rem; width: fit-content; }
        .details { overflow-wrap: anywhere; color: var(--soft); }
        @media (max-width: 30rem) {
          nav { order: 1; flex-basis: 100%; }
          nav :is(a, summary) { padding: 0.25rem 0.4rem; }
          header { gap: 0.3rem 0.5rem; }
          .viewer { font-size: 0.8125rem; gap: 0.4rem; margin-left: auto; }
          button.quiet { padding: 0 0.4rem; }
        }
        @media (max-width: 60rem) {
          table, tbody, tr, caption { display: block; }
          thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
          tr { border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.4rem 0.8rem; margin: 0 0 0.7rem; }
          td { display: flow-root; border: 0; max-width: none; min-height: 1.7rem; overflow-wrap: anywhere;
            padding: 0.2rem 0 0.2rem 8rem; }
          td:empty { display: none; }
          td time + small { display: inline; }
          dl { display: block; }
          dd { margin: 0 0 0.5rem; }
          td::before { content: attr(data-label); float: left; margin-left: -8rem; width: 7.5rem; color: var(--soft);
            font-size: 0.875rem; overflow-wrap: normal; }
          .split td:nth-child(2) { min-width: 0; }
        }
        @media (max-width: 30rem) {
          .cards { grid-auto-rows: auto; }
          td { padding-left: 6.5rem; }
          td::before { margin-left: -6.5rem; width: 6rem; }
          td > time, .timeline .when, .badge { white-space: normal; }
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
