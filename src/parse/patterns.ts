// Which regular expressions does parsing use? All of them, in one place, so that one test can time each.

/** Each is linear in its input: single classes, anchors, and bounded or disjoint repetitions only. */
export const patterns = {
  /** What GitHub drops from a heading to make its anchor. */
  notInSlug: /[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu,
  notInAsciiSlug: /[^a-z0-9_\- ]/g,
  notAscii: /[^\0-\x7f]/,
  space: / /g,
  whitespaceRun: /\s+/g,
  carriageReturn: /\r\n?/g,
  nul: /\0/g,
  /** A heading without any of these is its own plain text. */
  inlineMarkup: /[\\`*_[\]<&~\n]/,
  frontmatterKey: /^[A-Za-z_][\w-]*$/,
  /** Plain integers that YAML's core schema and TOML both read as such. */
  integer: /^(?:0|[1-9]\d{0,14})$/,
  /** Letters that may start a decision id. */
  idPrefix: /^[a-z]{2,16}$/,
  /** One word, or a call: what may name a piece of code. */
  codeName: /^[\w$./:#@-]+(?:\([^()\n]{0,80}\))?$/,
  /** A dot, a path, a call, an underscore or a capital inside. */
  codeSign: /[a-z0-9][A-Z]|[A-Z]{2}[a-z]|\w_\w|[\w$](?:\.|::|#)[A-Za-z_$]|\)$|\/[\w-]+\.[a-z]{1,4}/,
  /** A path with a folder and an extension, or a name of three parts and more, outside code marks. */
  qualified:
    /(?<![\w/.@-])(?:[\w-]{1,60}\/){1,12}[\w.-]{1,60}\.[a-z]{1,4}\b|(?<![\w/.@-])[A-Za-z_]\w{0,40}(?:\.[A-Za-z_]\w{0,40}){2,8}\b(?![/.@-])/g,
  decimal: /^(?:0|[1-9]\d{0,9})\.\d{1,9}$/,
  day: /^\d{4}-\d\d-\d\d$/,
  /** A YAML date or an ISO 8601 time: year, month, day, hour, minute, second, fraction, zone. */
  isoDate:
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt \t]\s{0,8}(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s{0,8}(Z|z|[-+]\d{1,2}(?::?\d{2})?)?)?$/,
} as const satisfies Record<string, RegExp>
