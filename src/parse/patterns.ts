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
  decimal: /^(?:0|[1-9]\d{0,9})\.\d{1,9}$/,
  day: /^\d{4}-\d\d-\d\d$/,
  /** A YAML date or an ISO 8601 time: year, month, day, hour, minute, second, fraction, zone. */
  isoDate:
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt \t]\s{0,8}(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s{0,8}(Z|z|[-+]\d{1,2}(?::?\d{2})?)?)?$/,
} as const satisfies Record<string, RegExp>
