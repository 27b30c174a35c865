// Which characters of a code text are keywords, strings or comments? By the syntax tree, for people who read it.
import type { TreeCursor } from 'web-tree-sitter'

// 0 plain, 1 keyword, 2 string, 3 comment, 4 number, 5 type, 6 name of a definition.
const inside = /^(?:string_|template_)?(?:interpolation|substitution)$|interpolated_expression|expansion$/
const strings = /string|heredoc|sigil|(?:char|character|rune|regex)(?:_literal)?$|attribute_value$/
const numbers = /(?:^|_)(?:number|integer|int|float|decimal|real)(?:_|$)/
const types = /type_identifier$|^(?:predefined|primitive|simple|builtin)_type$|^attribute_name$/
const words = /^(?:true|false|null|none|nil|undefined|self|this|super|tag_name)$/
const defined = /function|method|class|struct|interface|enum|trait|module|type|object|impl/
const defining = /(?:definition|declaration|declarator|item|spec)$|^(?:class|module|method)$/

/** Null leaves the colour of what is around. */
function colourOf(cursor: TreeCursor, parent: string): number | null {
  const { nodeType: type, nodeIsNamed, currentFieldName: field } = cursor
  if (!nodeIsNamed) return /^[#@]?[a-z]\w*$/i.test(type) ? 1 : null
  if (inside.test(type)) return 0
  if (/comment/.test(type)) return 3
  if (strings.test(type)) return 2
  if (numbers.test(type)) return 4
  if (types.test(type)) return 5
  if (words.test(type)) return 1
  const isName = (field === 'name' || field === 'declarator') && /identifier|constant|name/.test(type)
  return isName && defined.test(parent) && defining.test(parent) ? 6 : null
}

/** The colour of each character; inner nodes paint over outer ones. */
export function colourTree(cursor: TreeCursor, length: number): Uint8Array {
  const painted = new Uint8Array(length)
  const parents: string[] = []
  for (;;) {
    const colour = colourOf(cursor, parents.at(-1) ?? '')
    if (colour !== null) painted.fill(colour, cursor.startIndex, cursor.endIndex)
    parents.push(cursor.nodeType)
    // A comment has no inside, but a string has.
    if (colour !== 3 && cursor.gotoFirstChild()) continue
    parents.pop()
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent()) {
        // A cursor that outlives its tree frees memory that others use by then.
        cursor.delete()
        return painted
      }
      parents.pop()
    }
  }
}
