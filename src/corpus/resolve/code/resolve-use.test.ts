// Do names lead where the language says? Every fixture folder, its outlines as the parser makes them.
// Long because it has the expected resolutions of every language.
import { describe, expect, it } from 'vitest'
import { parseAs, parseFixture } from '../../../../test/support/code-tool.ts'
import { codeLanguages, isCodeLanguage } from '../../../model/code-languages.ts'
import { parseLooseJson } from '../../../model/config/parse-loose-json.ts'
import { readFormat } from '../../../model/config/read-formats.ts'
import { type CodeCatalogue, type ModuleSettings, makeCodeCatalogue } from './code-catalogue.ts'
import { resolveUse } from './resolve-use.ts'

type Parsed = Awaited<ReturnType<typeof parseFixture>>

function catalogueOf(files: Parsed, settings: Partial<ModuleSettings> = {}): CodeCatalogue {
  return makeCodeCatalogue({
    entries: [...files.values()].map(({ path, language, outline }) => ({
      path,
      language,
      outline: JSON.stringify(outline),
    })),
    rulesOf: (language) => {
      if (!isCodeLanguage(language)) throw new Error(language)
      const { modules, self, bare_members } = readFormat(language)
      return { modules, self: new Set(self), bareMembers: bare_members === true }
    },
    settings: { packages: [], aliases: [], ...settings },
  })
}

/** `origin name → target` for every name that resolves, and the outcome of the others. */
function links(files: Parsed, settings: Partial<ModuleSettings> = {}): string[] {
  const catalogue = catalogueOf(files, settings)
  return [...files.values()].flatMap(({ mentions }) =>
    mentions
      .filter(({ form }) => form === 'uses' || form === 'script' || form === 'class')
      .map((mention) => {
        const found = resolveUse(mention, catalogue)
        const target = found.outcome === 'resolved' ? (found.section ?? found.path) : found.outcome
        return `${mention.origin} ${mention.text} → ${target}`
      }),
  )
}

const tested = new Set<string>()

/** The names of a language's fixture lead to at least these places. */
function itLeads(
  language: string,
  what: string,
  expected: readonly string[],
  settings: Partial<ModuleSettings> = {},
): void {
  tested.add(language)
  it(`${language} ${what}`, async () => {
    expect(links(await parseFixture(language), settings)).toEqual(expect.arrayContaining([...expected]))
  })
}

async function folder(sources: Readonly<Record<string, string>>): Promise<Parsed> {
  const parsed = new Map()
  for (const [name, text] of Object.entries(sources)) parsed.set(name, await parseAs(name, text))
  return parsed
}

describe('Python', () => {
  itLeads('python', 'follows relative imports, aliases, packages, star imports and re-exports', [
    'main.py#main place → shop/orders.py#place_order',
    'main.py#main shop.total → shop/pricing.py#total',
    'main.py#main shop.storage.Store → shop/storage.py#Store',
    'shop/orders.py#Order.amount prices.total → shop/pricing.py#total',
    'shop/orders.py#Order.save logged → shop/storage.py#logged',
    'shop/orders.py#Order.save self.check → shop/orders.py#Order.check',
    'shop/orders.py#Order.save self.describe → shop/orders.py#Base.describe',
    'shop/orders.py#Order.save self.store.put → shop/storage.py#Store.put',
    'shop/orders.py#Order.check TooMany → shop/orders.py#TooMany',
    'shop/orders.py#place_order order.save → shop/orders.py#Order.save',
    'shop/pricing.py#total rate_of → shop/pricing.py#rate_of',
    'shop/pricing.py#total functools.cache → external',
  ])

  it('leaves a variable alone that may be of two classes', async () => {
    const files = await folder({
      'a.py':
        'class A:\n    def go(self): pass\n\n\nclass B:\n    def go(self): pass\n\n\ndef f(x):\n    y = A()\n    if x:\n        y = B()\n    y.go()\n',
    })
    expect(links(files).filter((link) => link.includes('y.go'))).toEqual([])
  })

  it('finds a module that one function imports whole and another in part', async () => {
    const text = 'def one():\n    from m import f\n    f()\n\n\ndef two():\n    import m\n    m.f()\n'
    const files = await folder({ 'm.py': 'def f(): pass\n', 'n.py': text })
    expect(links(files)).toEqual(['n.py#one f → m.py#f', 'n.py#two m.f → m.py#f'])
  })

  it('keeps what two roots answer to as ambiguous', async () => {
    const files = await folder({
      'one/pkg/mod.py': 'def f(): pass\n',
      'two/pkg/mod.py': 'def f(): pass\n',
      'tools/run.py': 'from pkg.mod import f\n\n\ndef go():\n    f()\n',
    })
    expect(links(files)).toEqual(['tools/run.py#go f → ambiguous'])
  })

  it('misses a relative import that leaves the corpus by several folders', async () => {
    const files = await folder({ 'cases/run.py': 'from .....deep import f\n\n\ndef go():\n    f()\n' })
    expect(links(files)).toEqual(['cases/run.py#go f → missing'])
  })
})

itLeads('javascript', 'follows CommonJS, ES modules, default and namespace imports, and JSX', [
  'lib/retry.js#retry wait → lib/wait.js#wait',
  'lib/retry.js#retry fail → lib/retry.js#fail',
  'lib/retry.js#retry retry → self',
  'lib/retry.js#Retrier.run this.attempt → lib/retry.js#Retrier.attempt',
  'index.mjs#start retrying.once → lib/retry.js#once',
  'index.mjs#start Panel → panel.jsx#Panel',
  'panel.jsx#Panel Row → panel.jsx#Row',
])

describe('JavaScript', () => {
  const made = 'exports.make = (a) => a\nexports.twice = (a) => exports.make(exports.make(a))\n'
  const more = 'module.exports.thrice = function (a) {\n  return module.exports.make(a)\n}\n'

  it('finds calls on the exports of the file itself', async () => {
    expect(links(await folder({ 'x.js': made + more }))).toEqual([
      'x.js#twice exports.make → x.js#make',
      'x.js#thrice module.exports.make → x.js#make',
    ])
  })

  const ways: readonly (readonly [string, string])[] = [
    ['a name that require gives inside the function', "const { make } = require('./x')\n  return make(a)"],
    ['a module that is required where it is called', "return require('./x').make(a)"],
    ['a module that is imported where it is called', 'return (await import(X)).make(a)'],
    ['a name that a dynamic import gives', 'const { make } = await import(X)\n  return make(a)'],
    ['a name that a promise of a module gives', 'return import(X).then(({ make }) => make(a))'],
    ['a module that a promise gives', 'return import(X).then((x) => x.make(a))'],
    ['a module that is required once', "late = late || require('./x')\n  return late.make(a)"],
    ['a module that is assigned once', "late ??= require('./x')\n  return late.make(a)"],
  ]
  for (const [what, body] of ways)
    for (const extension of ['js', 'ts'])
      it(`finds a call of ${what}, in ${extension}`, async () => {
        const text = `let late\nasync function go(a) {\n  ${body.replace('(X)', "('./x')")}\n}\nfunction other(a, make, x) {\n  return make(x.make(a))\n}\n`
        const files = await folder({ [`x.${extension}`]: made, [`y.${extension}`]: text })
        const found = links(files).filter((link) => link.startsWith('y.') && link.includes('make'))
        expect(found).toEqual([expect.stringMatching(new RegExp(`#go .*make → x\\.${extension}#make$`))])
      })
})

describe('TypeScript', () => {
  const aliases = [{ folder: '', aliases: [{ pattern: '@app/*', targets: ['src/app/*'] }] }]
  itLeads(
    'typescript',
    'follows paths of tsconfig.json, .js for .ts, re-exports and inherited functions',
    [
      'src/view.tsx#View createQueue → src/app/queue.ts#makeQueue',
      'src/view.tsx#View Queue → src/app/queue.ts#Queue',
      'src/view.tsx#View queue.take → src/app/queue.ts#Queue.take',
      'src/view.tsx#first Job → src/app/job.ts#Job',
      'src/view.tsx#View Label → src/view.tsx#Label',
      'src/app/queue.ts#Queue.take this.note → src/app/queue.ts#Holder.note',
      'src/app/queue.ts#makeQueue Queue → src/app/queue.ts#Queue',
      'src/app/job.ts#Job State → src/app/job.ts#State',
    ],
    { aliases },
  )

  it('finds a function inside the function that calls it', async () => {
    const body = Array.from({ length: 200 }, (_, at) => `    seen.push(items[${at}]);`).join('\n')
    const files = await folder({
      'a.ts': `export function outer(items: string[]) {\n  const seen: string[] = [];\n  const insert = (index: number) => {\n${body}\n  };\n  function close(index: number) {\n    insert(index);\n${body}\n  }\n  insert(1);\n  close(2);\n}\n`,
    })
    expect(links(files)).toEqual(
      expect.arrayContaining([
        'a.ts#outer.block insert → a.ts#outer.insert',
        'a.ts#outer.block close → a.ts#outer.close',
        'a.ts#outer.close insert → a.ts#outer.insert',
      ]),
    )
  })

  it('reads JSON with comments and trailing commas', () => {
    expect(parseLooseJson('{ // a\n "a": [1, /* b */ 2,], "c": "//", }')).toEqual({ a: [1, 2], c: '//' })
    expect(parseLooseJson('{')).toBeNull()
  })
})

describe('Go', () => {
  const packages = [{ name: 'example.com/courier', folder: '', entries: [] }]
  itLeads(
    'go',
    'knows its package, its receivers and packages below its module',
    [
      'main.go#main Courier → main.go#Courier',
      'main.go#main store.Open → store/box.go#Open',
      'main.go#main courier.Deliver → deliver.go#Courier.Deliver',
      'main.go#describe courier.Name → deliver.go#Courier.Name',
      'deliver.go#Courier.Deliver Courier → main.go#Courier',
      'main.go#main fmt.Println → external',
    ],
    { packages },
  )

  it.each(['example.com/acme/tool/v2', 'example.com/acme/go-tool', 'gopkg.in/tool.v3'])(
    'knows a package by its clause, not by the last segment of %s',
    async (name) => {
      const files = await folder({
        'tool.go':
          'package tool\n\nvar Limit = 2\n\ntype Box struct{}\n\nfunc (b *Box) Put() {}\n\nfunc Root(n int) int { return n }\n',
        'tool_test.go': 'package tool_test\n\nfunc helper() {}\n',
        'cmd/main.go': `package main\n\nimport "${name}"\n\nfunc main() {\n\ttool.Root(tool.Limit)\n}\n\nfunc fill(box *tool.Box) {\n\tbox.Put()\n}\n`,
      })
      expect(
        links(files, { packages: [{ name, folder: '', entries: [] }] }).filter((link) =>
          link.startsWith('cmd/'),
        ),
      ).toEqual([
        'cmd/main.go#main tool.Root → tool.go#Root',
        'cmd/main.go#main tool.Limit → tool.go',
        'cmd/main.go#fill tool.Box → tool.go#Box',
        'cmd/main.go#fill box.Put → tool.go#Box.Put',
      ])
    },
  )

  it('takes a function of the type in another file before one of an embedded type', async () => {
    const files = await folder({
      'api.go': 'package raft\n\ntype Raft struct {\n\tstate\n}\n\nfunc (r *Raft) Run() {\n\tr.set(1)\n}\n',
      'raft.go': 'package raft\n\nfunc (r *Raft) set(n int) { r.state.set(n) }\n',
      'state.go': 'package raft\n\ntype state struct{}\n\nfunc (s *state) set(n int) {}\n',
    })
    expect(links(files)).toContain('api.go#Raft.Run r.set → raft.go#Raft.set')
  })

  it('knows variables and constants of the package, but neither local names nor fields', async () => {
    const files = await folder({
      'errors.go':
        'package proxy\n\nimport "errors"\n\nvar errNone = errors.New("none")\n\nconst limit = 3\n',
      'proxy.go':
        'package proxy\n\ntype Box struct{ limit int }\n\nfunc run(n int) error {\n\tif n > limit {\n\t\treturn errNone\n\t}\n\treturn nil\n}\n\nfunc local(limit int) Box {\n\treturn Box{limit: limit}\n}\n',
    })
    expect(links(files).filter((link) => / (?:errNone|limit) /.test(link))).toEqual([
      'proxy.go#run limit → errors.go#errNone',
      'proxy.go#run errNone → errors.go#errNone',
    ])
  })
})

describe('Rust', () => {
  it('follows paths from the crate, its own name, nested use lists, and super inside a module of a file', async () => {
    const files = await folder({
      'src/lib.rs': 'pub mod error;\npub mod style;\n',
      'src/error.rs':
        'pub fn default_handler() {}\n\npub fn report() {\n    crate::style::List::from_str("a");\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn reports() {\n        super::report();\n    }\n}\n',
      'src/style.rs':
        'pub struct List;\n\nimpl List {\n    pub fn from_str(s: &str) -> List { List }\n}\n\npub fn plain() {}\n',
      'src/bin/tool/main.rs':
        'use tool::{error::{default_handler, report}, style::plain};\n\nfn main() {\n    default_handler();\n    plain();\n    tool::style::plain();\n}\n',
    })
    const packages = [{ name: 'crate::tool', folder: '', entries: [] }]
    expect(links(files, { packages }).filter((link) => !/#List/.test(link.split(' ')[0] as string))).toEqual([
      'src/error.rs#report crate.style.List.from_str → src/style.rs#List-1.from_str',
      'src/error.rs#tests.reports super.report → src/error.rs#report',
      'src/bin/tool/main.rs#main default_handler → src/error.rs#default_handler',
      'src/bin/tool/main.rs#main plain → src/style.rs#plain',
      'src/bin/tool/main.rs#main tool.style.plain → src/style.rs#plain',
    ])
  })
})

itLeads('rust', 'knows use trees, modules, self and impl blocks', [
  'src/lib.rs#Courier-1.new open_box → src/store.rs#open',
  'src/lib.rs#Courier-1.deliver self.check → src/lib.rs#Courier-1.check',
  'src/lib.rs#Courier-1.deliver store.note → src/store.rs#note',
  'src/lib.rs#run Courier.new → src/lib.rs#Courier-1.new',
  'src/lib.rs#run courier.deliver → src/lib.rs#Courier-1.deliver',
])

describe('Java', () => {
  const at = 'src/main/java/com/courier'
  itLeads('java', 'knows imports, its package, fields, and inherited methods', [
    `${at}/Courier.java#Courier.deliver check → ${at}/Courier.java#Courier.check`,
    `${at}/Courier.java#Courier.deliver this.box.put → ${at}/store/Box.java#Box.put`,
    `${at}/Courier.java#Courier.deliver next.log → ${at}/Carrier.java#Carrier.log`,
    `${at}/Courier.java#Courier.deliver log → ${at}/Carrier.java#Carrier.log`,
    `${at}/Courier.java#Courier.Courier Box → ${at}/store/Box.java#Box`,
    `${at}/Courier.java#Courier Carrier → ${at}/Carrier.java#Carrier`,
  ])

  it('follows static imports, the class around, and the same package of the tests', async () => {
    const files = await folder({
      'src/main/java/org/a/Matchers.java':
        'package org.a;\n\npublic class Matchers {\n  public static int anyByte() { return 1; }\n}\n',
      'src/main/java/org/a/Mock.java':
        'package org.a;\n\npublic class Mock extends Matchers {\n  static int seen() {\n    int seen = seen();\n    return seen;\n  }\n  static void warn() {}\n  class Inner {\n    void run() { warn(); }\n  }\n}\n',
      'src/test/java/org/a/MockTest.java':
        'package org.a;\n\nclass MockTest {\n  Mock mock() { return new Mock(); }\n}\n',
      'src/test/java/org/b/UseTest.java':
        'package org.b;\n\nimport static org.a.Mock.anyByte;\n\nclass UseTest {\n  int use() { return anyByte(); }\n}\n',
      'src/test/java/org/b/StarTest.java':
        'package org.b;\n\nimport static org.a.Mock.*;\n\nclass StarTest {\n  int use() { return anyByte(); }\n}\n',
    })
    const main = 'src/main/java/org/a'
    expect(links(files)).toEqual(
      expect.arrayContaining([
        `${main}/Mock.java#Mock.seen seen → self`,
        `${main}/Mock.java#Mock.Inner.run warn → ${main}/Mock.java#Mock.warn`,
        `src/test/java/org/a/MockTest.java#MockTest.mock Mock → ${main}/Mock.java#Mock`,
        `src/test/java/org/b/UseTest.java#UseTest.use anyByte → ${main}/Matchers.java#Matchers.anyByte`,
        `src/test/java/org/b/StarTest.java#StarTest.use anyByte → ${main}/Matchers.java#Matchers.anyByte`,
      ]),
    )
  })
})

describe('C', () => {
  itLeads(
    'c',
    'knows functions of the whole program, definitions before declarations, macros, types and tables',
    [
      'src/main.c#deliver box_put → src/box.c#box_put',
      'src/main.c#deliver box_clear → src/box.c#box_clear',
      'src/main.c#report box_each → src/box.c#box_each',
      'src/main.c#commands deliver → src/main.c#deliver',
      'src/main.c#main fail → src/main.c#fail',
      'src/main.c#command box → include/courier/box.h#box',
      'src/box.c#box_put is_full → src/box.c#is_full',
      'src/box.c#is_full BOX_MAX → include/courier/box.h#BOX_MAX',
    ],
  )

  it('means what it includes where a name is defined twice, and nothing that is static elsewhere', async () => {
    const files = await folder({
      'one/log.c': 'void note(void) { }\n',
      'one/log.h': 'void note(void);\n',
      'two/log.c': 'void note(void) { }\n',
      'two/own.c': 'static void quiet(void) { }\n',
      'app/main.c': '#include "one/log.h"\n\nint main(void) { note(); }\n',
      'app/other.c': 'int other(void) { note(); quiet(); }\n',
    })
    expect(links(files).filter((link) => link.startsWith('app'))).toEqual([
      'app/main.c#main note → one/log.c#note',
      'app/other.c#other note → ambiguous',
      'app/other.c#other quiet → external',
    ])
  })
})

itLeads('cpp', 'knows classes, members outside their class, bases and namespaces', [
  'box.cpp#Box.put Box → box.h#Box',
  'box.cpp#Box.put log → carrier.hpp#Carrier.log',
  'box.cpp#Box.put larger → box.h#larger',
  'main.cc#main courier.Box → box.h#Box',
  'main.cc#main box.put → box.cpp#Box.put',
  'main.cc#main box.size → box.h#Box.size',
])

itLeads('csharp', 'knows the types of the program, fields, and inherited methods', [
  'Courier.cs#Courier Carrier → Carrier.cs#Carrier',
  'Courier.cs#Courier.Deliver Check → Courier.cs#Courier.Check',
  'Courier.cs#Courier.Deliver this.box.Put → Store/Box.cs#Box.Put',
  'Courier.cs#Courier.Deliver Log → Carrier.cs#Carrier.Log',
])

itLeads('ruby', 'knows required files, nested modules, what is made by new, and inherited methods', [
  'lib/shop.rb#Shop.run Courier → lib/shop/courier.rb#Shop.Courier',
  'lib/shop.rb#Shop.run courier.deliver → lib/shop/courier.rb#Shop.Courier.deliver',
  'lib/shop.rb#Shop.run Shop.Box.open → lib/shop/box.rb#Shop.Box.open',
  'lib/shop/courier.rb#Shop.Courier.deliver check → lib/shop/courier.rb#Shop.Courier.check',
  'lib/shop/courier.rb#Shop.Courier.deliver log → lib/shop/box.rb#Shop.Carrier.log',
])

itLeads('php', 'knows use statements, required files, properties, and inherited methods', [
  'src/Courier.php#Courier Carrier → src/Carrier.php#Carrier',
  'src/Courier.php#Courier Box → src/Store/Box.php#Box',
  'src/Courier.php#Courier.deliver $this.box.put → src/Store/Box.php#Box.put',
  'src/Courier.php#Courier.deliver $next.check → src/Courier.php#Courier.check',
  'src/Courier.php#Courier.deliver describe → src/helpers.php#describe',
  'src/Courier.php#Courier.deliver $this.log → src/Carrier.php#Carrier.log',
  'src/Courier.php#Courier.deliver Box.open → src/Store/Box.php#Box.open',
  'src/Carrier.php#Deliver.deliver Store.Parcel → src/Store/Box.php#Parcel',
])

itLeads('bash', 'knows its functions, and those of what it sources', [
  'deliver.sh#deliver check → deliver.sh#check',
  'deliver.sh#deliver box_put → lib/box.sh#box_put',
  'deliver.sh#block-1 deliver → deliver.sh#deliver',
])

describe('Kotlin', () => {
  const at = 'src/main/kotlin/com/courier'
  itLeads('kotlin', 'knows imports, functions without a class, properties, and inherited methods', [
    `${at}/Courier.kt#Courier Carrier → ${at}/Carrier.kt#Carrier`,
    `${at}/Courier.kt#Courier.deliver this.box.put → ${at}/store/Box.kt#Box.put`,
    `${at}/Courier.kt#Courier.deliver next.check → ${at}/Courier.kt#Courier.check`,
    `${at}/Courier.kt#Courier.deliver log → ${at}/Carrier.kt#Carrier.log`,
    `${at}/Courier.kt#Courier.deliver describe → ${at}/store/Box.kt#describe`,
    `${at}/Courier.kt#Courier Instant.now → external`,
  ])

  it('follows an import of a member, also of a companion object', async () => {
    const files = await folder({
      'src/main/kotlin/a/Headers.kt':
        'package a\n\nclass Headers {\n  companion object {\n    fun headersOf(): Int = 1\n  }\n}\n\nobject Methods {\n  fun permits(): Boolean = true\n}\n',
      'src/main/kotlin/b/Other.kt': 'package b\n\nobject Other {\n  fun permits(): Boolean = true\n}\n',
      'src/test/kotlin/b/Use.kt':
        'package b\n\nimport a.Headers.Companion.headersOf\nimport a.Methods.permits\n\nfun use() = headersOf()\n\nfun ask() = permits()\n',
    })
    const at = 'src/main/kotlin/a/Headers.kt'
    const found = links(files)
    expect(found.find((link) => link.includes('#use headersOf'))).toMatch(
      new RegExp(`→ ${at}#Headers\\..*headersOf$`),
    )
    expect(found).toContain(`src/test/kotlin/b/Use.kt#ask permits → ${at}#Methods.permits`)
  })

  it('reads a call after a negation, and members of a class inside the class', async () => {
    const files = await folder({
      'A.kt':
        'class A {\n  private val data = Info()\n  fun run(e: Int): Boolean {\n    if (!isGood(e)) return false\n    return !data.check(e)\n  }\n  private fun isGood(e: Int): Boolean = e > 1\n  class Info {\n    fun check(e: Int): Boolean = e > 2\n  }\n}\n',
    })
    expect(links(files).filter((link) => link.startsWith('A.kt#A.run'))).toEqual([
      'A.kt#A.run isGood → A.kt#A.isGood',
      'A.kt#A.run data.check → A.kt#A.Info.check',
    ])
  })
})

itLeads('swift', 'knows inherited methods, extensions, and what other files of the module define', [
  'Sources/Courier/Courier.swift#Courier Carrier → Sources/Courier/Carrier.swift#Carrier',
  'Sources/Courier/Courier.swift#Courier.deliver check → Sources/Courier/Courier.swift#Courier.check',
  'Sources/Courier/Courier.swift#Courier.deliver self.box.put → Sources/Store/Box.swift#Box.put',
  'Sources/Courier/Courier.swift#Courier.deliver next.check → Sources/Courier/Courier.swift#Courier.check',
  'Sources/Courier/Courier.swift#Courier.deliver log → Sources/Courier/Carrier.swift#Carrier.log',
  'Sources/Courier/Courier.swift#Courier.deliver describe → Sources/Store/Box.swift#describe',
])

describe('Scala', () => {
  const at = 'src/main/scala/com/courier'
  itLeads('scala', 'knows traits, parameters of classes, and inherited methods', [
    `${at}/Courier.scala#Courier Deliver → ${at}/Carrier.scala#Deliver`,
    `${at}/Courier.scala#Courier.deliver this.box.put → ${at}/store/Box.scala#Box.put`,
    `${at}/Courier.scala#Courier.deliver next.check → ${at}/Courier.scala#Courier.check`,
    `${at}/Courier.scala#Courier.deliver log → ${at}/Carrier.scala#Carrier.log`,
    `${at}/Courier.scala#Courier.deliver Words.describe → ${at}/store/Box.scala#Words.describe`,
  ])
})

itLeads('elixir', 'knows aliases, clauses, and functions of the module', [
  'lib/courier.ex#Courier Courier.Carrier → lib/courier/carrier.ex#Courier.Carrier',
  'lib/courier.ex#Courier.deliver check → lib/courier.ex#Courier.check',
  'lib/courier.ex#Courier.deliver Box.put → lib/courier/box.ex#Courier.Box.put',
  'lib/courier.ex#Courier.deliver W.describe → lib/courier/box.ex#Courier.Words.describe',
])

itLeads('zig', 'knows what a file imports, and members by the types of fields', [
  'src/main.zig#Courier.deliver self.check → src/main.zig#Courier.check',
  'src/main.zig#Courier.deliver self.box.put → src/box.zig#Box.put',
  'src/main.zig#Courier.deliver next.check → src/main.zig#Courier.check',
  'src/main.zig#Courier.deliver words.describe → src/words.zig#describe',
])

itLeads('html', 'leads to the scripts that it loads', [
  'index.html#head.script js/app.js → js/app.js',
  'index.html#head.script-1 https://cdn.example/x.js → external',
])

describe('what a type extends', () => {
  const bases = async (sources: Readonly<Record<string, string>>, settings?: Partial<ModuleSettings>) =>
    links(await folder(sources), settings)

  it('is used by it in Python, qualified or with parameters', async () => {
    const found = await bases({
      'futures/_base.py': 'class Executor:\n    def submit(self): pass\n\n\nclass Box:\n    pass\n',
      'futures/pool.py':
        'from . import _base as base\n\n\nclass Pool(base.Executor):\n    pass\n\n\nclass Keep(base.Box[int]):\n    pass\n',
      'run.py': 'import futures._base as base\n\n\nclass Other(base.Executor):\n    pass\n',
    })
    expect(found).toEqual([
      'futures/pool.py#Pool base.Executor → futures/_base.py#Executor',
      'futures/pool.py#Keep base.Box → futures/_base.py#Box',
      'run.py#Other base.Executor → futures/_base.py#Executor',
    ])
  })

  it('is used by it in JavaScript and TypeScript, by `extends` and by `implements`', async () => {
    const found = await bases({
      'api.ts':
        'export class Base {}\nexport interface Shape { area(): number }\nexport interface Box<T> { open(): T }\n',
      'a.ts':
        "import * as api from './api.ts'\nimport type { Box, Shape } from './api.ts'\n\nclass A extends api.Base implements Shape, Box<number> {}\n\nabstract class B implements api.Shape {}\n\ninterface C extends Shape, api.Box<string> {}\n",
      'b.js': "const api = require('./api.ts')\n\nclass D extends api.Base {}\n",
    })
    expect(found.sort()).toEqual([
      'a.ts#A Box → api.ts#Box',
      'a.ts#A Shape → api.ts#Shape',
      'a.ts#A api.Base → api.ts#Base',
      'a.ts#B api.Shape → api.ts#Shape',
      'a.ts#C Shape → api.ts#Shape',
      'a.ts#C api.Box → api.ts#Box',
      'api.ts#Box T → external',
      'b.js#D api.Base → api.ts#Base',
    ])
  })

  it('is used by it in Java, in the same package, by `extends` and by `implements`', async () => {
    const found = await bases({
      'com/acme/X.java': 'package com.acme;\n\ninterface X {}\n',
      'com/acme/P.java': 'package com.acme;\n\nclass P<T> {\n  int one() { return 1; }\n}\n',
      'com/acme/Y.java':
        'package com.acme;\n\nclass Y extends P<String> implements X {\n  int two() { return one(); }\n}\n',
      'com/acme/Q.java': 'package com.acme;\n\nenum Q implements X { ONE }\n',
      'com/acme/Z.java': 'package com.acme;\n\ninterface Z extends X {}\n',
    })
    expect(found.sort()).toEqual([
      'com/acme/Q.java#Q X → com/acme/X.java#X',
      'com/acme/Y.java#Y P → com/acme/P.java#P',
      'com/acme/Y.java#Y X → com/acme/X.java#X',
      'com/acme/Y.java#Y.two one → com/acme/P.java#P.one',
      'com/acme/Z.java#Z X → com/acme/X.java#X',
    ])
  })

  it('is used by it in Go, where it is embedded and its functions are the own ones', async () => {
    const packages = [{ name: 'acme.dev', folder: '', entries: [] }]
    const found = await bases(
      {
        'store/box.go':
          'package store\n\ntype Box struct{ n int }\n\nfunc (b *Box) Open() int { return 1 }\n\ntype Opener interface{ Open() int }\n',
        'main.go':
          'package main\n\nimport "acme.dev/store"\n\ntype Big struct {\n\tstore.Box\n\tname int\n}\n\ntype Wide interface {\n\tstore.Opener\n}\n\nfunc use(b *Big) int { return b.Open() }\n',
      },
      { packages },
    )
    expect(found.filter((link) => link.startsWith('main.go'))).toEqual([
      'main.go#Big store.Box → store/box.go#Box',
      'main.go#Wide store.Opener → store/box.go#Opener',
      'main.go#use Big → main.go#Big',
      'main.go#use b.Open → store/box.go#Box.Open',
    ])
  })

  it('is used by it in Rust: the trait of an impl block, and the trait above a trait', async () => {
    const found = await bases({
      'src/shape.rs':
        'pub trait Shape {\n    fn area(&self) -> u32;\n}\n\npub trait Into<T> {\n    fn into(&self);\n}\n',
      'src/lib.rs':
        'mod shape;\nuse shape::Shape;\n\nstruct One;\n\nimpl Shape for One {}\n\nstruct Two<T>(T);\n\nimpl<T> shape::Into<u8> for Two<T> {}\n\ntrait Solid: Shape {}\n',
    })
    expect(found.filter((link) => link.includes('hape'))).toEqual([
      'src/lib.rs#One-1 Shape → src/shape.rs#Shape',
      'src/lib.rs#Two-1 shape.Into → src/shape.rs#Into',
      'src/lib.rs#Solid Shape → src/shape.rs#Shape',
    ])
  })
})

it('expects resolutions of every language', () => {
  expect(codeLanguages.filter((language) => !tested.has(language))).toEqual([])
})

it('finds methods of Ruby that end in ? or !, and setters', async () => {
  const user =
    "class User\n  def valid?\n    true\n  end\n\n  def save!\n    raise 'no' unless valid?\n  end\n\n  def name=(to)\n    @name = to\n  end\nend\n"
  const job =
    "class Job\n  def run\n    user = User.new\n    user.name = 'x' if user.valid?\n    user.save!\n    user.name == 'y'\n  end\nend\n"
  expect(
    links(await folder({ 'user.rb': user, 'job.rb': job })).filter((link) => /[?!=] →/.test(link)),
  ).toEqual([
    'user.rb#User.save! valid? → user.rb#User.valid?',
    'job.rb#Job.run user.name= → user.rb#User.name=',
    'job.rb#Job.run user.valid? → user.rb#User.valid?',
    'job.rb#Job.run user.save! → user.rb#User.save!',
  ])
})
