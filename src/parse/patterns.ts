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
  /** A letter or a digit of any script. */
  word: /[\p{L}\p{N}]/u,
  /** What only a man page, Perl's documentation or a Texinfo file begins a line with. */
  manMark: /^\.(?:TH|SH|Dd|Sh)\b/,
  podMark: /^=(?:head[1-6]|pod)\b/,
  texinfoMark: /^(?:\\input texinfo|@(?:node|chapter|settitle)\b)/,
  numberedTitle: /^ {0,4}(\d{1,3}(?:\.\d{1,3}){0,4})\.? {1,4}(\S.{0,100})$/,
  podHead: /^=(head[1-6]|item)\s+(\S.*)$/,
  podFormat: /[BCEFILS]<([^<>]{0,200})>/g,
  texinfoHead: /^@([a-z]+)\s+(\S.*)$/,
  roffRequest: /^\.[A-Z]{1,2}\s/,
  roffFont: /\\f(?:\(..|\[[^\]]{0,9}\]|.)|\\[&|^/,]|\\\(../g,
  roffDash: /\\-/g,
  /** The first argument of a request, when it is quoted. */
  roffQuoted: /^"([^"]{1,200})"/,
  /** `== Title`, `== Title ==`. */
  markedTitle: /^(={1,5})\s+(\S.*)$/,
  trailingMarks: /\s=+$/,
  titleStart: /^[\p{Lu}\p{N}:`]/u,
  /** `[[anchor]]`, `[#anchor]`. */
  anchorLine: /^\[(?:\[|#)([\w.:-]{1,100})(?:,[^\]]{0,100})?\]{1,2}$/,
  role: /:[a-z]{1,20}:(?=`)/g,
  /** A function, a setting and the like in reStructuredText. */
  directive:
    /^\.\. (?:\w{1,20}:)?(?:class|function|method|attribute|exception|module|data|option|confval|envvar|setting|describe|directive|macro|auto[a-z]{1,20})::\s+(\S.*)$/,
  /** A line of a comment in any of the usual marks; `#define` and `#port 80` are none. */
  commentLine:
    /^(?:#(?:[\s#!*=-]|$)|\/\/|\/\*|\*(?:[\s*/]|$)|;|--(?:[\s-]|$)|dnl\b|%(?:[\s%]|$)|<!--|REM\b|"\s)/,
  /** A line that ends what another began, or goes on with it. */
  closingLine:
    /^(?:[)\]}]|<\/|-->|\*\/|(?:end|fi|done|esac|else|elif|elsif|then|endif|endfunction|endmacro|endforeach|until)\b|\|\|?|&&)/i,
  /** `##### Title #####`, `# ---- Title ----`, `// ===== Title`. */
  banner:
    /^(?:[#;%*]|\/\/|\/\*|--|dnl)?[ \t]{0,8}[#=*~_-]{4,200}[ \t]{1,8}([^#=*~_-][^#=*~]{0,100}?)[ \t]{0,8}(?:[#=*~_/-]{3,400})?$/,
  bannerRule: /^(?:[#;%*]|\/\/|\/\*|--|dnl)?[ \t]{0,8}[#=*~_-]{8,400}(?:\*\/|\/)?$/,
  leadingMarks: /^(?:[#;%*"'`<!/-]|dnl\b|REM\b|\s){1,40}/,
  openingMarks: /[\s{([:,;\\=]{1,40}$/,
  decimal: /^(?:0|[1-9]\d{0,9})\.\d{1,9}$/,
  day: /^\d{4}-\d\d-\d\d$/,
  /** A YAML date or an ISO 8601 time: year, month, day, hour, minute, second, fraction, zone. */
  isoDate:
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt \t]\s{0,8}(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s{0,8}(Z|z|[-+]\d{1,2}(?::?\d{2})?)?)?$/,
} as const satisfies Record<string, RegExp>
