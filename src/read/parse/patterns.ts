// Which regular expressions does parsing use? All of them are here, so that one test can time each.

/** Each is linear in its input: single classes, anchors, and bounded or disjoint repetitions only. */
export const patterns = {
  /** Characters that GitHub drops from a heading to make its anchor. */
  notInSlug: /[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu,
  notInAsciiSlug: /[^a-z0-9_\- ]/g,
  notAscii: /[^\0-\x7f]/,
  space: / /g,
  whitespaceRun: /\s+/g,
  carriageReturn: /\r\n?/g,
  nul: /\0/g,
  /** A heading without any of these is plain text. */
  inlineMarkup: /[\\`*_[\]<&~\n]/,
  /** The id of a heading in a comment of MDX, without the braces: alone, or behind a hash. */
  commentId: /^\/\*(?:[ \t]{0,8}#)?([^\s*#]{1,200})[ \t]{0,8}\*\/$/,
  // At the end of a heading, an id (`{#id}`) or a comment of MDX, which no reader of the page sees.
  headingEnd: /[ \t]{0,8}\\?\{(?:#[\w.:-]{1,200}|\/\*[^*\n]{0,200}\*\/)\}[ \t]{0,8}$/gm,
  /** A line of MDX that is one tag, or the start or the end of one. */
  mdxTag: /^<(?!(?:pre|script|style|textarea)\b)\/?(?:[A-Za-z][\w.:-]*)?(?:\s[^<]*)?>$/,
  mdxTagStart: /^<(?!(?:pre|script|style|textarea)\b)[A-Za-z][\w.:-]*(?:\s[^<>]*)?$/,
  mdxTagEnd: /(?<!=)>$/,
  /** A block of HTML that starts as a heading below a title. */
  tagHeading: /^<h[2-6][\s>]/,
  mdxModule: /^(?:import|export)\s/,
  /** A block of HTML without prose. */
  silentBlock: /^\s{0,3}<(?:script|style|textarea)\b/i,
  /** The address of a page in frontmatter, and an imported page of MDX. */
  frontmatterLink:
    /^[\s-]{0,20}(?:to|link|href|url):\s{1,8}["']?(\/[^\s"']{1,300})|^import\s[^'"]{1,200}['"](\.[^'"]{1,300}\.mdx?)['"]/,
  frontmatterKey: /^[A-Za-z_][\w-]*$/,
  /** Plain integers in both YAML's core schema and TOML. */
  integer: /^(?:0|[1-9]\d{0,14})$/,
  /** Letters of a decision id. */
  idPrefix: /^[a-z]{2,16}$/,
  /** One word or a call that may name code. */
  codeName: /^[\w$./:#@-]+(?:\([^()\n]{0,80}\))?$/,
  /** A dot, a path, a call, an underscore or a capital inside. */
  codeSign: /[a-z0-9][A-Z]|[A-Z]{2}[a-z]|\w_\w|[\w$](?:\.|::|#)[A-Za-z_$]|\)$|\/[\w-]+\.[a-z]{1,4}/,
  /** A path with a folder and an extension, or a name of three parts and more, outside code marks. */
  qualified:
    /(?<![\w/.@-])(?:[\w-]{1,60}\/){1,12}[\w.-]{1,60}\.[a-z]{1,4}\b|(?<![\w/.@-])[A-Za-z_]\w{0,40}(?:\.[A-Za-z_]\w{0,40}){2,8}\b(?![/.@-])/g,
  /** A letter or a digit of any script. */
  word: /[\p{L}\p{N}]/u,
  numberedTitle: /^ {0,4}(\d{1,3}(?:\.\d{1,3}){0,4})\.? {1,4}(\S.{0,100})$/,
  /** `== Title`, `== Title ==`, `## Title`. */
  markedTitle: /^(={1,5}|#{2,5})\s+(\S.*)$/,
  trailingMarks: /\s=+$/,
  titleStart: /^[\p{Lu}\p{N}:`]/u,
  /** `[[anchor]]`, `[#anchor]`. */
  anchorLine: /^\[(?:\[|#)([\w.:-]{1,100})(?:,[^\]]{0,100})?\]{1,2}$/,
  role: /:[a-z]{1,20}:(?=`)/g,
  /** Directives that describe a function, a setting and the like in reStructuredText. */
  directive:
    /^\.\. (?:\w{1,20}:)?(?:class|function|method|attribute|exception|module|data|option|confval|envvar|setting|describe|directive|macro|auto[a-z]{1,20})::\s+(\S.*)$/,
  /** Marks that hardly occur outside reStructuredText: a directive, a label, a role. */
  rstMark: /^ {0,12}\.\. (?:_[^:]{1,100}:|[a-z][\w:-]{0,40}::)|(?<![\w:]):[a-z][a-z:-]{1,24}:`/,
  /** `.. _label:`, or with backticks around a label that holds a colon. */
  rstLabel: /^\.\. _(?:`([^`]{1,200})`|([^`:\s][^:]{0,200})):$/,
  rstRoleText: /:[a-z][a-z:+-]{0,40}:`([^`]{1,300})`/g,
  /** After `.. `: a label or a link's name, and its target. */
  rstTarget: /^_(?:`([^`]{1,200})`|([^`:\s_][^:]{0,200})):(.*)$/,
  rstDirective: /^([A-Za-z][\w+.-]{0,60}(?::[A-Za-z][\w+.-]{0,60})?)::(?=\s|$)(.*)$/,
  /** The mark before the text of a list item or a field. */
  rstItemMark: /^(?:[-+*\u2022] |\(?[\w#]{1,4}[.)] |:[^:]{1,60}: ) {0,20}/,
  /** `name_`, a link with a separate target. */
  rstNamed: /(?<![\w.`+-])([A-Za-z0-9][\w.+-]{0,60}?)_(?![\w`])/g,
  rstRoleBefore: /(?:^|[^\w:]):([A-Za-z][\w+-]{0,40}(?::[A-Za-z][\w+-]{0,40}){0,2}):$/,
  rstNotInName: /^[.*&]{1,4}|\(\)$|:$/g,
  rstOptionEnd: /[ =[]/,
  rstField: /^:([A-Za-z][\w -]{0,60}):(?:\s|$)/,
  /** `Status: Final`, as in the header of a PEP. */
  headerLine: /^([A-Z][\w-]{0,40}):\s/,
  /** Marks that hardly occur outside MyST: a fence or a role with a name in braces, a label. */
  mystMark:
    /^[ \t]{0,12}(?:`{3,9}|~{3,9}|:{3,9})\{[a-z]|(?<![^\s(['"*,])\{[a-z][\w:+-]{0,60}\}`[^\s`]|^\([^()\n]{1,200}\)=[ \t]*$/im,
  /** The start or the end of a block: its marks, the name of a directive, and the argument. */
  mystFence: /^[ \t]*(`{3,}|~{3,}|:{3,})(?:\{([A-Za-z][\w:.+-]{0,60})\})?[ \t]*(.*)$/,
  mystRole: /\{([A-Za-z][\w:+-]{0,60})\}$/,
  mystLabel: /^\(([^()]{1,200})\)=$/,
  rstPunctuation: /^[!-/:-@[-`{-~]/,
  rstGridTable: /^\+-[-+]+-\+$/,
  rstTableBorder: /^=[ =]*$/,
  /** A bullet, a line of verse, an example session, an option with its description. */
  rstItem:
    /^(?:[-+*\u2022\u2023\u2043](?: |$)|\|(?: |$)|>>>(?: |$)|(?:--?|\/)\w[\w-]{0,60}(?:[ =][\w<>-]{1,60})? {2})/,
  rstNumbered: /^\(?(?:[0-9]{1,9}|[A-Za-z]|[ivxlcdm]{1,9}|[IVXLCDM]{1,9}|#)[.)](?: |$)/,
  /** Marks that hardly occur outside AsciiDoc at the start of a line: an anchor, a block macro, a condition, a style. */
  asciidocMark:
    /^(?:\[\[[\w.:-]{1,100}(?:,|\]\])|(?:include|image|ifdef|ifndef|ifeval|endif|toc|xref)::|\[(?:source|verse|quote|listing|NOTE|TIP|WARNING|IMPORTANT|CAUTION|cols|options|horizontal|preface|appendix|discrete|role)\b[^\]]{0,100}\]$|={2,5} \S)|(?<!\w)(?:link[a-z]{0,8}|xref):[^\s[\]]{1,100}\[/,
  /** `[preface]`, `[role="x"]`, `[.style]`: attributes of the block below. */
  asciidocStyle: /^\[[\w.#%"'][^\]]{0,200}\]$/,
  asciidocAttribute: /^:([A-Za-z][\w-]{0,60}):(?:\s|$)/,
  asciidocVariable: /\{([A-Za-z][\w-]{0,60})\}/g,
  /** A passthrough around a whole target. */
  asciidocPass: /^(\$\$|\+\+)(.+)\1$/,
  /** The first line of an indented paragraph, but not of a list or a description. */
  asciidocLiteral: /^[ \t]+(?!(?:[*.-]{1,5}|\d{1,4}\.|[A-Za-z]\.|<[\d.]{1,3}>|.{0,200}(?:::|;;))(?:\s|$))\S/,
  /** A condition with its text in brackets. */
  asciidocCondition: /^ifn?def::[^[\s]{0,200}\[(.+)\]$/,
  asciidocTitle: /^(={1,6}|#{2,6})\s+(\S.*)$/,
  asciidocDirective: /^(?:include|ifdef|ifndef|ifeval|endif)::/,
  anchorInLine: /\[\[[\w.:-]{1,100}(?:,[^\]]{0,100})?\]\]/g,
  notInReference: /[<>[\]{}=;]/,
  asciidocFence: /^(?:-{4,}|\.{4,}|\/{4,}|\+{4,}|```\S{0,40})$/,
  notInMacro: /[\s()<>"'`,;]/,
  /** A comment line with any of the usual marks, but not `#define` or `#port 80`. */
  commentLine:
    /^(?:#(?:[\s#!*=-]|$)|\/\/|\/\*|\*(?:[\s*/]|$)|;|--(?:[\s-]|$)|dnl\b|%(?:[\s%]|$)|<!--|REM\b|"\s)/,
  /** A line that ends or continues a construct. */
  closingLine:
    /^(?:[)\]}]|<\/|-->|\*\/|(?:end|fi|done|esac|else|elif|elsif|then|endif|endfunction|endmacro|endforeach|until)\b|\|\|?|&&)/i,
  /** `##### Title #####`, `# ---- Title ----`, `// ===== Title`. */
  banner:
    /^(?:[#;%*]|\/\/|\/\*|--|dnl)?[ \t]{0,8}[#=*~_-]{4,200}[ \t]{1,8}([^#=*~_-][^#=*~]{0,100}?)[ \t]{0,8}(?:[#=*~_/-]{3,400})?$/,
  leadingMarks: /^(?:[#;%*"'`<!/-]|dnl\b|REM\b|\s){1,40}/,
  openingMarks: /[\s{([:,;\\=]{1,40}$/,
  /** The section of a manual page that `linkgit:git-log[1]` names. */
  manSection: /^[1-9][a-z]{0,4}$/,
  /** Files by name: of tables, make, containers, databases, schemas and YAML. */
  tableFile:
    /\.(?:toml|ini|cfg|conf|service|desktop|editorconfig|gitconfig|properties)$|^\.(?:editorconfig|gitconfig|npmrc|flake8|pylintrc|coveragerc)$/i,
  makeFile: /^(?:GNU)?makefile(?:\.|$)|\.(?:mk|mak)$/i,
  dockerFile: /^(?:dockerfile|containerfile)(?:\.|$)|\.dockerfile$/i,
  sqlFile: /\.sql$/i,
  schemaFile: /\.(?:proto|graphqls?|gql|thrift)$/i,
  yamlFile: /\.ya?ml$/i,
  /** `[table]`, `[[array]]`. */
  tableHead: /^\[{1,2}([^[\]]{1,200})\]{1,2}\s*(?:[#;].*)?$/,
  makeTarget: /^([A-Za-z0-9_.%/$(){}-][^:=#\t]{0,200}):(?![:=])/,
  dockerStage: /^FROM\s+\S.{0,200}$/i,
  sqlStatement: /^(?:create|alter)\s[^(;]{1,200}/i,
  schemaType:
    /^(?:extend\s+)?(?:message|enum|service|struct|exception|type|input|interface|union|directive|schema|query|mutation|subscription|fragment)\s+[@\w.]{1,100}/,
  /** `@doc "…"`, `@objc`, or documentation in triple quotes. */
  attributeLine: /^(?:@\w|""")/,
  /** The start of a C function at the left margin, up to its parameters; a type on a line of its own. */
  functionHead: /^(?:[A-Za-z_][\w \t*]{0,200}[ \t*])?([A-Za-z_]\w{0,100})[ \t]{0,4}\(/,
  typeLine: /^[A-Za-z_][\w \t*]{0,200}$/,
  /** A keyword with the name that it defines; a function bound to a name; forms of Clojure and Haskell. */
  definition:
    /^ {0,12}(?:(?:public|private|fileprivate|protected|internal|static|final|abstract|export|pub|open|override|async|local|inline|sealed|case|implicit|mutating|external) {1,4}){0,6}(?:def[a-z]{0,8}|function!?|func|fun|fn|sub|proc|macro|class|module|object|trait|protocol|struct|enum|interface|extension|actor|contract)\s{1,4}([A-Za-z_$][\w$]{0,60}(?:(?:\.|::?)[\w$]{1,60}){0,6}[?!]?)|^ {0,12}(?:local {1,4})?([A-Za-z_][\w.:]{0,100}) {0,4}(?:<-|=) {0,4}function\b|^\(def[a-z]{0,12}-? {1,4}([^\s()[\]]{1,100})|^([a-z_][\w']{0,100}) {1,4}:: |^(?:function|macro)\(([\w-]{1,100})/,
  yamlKey: /^(?:"([^"]{1,100})"|([\w$/.-][^:#]{0,100})):(?:\s|$)/,
  yamlKind: /^kind:[ \t]{1,8}"?([\w.-]{1,60})/m,
  yamlName: /^ {1,8}name:[ \t]{1,8}"?([\w.-]{1,60})/m,
  /** `- title: "Sorting"`: a value in either quotes, or in none. */
  yamlTitle:
    /^(?:- {1,8})?(?:title|name|label|summary):[ \t]{1,8}(?:"([^"]{1,200})"|'([^']{1,200})'|([^"'|>#&*!{[][^#]{0,200}?))$/,
  proseBullet: /^(?:#{1,6}|[-+*]|\d{1,4}[.)])[ \t]{1,8}/,
  /** A YAML date or an ISO 8601 time: year, month, day, hour, minute, second, fraction, zone. */
  isoDate:
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt \t]\s{0,8}(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s{0,8}(Z|z|[-+]\d{1,2}(?::?\d{2})?)?)?$/,
} as const satisfies Record<string, RegExp>
