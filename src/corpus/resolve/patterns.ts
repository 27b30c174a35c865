// Which regular expressions does the resolver use? All in one place, so that one test can time each.

/** Each is linear in its input: single classes, anchors, and bounded or disjoint repetitions only. */
export const patterns = {
  extension: /\.([A-Za-z][A-Za-z0-9]{0,9})$/,
  /** Does any segment start with a number that orders it? */
  orderNumber: /(?:^|\/)[0-9]{1,5}[-_.]/,
  segmentNumber: /^[0-9]{1,5}[-_.]{1,3}/,
  /** At least two letters, so that a drive letter does not count; no dot, so that `file.md:12` does not match. */
  scheme: /^[A-Za-z][A-Za-z0-9+-]{1,31}:/,
  // `<a id="x">`, `<a name='x'>`, `<h2 id=x>`, `{#x}`, `{: #x}`, and of MDX `{/* #x */}` and `{/*x*/}`.
  ownAnchor:
    /<[a-z][a-z0-9]{0,15} (?:[^<>]{0,200} )?(?:id|name) ?= ?["']?([^"'\s<>]{1,200})|\{(?::|\/\*)? ?#([\w.:-]{1,100})|\{\/\*([\w.:-]{1,100})\*\/\}/gi,
  /** Text between an anchor and the heading after it: the rest of its tag, its end, another one. */
  tagRest: /^["']?[^<>"']{0,20}>|<\/?[a-z][^<>]{0,100}>/gi,
  /** `> ### Title` or `- ### Title` as notes, asides and lists have it, and a heading in HTML. */
  innerHeading:
    /^[ \t>*+-]{1,16}#{1,6}[ \t]{1,4}(\S[^\n]{0,200})$|<h[1-6][^<>]{0,200}>\s{0,20}([^<>\n]{1,200})</gim,
  /** The term of a definition list: `term`, perhaps an empty line, `: definition`. */
  definedTerm: /^(\S[^\n]{0,200})\n\n?:[ \t]+\S/gm,
  /** Of the page as a whole on hosts, and in addresses that scripts read. */
  notOwnAnchor: /^[/!]|=|^readme$/i,
  notInAnchor: /[^\p{L}\p{N}]/gu,
  /** `ADR-013` or `ADR 13` at the start of a name or a title: letters, digits. */
  leadingId: /^([A-Za-z]{2,16})[-_ ]?([0-9]{1,4})(?![0-9A-Za-z])/,
  /** `ADR_0013retries`, `ADR-13b`, in file names only: letters may follow the digits. */
  leadingFileId: /^([A-Za-z]{2,16})[-_ ]([0-9]{2,4})(?=[A-Za-z])/,
  wholeId: /^([A-Za-z]{2,16})[-_ ]?([0-9]{1,4})$/,
  leadingNumber: /^([0-9]{1,4})(?:[-_. ]|$)/,
  /** The folder of a component of Antora, and a module in it, around a page, a part of one, or a navigation. */
  antoraOrigin: /^((?:.*\/)?)modules\/([^/]+)\/(?:(?:pages|partials|examples)\/|nav[^/]*\.adoc$)/,
  /** A resource of Antora: version, component, module, family, path with its anchor. */
  antoraResource:
    /^(?:([\w.~-]{0,60})@)?(?:([\w.-]{1,60}):(?=[\w.-]{0,60}:))?(?:([\w.-]{0,60}):)?(?:(page|partial|example|image|attachment)\$)?([^:$@]*)$/,
  blank: / /g,
  firstNumber: /[0-9]{1,4}/,
  /** `docs/guide.md:12-40`: path, first line, last line; a place such as `(p. 12)` may follow. */
  place: /^(.+):([0-9]{1,9})(?:-([0-9]{1,9}))?(?: \([^():]{1,200}\))?$/,
} as const satisfies Record<string, RegExp>
