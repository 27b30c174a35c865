// How do the pages look? One style sheet: system fonts, light and dark by the reader's own setting, one column when narrow.

export const style = `
:root {
  color-scheme: light dark; accent-color: var(--accent);
  --paper: #fbfaf8; --card: #ffffff; --ink: #1c1b19; --soft: #5e5a54; --line: #e4e0d9; --wash: #f3f0ea;
  --accent: #8a3b12; --accent-wash: #f9ece3; --found: #c2622d; --found-2: #d98a5c; --came: #2f7d74; --came-2: #55a097;
  --frame: #a9a39a; --free: #ebe7e0; --good: #2c6e3f; --good-wash: #e6f2e9; --warn: #8a5a00; --warn-wash: #fbf1dc;
  --bad: #a32626; --bad-wash: #fbe8e6; --mark: #ffe9a8; --code: #f7f5f1;
  --h0: #b4501f; --h1: #23746b; --h2: #3f5fa8; --h3: #8a4a8f; --h4: #7a6a10; --h5: #a33a55; --h6: #3b7a35; --m0: #f0cdb6; --m1: #b9dbd6; --m2: #d9d4ec; --m3: #e6e0d2;
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161513; --card: #1f1d1b; --ink: #ece8e1; --soft: #a8a29a; --line: #35322e; --wash: #292622;
    --accent: #f0a57c; --accent-wash: #3a2418; --found: #d9773f; --found-2: #b3602f; --came: #4fa79c; --came-2: #3b857c;
    --frame: #7d776f; --free: #35322e; --good: #8fd0a0; --good-wash: #1d3324; --warn: #e7bd6a; --warn-wash: #392c14;
    --bad: #f0968f; --bad-wash: #401f1d; --mark: #5c4a13; --code: #1a1816;
    --h0: #eb9a6b; --h1: #63bdb2; --h2: #8fabee; --h3: #cf96d4; --h4: #d3c163; --h5: #ee8fa6; --h6: #8ccb86; --m0: #6b3f26; --m1: #245049; --m2: #443e63; --m3: #4a463e;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 4.5rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 var(--sans); }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: 1px; } a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
h1, h2, h3 { line-height: 1.25; margin: 0; font-weight: 650; letter-spacing: -.01em; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.12rem; } h3 { font-size: 1rem; }
p { margin: 0; } code, kbd, pre, .mono { font-family: var(--mono); font-size: .86em; } .mono, .place { text-underline-offset: .32em; }
.skip { position: absolute; left: -9999px; } .skip:focus { left: 1rem; top: .5rem; z-index: 9; background: var(--card); padding: .4rem .8rem; }
.top { position: sticky; top: 0; z-index: 5; background: var(--paper); border-bottom: 1px solid var(--line); }
.top > div { max-width: 1240px; margin: 0 auto; padding: .6rem 1.25rem; display: flex; gap: 1.4rem; align-items: baseline; }
.brand { padding-left: 1.75rem; background: url(icon.svg) left / 1.25rem no-repeat; font-weight: 700; color: var(--ink); text-decoration: none; letter-spacing: -.02em; font-size: 1.1rem; }
.top nav { display: flex; gap: 1.1rem; flex-wrap: wrap; }
.top nav a { color: var(--soft); text-decoration: none; padding: .15rem 0; }
.top nav a:hover { color: var(--ink); } th a { color: inherit; } th a[aria-current] { color: var(--ink); font-weight: 650; }
.top nav a[aria-current] { color: var(--ink); font-weight: 600; box-shadow: 0 2px 0 var(--accent); }
.corpus { margin-left: auto; color: var(--soft); font-size: .85rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
main { max-width: 1240px; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; display: grid; gap: 1.25rem; }
main > * { min-width: 0; } .lead { display: grid; gap: .4rem; } .lead > * { min-width: 0; overflow-wrap: anywhere; } .lead p { color: var(--soft); max-width: 70ch; }
.two { display: grid; gap: 1.5rem; grid-template-columns: minmax(0, 1fr) 21rem; align-items: start; }
.two > * { min-width: 0; } .stack { display: grid; gap: 1rem; } .stack > * { min-width: 0; } .card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.1rem; }
.card.stack { gap: .6rem; } aside.stack { position: sticky; top: 4rem; max-height: calc(100vh - 5rem); overflow-y: auto; }
.ask { display: grid; gap: .6rem; }
input, select, button { font: inherit; color: inherit; border-radius: 8px; border: 1px solid var(--line); background: var(--card); padding: .5rem .7rem; min-width: 0; }
input[type=search] { flex: 1; font-size: 1.1rem; padding: .65rem .85rem; }
button, .button { background: var(--accent); color: var(--card); border-color: transparent; font-weight: 600; cursor: pointer; }
.quiet { background: none; border: 1px solid var(--line); color: var(--ink); font-weight: 500; padding: .25rem .6rem; font-size: .85rem; border-radius: 7px; text-decoration: none; display: inline-block; line-height: 1.45; }
.quiet:hover { background: var(--wash); }
.options { display: flex; flex-wrap: wrap; gap: .5rem .9rem; color: var(--soft); font-size: .88rem; align-items: center; }
.options label { display: inline-flex; flex-wrap: wrap; gap: .4rem; align-items: center; max-width: 100%; } .options select, .options input { max-width: 100%; } .options input, .options select { padding: .25rem .45rem; font-size: .88rem; color: var(--ink); }
.options input[type=number] { width: 6.2rem; } .options .wide { width: 15rem; } .options .secret { width: 38rem; }
.tokens input[type=number] { width: 5.8rem; padding: .2rem .45rem; color: var(--ink); } .has-js [data-apply] { display: none; } .ask .row { gap: .5rem 1.4rem; }
.slide { display: grid; gap: .1rem; margin-top: .3rem; color: var(--soft); } .slide input { width: 100%; margin: 0; padding: 0; accent-color: var(--accent); background: none; border: 0; height: 1.1rem; } html:not(.has-js) .slide { display: none; }
.marks { position: relative; height: 2.2rem; margin: 0 .5rem; } .marks button { position: absolute; width: 9px; height: 5px; padding: 0; margin-left: -4px; border-radius: 2px; border: 0; background: var(--frame); opacity: .45; } .marks button.in { background: var(--found); opacity: 1; } .marks button.in.came { background: var(--came); }
.scale { display: flex; justify-content: space-between; font-size: .75rem; font-variant-numeric: tabular-nums; }
.chips { display: flex; flex-wrap: wrap; gap: .35rem .45rem; align-items: center; font-size: .87rem; } .chips input { width: 8rem; padding: .12rem .6rem; border-radius: 999px; font-size: .87rem; } .chip { border: 1px solid var(--line); border-radius: 999px; padding: .1rem .65rem; background: var(--accent-wash); color: var(--ink); text-decoration: none; } .chip a { text-decoration: none; }
.more-options .options { padding-top: .5rem; } .verdict { display: grid; gap: .15rem; } .stack.tight { gap: .6rem; } .brief + .brief { margin-top: -.35rem; } .line { display: flex; gap: .5rem; } .line > input { flex: 1; } .side { padding: .55rem 1.1rem; } .side > .stack { padding-top: .6rem; gap: .5rem; } #expected { overflow-wrap: anywhere; border-left: 3px solid var(--warn); padding-left: .7rem; } #expected.good { border-color: var(--good); } #expected.bad { border-color: var(--bad); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: .8rem 1.6rem; align-items: start; } .pair > div { display: grid; gap: .5rem; }
.row > * { min-width: 0; overflow-wrap: anywhere; } .row { display: flex; flex-wrap: wrap; gap: .5rem .8rem; align-items: center; } .push { margin-left: auto; }
.soft { color: var(--soft); } .small { font-size: .87rem; } .right { text-align: right; }
.tag { display: inline-block; border-radius: 999px; padding: .05rem .6rem; font-size: .8rem; font-weight: 600; background: var(--wash); color: var(--soft); white-space: nowrap; }
.tag.good { background: var(--good-wash); color: var(--good); } .tag.warn { background: var(--warn-wash); color: var(--warn); } .tag.bad { background: var(--bad-wash); color: var(--bad); }
.notice { border-left: 3px solid var(--warn); padding: .1rem .8rem; color: var(--soft); font-size: .9rem; }
.budget { padding: .7rem 1.1rem .8rem; } .budget h2 { font-size: 1rem; } .budget h2 .small { font-size: .8rem; font-weight: 500; } .budget svg { display: block; width: 100%; height: 14px; border-radius: 5px; margin: .5rem 0; }
.s-frame { fill: var(--frame); } .s-found { fill: var(--found); } .s-found2 { fill: var(--found-2); } .s-came { fill: var(--came); } .s-came2 { fill: var(--came-2); } .s-free { fill: var(--free); }
.budget a:focus-visible rect { stroke: var(--ink); stroke-width: 2; } .budget a:hover rect { opacity: .8; }
.budget .key { display: grid; gap: 0; font-size: .83rem; } .key { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; font-size: .87rem; color: var(--soft); }
.key span::before { content: ""; display: inline-block; width: .7rem; height: .7rem; border-radius: 3px; margin-right: .4rem; vertical-align: -.05rem; background: var(--free); }
.key .k-frame::before { background: var(--frame); } .key .k-found::before { background: var(--found); } .key .k-came::before { background: var(--came); }
.passage { padding: .7rem 1.1rem; display: flex; flex-wrap: wrap; gap: .3rem 1rem; align-items: baseline; position: relative; scroll-margin-top: 4.5rem; }
.passage > header { flex: 1 0 100%; display: flex; flex-wrap: wrap; gap: .1rem .7rem; align-items: baseline; } .passage h2 { font-size: 1rem; overflow-wrap: anywhere; flex: 1 1 calc(100% - 7rem); } .passage .size { font-variant-numeric: tabular-nums; }
.passage > .prose, .passage > .text { flex: 1 0 100%; order: 1; min-width: 0; } .passage > details { order: 2; } .passage > .acts { order: 3; display: flex; gap: 1rem; font-size: .87rem; margin-left: auto; } .passage > details[open].why { flex: 1 0 100%; order: 4; }
.passage.came { border-left: 3px solid var(--came); } .passage.found { border-left: 3px solid var(--found); } .passage.entered { background: var(--good-wash); }
.passage .acts a { color: var(--soft); text-decoration: none; } .passage .acts a:hover, button.plain:hover { color: var(--ink); text-decoration: underline; }
button.plain { background: none; border: 0; padding: 0; font-weight: 400; font-size: .87rem; color: var(--soft); }
[class*=" n"]:is(.prose, .text) { overflow: hidden; mask-image: linear-gradient(#000 calc(100% - 1.1rem), transparent); } .n3 { max-height: 4.6rem; } .n5 { max-height: 7.6rem; } .n8 { max-height: 12.2rem; } .n16 { max-height: 24.2rem; } .more { order: 2; font-size: .87rem; } .passage:focus { outline: none; }
.brief > .more { flex: none; } .brief {
  padding: .12rem 1.1rem; flex-wrap: nowrap;
  & > .why:not([open]), & > .acts, & .age, & .folder { display: none; }
  & > header { flex: 1 1 0; flex-wrap: nowrap; min-width: 0; } & > header > * { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; } & > header > .size { flex: none; order: 1; margin-left: auto; }
  & h2 { font-weight: 550; font-size: .93rem; flex: 0 0 auto; max-width: 60%; } & .place { font-size: .78rem; flex: 0 1 auto; }
  @media (max-width: 520px) { & > header > :is(.place, .size) { display: none; } & h2 { max-width: 100%; } }
}
.prose { font-size: .93rem; line-height: 1.5rem; overflow-wrap: anywhere; } .prose p, .prose ul, .prose ol, .prose pre, .prose table, .prose blockquote { margin: 0 0 .35rem; } .prose ul, .prose ol { padding-left: 1.3rem; } .prose pre { background: var(--code); padding: .3rem .7rem; border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; } .prose blockquote { border-left: 3px solid var(--line); padding: .1rem 0 .1rem .9rem; } .prose blockquote:has(> p:first-child > strong:first-child) { border-color: var(--came); } .prose.page blockquote > :last-child { margin-bottom: 0; } .prose blockquote > p:first-child > strong:first-child { color: var(--h1); } .prose img { max-width: min(100%, 44rem); max-height: 22rem; vertical-align: middle; } .prose a:has(code) { text-underline-offset: .32em; } img:is([src$="#only-dark"], [src$="#gh-dark-mode-only"]) { display: none; } @media (prefers-color-scheme: dark) { img:is([src$="#only-dark"], [src$="#gh-dark-mode-only"]) { display: inline; } img:is([src$="#only-light"], [src$="#gh-light-mode-only"]) { display: none; } } .center { text-align: center; } :is(.front, .html) { margin: 0 0 .85rem; }
.prose .head { font-weight: 650; } .prose .gap, .text .gap { color: var(--soft); font-style: italic; } .prose a:not([href]) { color: inherit; } .prose a:has(> .image) { text-decoration: none; } .prose .link { text-decoration: underline dotted var(--soft); } .toc > summary .soft { float: right; font-size: .75rem; line-height: 2; } .toc > ul { clear: both; } .image { display: inline-block; line-height: 1.5; font-size: .86em; border: 1px solid var(--line); border-radius: 5px; padding: .05rem .4rem; background: var(--wash); } .image::before { content: "▨ "; opacity: .6; }
.prose thead tr td { font-weight: 600; vertical-align: bottom; border-bottom: 2px solid var(--line); } .prose thead:not(:has(td:not(:empty))) { display: none; } .page td { overflow-wrap: break-word; } .page .scroll { margin-bottom: .85rem; } .prose.page table { margin: 0; } .page td code { overflow-wrap: normal; }
.anchor { position: absolute; margin-left: -1.1rem; width: 1.1rem; text-decoration: none; font-weight: 400; opacity: 0; } .anchor::before { content: "#"; } .head:hover > .anchor { opacity: 1; } h1 a { color: var(--soft); text-decoration-color: var(--line); } h1 a:hover { color: var(--accent); }
.place { font-family: var(--mono); font-size: .85rem; overflow-wrap: anywhere; }
.number { color: var(--soft); font-weight: 500; margin-right: .35rem; }
.text { margin: 0; background: var(--code); font: .84rem/1.5rem var(--mono); overflow-x: auto; border-radius: 6px; } .text ol { list-style: none; margin: 0; padding: .1rem 0; }
.text li { display: grid; grid-template-columns: 3.4rem minmax(0, 1fr); white-space: pre-wrap; overflow-wrap: anywhere; scroll-margin-top: 5rem; }
.code li { white-space: pre; } .code.text li > span { overflow-wrap: normal; }
.text li > a { color: var(--soft); text-decoration: none; text-align: right; padding-right: .9rem; user-select: none; }
.text li > span { padding-right: 1rem; min-height: 1.5rem; } .text li:target, .text li.marked { background: color-mix(in srgb, var(--mark) 35%, var(--code)); }
.text .gap { display: block; color: var(--soft); padding: .2rem 0 .2rem 3.4rem; font-style: italic; }
.text .head { font-weight: 700; } details > summary { cursor: pointer; color: var(--soft); font-size: .87rem; } details[open] > summary { color: var(--ink); }
.why > div { display: grid; gap: .7rem; padding-top: .6rem; }
.bars { display: grid; grid-template-columns: max-content minmax(4rem, 12rem) max-content; gap: .2rem .7rem; align-items: center; font-size: .87rem; }
.bars svg { width: 100%; height: 8px; } .bar-back { fill: var(--free); } .bar-on { fill: var(--found); } .bar-off { fill: var(--bad); }
table { border-collapse: collapse; width: 100%; font-size: .89rem; } th { text-align: left; color: var(--soft); font-weight: 550; font-size: .8rem; }
th, td { padding: .28rem .9rem .28rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; } th { overflow-wrap: normal; } tr:last-child td { border-bottom: 0; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; } .scroll { overflow-x: auto; }
ul.plain { list-style: none; margin: 0; padding: 0; display: grid; gap: .45rem; } .card:not(.stack) > h2 + * { margin-top: .55rem; } ul.plain li { overflow-wrap: anywhere; }
#missing { scroll-margin-top: 90vh; } .finding { display: grid; gap: .15rem; padding: .6rem 0; border-bottom: 1px solid var(--line); } .finding:last-child { border-bottom: 0; padding-bottom: 0; }
.k1 { color: var(--h3); } .k2 { color: var(--h6); } .k3 { color: var(--soft); font-style: italic; } .k4 { color: var(--h0); } .k5 { color: var(--h1); } .k6 { color: var(--h2); font-weight: 600; }
.two.read { grid-template-columns: 13.5rem minmax(0, 1fr) 16rem; gap: 1.1rem; } .read > .toc { position: sticky; top: 4rem; max-height: calc(100vh - 5rem); overflow-y: auto; } .page { font-size: 1rem; line-height: 1.65; padding: .3rem .4rem; } .prose.page :is(p, ul, ol, pre, table, blockquote) { margin: 0 0 .85rem; } .prose.page li > :is(p, ul, ol) { margin-bottom: .3rem; } .prose.page pre { padding: .7rem .9rem; line-height: 1.5; white-space: pre; overflow-x: auto; font-size: .85rem; } .page code { background: var(--code); padding: .1em .3em; border-radius: 4px; }
.page .head { margin: 1.5rem 0 .6rem; scroll-margin-top: 4.5rem; } .page > .head:first-child { margin-top: 0; } .page .h1 { font-size: 1.65rem; } .page .h2 { font-size: 1.3rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem; } .page .h3 { font-size: 1.1rem; } .page :is(.h4, .h5, .h6) { font-size: 1rem; } .page .head:target { background: var(--mark); } h1.mono { font-size: 1.15rem; font-weight: 600; } a.quiet[aria-current] { background: var(--wash); font-weight: 650; } .linemenu { position: fixed; bottom: 1rem; left: 50%; z-index: 4; transform: translateX(-50%); display: flex; gap: .5rem; padding: .4rem; font-family: var(--sans); background: var(--card); border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 4px 14px rgb(0 0 0 / .15); } .linemenu button { background: none; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .8rem; } .tile { display: grid; gap: .1rem; align-content: start; } .tile b { font-size: 1.5rem; font-weight: 650; letter-spacing: -.02em; }
.outline li { display: flex; gap: .6rem; justify-content: space-between; } .outline a { color: inherit; text-decoration: none; padding: .14rem 0; overflow-wrap: anywhere; } .outline .soft { color: var(--soft); font-size: .75rem; flex: none; white-space: nowrap; } .outline.plain { gap: .1rem; padding-top: .4rem; } .outline a:hover { color: var(--accent); }
.l2 { padding-left: .9rem; } .l3 { padding-left: 1.8rem; } .l4 { padding-left: 2.7rem; }
mark { background: var(--mark); color: var(--ink); border-radius: 2px; }
.edge { fill: none; stroke: currentColor; opacity: .6; vector-effect: non-scaling-stroke; } .edge.w2 { stroke-width: 2; } .edge.w3 { stroke-width: 3.5; } .node { text-decoration: none; } .columns { columns: 15rem; } ul.columns.plain { display: block; } .columns li { break-inside: avoid; padding: .15rem 0; }
.around { display: grid; grid-template-columns: minmax(0, 1fr) 6rem minmax(9rem, 14rem) 6rem minmax(0, 1fr); align-items: center; overflow-wrap: anywhere; } .around ul.plain { gap: 0; } .around li { display: grid; align-content: center; height: 44px; position: relative; } .around details li { height: auto; padding: .15rem 0; } .around .node { display: grid; line-height: 1.25; font-size: .9rem; } .around .node .soft { font: .75rem var(--mono); } .around h2 { font-size: .9rem; color: var(--soft); grid-row: 1; } .around > ul, .around > p, .around > svg, .middle { grid-row: 2; } .around > details { grid-row: 3; align-self: start; padding-top: .4rem; } .around > .before { grid-column: 1; text-align: right; padding-right: .5rem; } .around > .after { grid-column: 5; } .around > svg { width: 100%; padding: 0; } .around > svg.before { grid-column: 2; } .around > svg.after { grid-column: 4; } .middle { grid-column: 3; display: grid; gap: .2rem; position: relative; border-color: var(--accent); }
.lines-of { display: none; position: absolute; top: 0; left: 100%; z-index: 4; pointer-events: none; width: max-content; max-width: 20rem; padding: .3rem .6rem; box-shadow: 0 4px 14px rgb(0 0 0 / .15); text-align: left; } .after .lines-of { left: auto; right: 100%; } .around li:is(:hover, :focus-within) > .lines-of { display: block; } .around + .around { border-top: 1px solid var(--line); padding-top: .8rem; }
.call { margin: .15rem 0 0; padding: .15rem .5rem; background: var(--code); border-radius: 5px; white-space: pre-wrap; overflow-wrap: anywhere; } .defined { color: inherit; text-decoration: underline dotted var(--soft); } .defined:hover { color: var(--accent); }
.middle::before, .around ul.after > li::before { content: "▸"; position: absolute; top: 50%; translate: 0 -50%; color: var(--soft); } .middle::before { left: -.75rem; } .around > .after li { padding-left: .9rem; } .around ul.after > li::before { left: 0; }
.key .c0::before, .key .c1::before, .key .c2::before, .key .c3::before, .key .c4::before, .key .c5::before, .key .c6::before, .key .c7::before { background: currentColor; }
.c0 { color: var(--h0); } .c1 { color: var(--h1); } .c2 { color: var(--h2); } .c3 { color: var(--h3); } .c4 { color: var(--h4); } .c5 { color: var(--h5); } .c6 { color: var(--h6); } .c7 { color: var(--soft); }
.treemap { display: block; width: 100%; height: auto; } .treemap text { font: 12px var(--sans); fill: var(--ink); pointer-events: none; } .treemap a:hover rect, .treemap a:focus-visible rect { stroke: var(--ink); stroke-width: 1.5; } .treemap a:focus-visible { outline: none; }
.t1 rect { opacity: .82; } .t2 rect { opacity: .66; } .m-docs { fill: var(--m0); } .m-code { fill: var(--m1); } .m-tests { fill: var(--m2); } .m-config { fill: var(--m3); } .key .m-docs::before { background: var(--m0); } .key .m-code::before { background: var(--m1); } .key .m-tests::before { background: var(--m2); } .key .m-config::before { background: var(--m3); }
.find { position: relative; flex: 0 1 17rem; margin-left: auto; } .find input { width: 100%; flex: none; padding: .22rem .6rem; font-size: .88rem; } .find kbd { position: absolute; right: .5rem; top: .33rem; color: var(--soft); font-size: .75rem; } .find input:focus ~ kbd, .find input:not(:placeholder-shown) ~ kbd { display: none; } .find ~ .corpus { margin-left: 0; }
.offers { position: absolute; top: 2.3rem; right: 0; width: min(34rem, 92vw); padding: .3rem; box-shadow: 0 8px 30px rgb(0 0 0 / .18); z-index: 6; } .offers a { display: grid; padding: .3rem .6rem; color: inherit; text-decoration: none; border-radius: 6px; font-size: .9rem; } .offers a > span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .offers a.chosen, .offers a:hover { background: var(--wash); }
#documents .path { display: flex; line-height: 1.8; } .path > * { overflow: hidden; text-overflow: ellipsis; } .path > span { flex: none; max-width: 75%; } #documents td { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; max-width: min(30vw, 24rem); } #documents td a { text-decoration: none; } #documents td a:hover { text-decoration: underline; }
a.tile { color: inherit; text-decoration: none; } .tiles:has(a) { grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); } section.tiles.card { grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); } a.tile:hover { border-color: var(--accent); } .lines { padding: .4rem 0; }
kbd { border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 5px; padding: 0 .4rem; background: var(--wash); }
.toast { position: fixed; bottom: 1.2rem; left: 50%; transform: translateX(-50%); background: var(--ink); color: var(--paper); padding: .5rem 1rem; border-radius: 8px; font-size: .9rem; z-index: 9; }
footer { max-width: 1240px; margin: 0 auto; padding: 0 1.25rem 2rem; color: var(--soft); font-size: .82rem; }
[hidden], .narrow { display: none !important; } .js { visibility: hidden; } .has-js .js { visibility: visible; }
@media (max-width: 1100px) {
  .around { display: flex; flex-direction: column; align-items: stretch; gap: .6rem; } .around > svg, .middle::before, .around ul.after > li::before { display: none; } .around > .before { order: 1; text-align: left; } .around > .after { order: 2; } .around li, .around > .after li { height: auto; padding: .25rem 0; } .around .lines-of { position: static; grid-row: 2; width: auto; max-width: none; }
}
@media (max-width: 900px) {
  span.narrow { display: inline-flex !important; gap: .8rem; }   .two, .two.read { grid-template-columns: minmax(0, 1fr); } .read > .toc { position: static; } html:not(.has-js) .toc { max-height: 11rem; } aside.stack { position: static; max-height: none; }
  .top > div { flex-wrap: wrap; gap: .3rem 1rem; align-items: center; padding: .5rem 1rem; } span.corpus { display: none; } .find { position: static; flex: 1 1 9rem; order: 1; } .find kbd { display: none; } .top nav { order: 2; } .offers { top: 3rem; right: 1rem; left: 1rem; width: auto; } .top nav { gap: .2rem .95rem; font-size: .95rem; }
  main { padding: 1rem 1rem 3rem; } #missing { scroll-margin-top: 6rem; } h1 { font-size: 1.35rem; } html { scroll-padding-top: 6rem; }
}
@media (max-width: 520px) {
  .roomy, .treemap text, .passage .folder, .passage .age, .passage > .acts { display: none; } .n16 { max-height: 18.2rem; } .n8 { max-height: 9.2rem; } .passage, .side, .budget { padding: .5rem .8rem; } #documents td { max-width: 40vw; } #documents td:nth-child(2) { display: block; grid-area: 2 / 1 / auto / -1; max-width: none; padding: 0 0 .3rem; } #documents tr { display: grid; grid-template-columns: minmax(0, 1fr) 5.5rem 4rem; border-bottom: 1px solid var(--line); } #documents :is(th, td) { border: 0; } #documents :is(th, td) { padding-right: .5rem; } th.n { white-space: normal; } .top nav { gap: .2rem .5rem; font-size: .86rem; } .text li { grid-template-columns: 2.6rem minmax(0, 1fr); } .text li > a { padding-right: .6rem; } .card { padding: .85rem .9rem; } .bars { grid-template-columns: max-content minmax(3rem, 1fr) max-content; }
}
`
