// Do translations and old versions give way to the page that a question wants?
import { describe, expect, it } from 'vitest'
import { defaultSettings } from '../src/model/config/settings.ts'
import { indexFiles } from './indexed-fixture.ts'
import type { Files } from './temporary-corpus.ts'

const upload = (heading: string, text: string): string =>
  `# ${heading}\n\n${text} \`UploadFile\` \`multipart/form-data\`\n\n\`\`\`py\nasync def create(file: UploadFile): ...\n\`\`\`\n`
const pages: Readonly<Record<string, string>> = {
  en: upload('Request files', 'Declare a parameter of the type to receive an uploaded file.'),
  fr: upload('Fichiers de requête avec UploadFile', 'Déclarez un paramètre pour recevoir un fichier.'),
  de: upload('Dateien mit UploadFile', 'Deklarieren Sie einen Parameter, um eine Datei zu empfangen.'),
  ja: upload('UploadFile リクエストファイル', 'ファイルを受け取るにはパラメータを宣言します。'),
}
const question = 'UploadFile multipart/form-data'

async function ask(files: Files, text: string): Promise<string[]> {
  const { engine } = await indexFiles(files, defaultSettings)
  const { digest } = await engine.assemble(text, { maxTokens: 4000 })
  const followed = digest.expanded.flatMap(({ passages }) => passages)
  return [...new Set([...digest.primary, ...followed].map(({ path }) => path))]
}

describe('an English question shows the original alone, wherever translations lie', () => {
  const layouts: Readonly<Record<string, (language: string) => string>> = {
    'a folder for each language': (language) => `src/content/docs/${language}/guides/files.md`,
    'folders for translations only': (language) =>
      language === 'en' ? 'docs/guides/files.md' : `docs/${language}/guides/files.md`,
    'a folder with a region': (language) =>
      language === 'en' ? 'content/en-us/files.md' : `content/${language}-${language}/files.md`,
    'the ending of the name': (language) =>
      language === 'en' ? 'docs/files.md' : `docs/files.${language}.md`,
    'start pages': (language) => (language === 'en' ? 'docs/README.md' : `docs/${language}/README.md`),
    'folders of Docusaurus': (language) =>
      language === 'en'
        ? 'docs/files.md'
        : `i18n/${language}/docusaurus-plugin-content-docs/current/files.md`,
  }
  it.each(Object.entries(layouts))('%s', async (_, place) => {
    const files = Object.fromEntries(Object.keys(pages).map((one) => [place(one), pages[one] as string]))
    expect(await ask(files, question)).toEqual([place('en')])
  })
})

const site = Object.fromEntries(
  Object.entries(pages).map(([language, text]) => [`docs/${language}/files.md`, text]),
)

it.each([
  ['de', 'Wie kann ich mit UploadFile eine Datei empfangen?'],
  ['ja', 'UploadFile でファイルを受け取るには'],
  ['fr', 'Who maintains the French page about UploadFile?'],
  ['fr', '"Déclarez un paramètre pour recevoir un fichier"'],
])(
  'shows the page in %s to a question that is in this language, names it or quotes the page',
  async (language, text) => {
    expect((await ask(site, text))[0]).toBe(`docs/${language}/files.md`)
  },
)

it('lists the original alone in a search, and says in an explanation what was dropped', async () => {
  const { engine } = await indexFiles(site)
  expect((await engine.search(question)).hits.map(({ path }) => path)).toEqual(['docs/en/files.md'])
  const { explanation } = await engine.assemble(question, { explain: true })
  expect(explanation).toMatch(/other edition +docs\/fr\/files\.md/)
  const inFolder = await engine.search(question, { path: 'docs/fr' })
  expect(inFolder.hits.map(({ path }) => path)).toEqual(['docs/fr/files.md'])
})

it('prefers the original of message files, and keeps folders that only look like a language', async () => {
  const messages = (text: string): string =>
    `{\n  "upload.title": "${text}",\n  "upload.retry": "${text} 2"\n}\n`
  const found = await ask(
    { 'locales/en.json': messages('Upload a file'), 'locales/de.json': messages('Upload einer Datei') },
    'Where is upload.retry?',
  )
  expect(found).toEqual(['locales/en.json'])
  const folders = await ask(
    {
      'docs/id/index.md': pages['en'] as string,
      'docs/index.md': '# UploadFile\n\nStart with UploadFile here.\n',
    },
    question,
  )
  expect(folders.toSorted()).toEqual(['docs/id/index.md', 'docs/index.md'])
})

it.each([
  ['a folder that is also a word', 'docs/id/files.md', 'docs/files.md'],
  ['a folder of integration tests', 'src/it/files.md', 'src/files.md'],
  ['a folder of a programming language', 'examples/cs/files.md', 'examples/files.md'],
  ['a name that ends in a word', 'docs/files_id.md', 'docs/files.md'],
  ['the version of an API', 'docs/v1/files.md', 'docs/files.md'],
])('shows two pages that only look like editions: %s', async (_, one, other) => {
  const guide = upload('UploadFile guide', 'Receive a form with an uploaded file.')
  const found = await ask({ [one]: pages['en'] as string, [other]: guide }, question)
  expect(found.toSorted()).toEqual([one, other].toSorted())
})

it('does not take ordinary English words for another language', async () => {
  const files = {
    'docs/files.md': pages['en'] as string,
    'docs/pt/files.md': upload('Arquivos com UploadFile', 'Declare um parâmetro UploadFile.'),
  }
  expect(await ask(files, 'How do I declare UploadFile as a type?')).toEqual(['docs/files.md'])
})

describe('versions of a page', () => {
  const router = (call: string): string =>
    `# Routers\n\nCreate a router with \`${call}\`. A router holds procedures.\n`
  const versions = {
    'docs/server/routers.md': router('t.router'),
    'versioned_docs/version-10.x/server/routers.md': router('initTRPC.router'),
    'versioned_docs/version-9.x/server/routers.md': router('trpc.router'),
  }
  it('shows the unversioned page first, and no other version of it', async () => {
    const found = await ask(versions, 'How do I create a router?')
    expect(found[0]).toBe('docs/server/routers.md')
    expect(found.filter((path) => path.endsWith('/routers.md'))).toHaveLength(1)
  })
  it('shows the version that the question names', async () => {
    const found = await ask(versions, 'How do I create a router with procedures in v10?')
    expect(found[0]).toBe('versioned_docs/version-10.x/server/routers.md')
    expect(found).not.toContain('docs/server/routers.md')
  })
  it('shows the newest of numbered folders, and the release notes of each', async () => {
    const found = await ask(
      { 'docs/v9/routers.md': router('a.router'), 'docs/v10/routers.md': router('b.router') },
      'How do I create a router?',
    )
    expect(found).toEqual(['docs/v10/routers.md'])
    const notes = await ask(
      { 'releases/v9/notes.md': router('a.router'), 'releases/v10/notes.md': router('b.router') },
      'How do I create a router?',
    )
    expect(notes).toHaveLength(2)
  })
  it('takes folders with other pages for versions of an API, not of a page', async () => {
    const files = {
      'api/v1/users.md': '# Users\n\nList the users of an account with GET /users.\n',
      'api/v1/README.md': '# Version 1\n\nAccounts.\n',
      'api/v2/README.md': '# Version 2\n\nOrders.\n',
      'api/v2/orders.md': '# Orders\n\nList the orders of the users of an account with GET /orders.\n',
    }
    expect((await ask(files, 'How do I list users of an account?'))[0]).toBe('api/v1/users.md')
  })
  it('shows the newest original instead of an old translation', async () => {
    const found = await ask(
      {
        'docs/v1/fr/routers.md': '# Create router\n\nrouter, create\n',
        'docs/v1/en/routers.md': '# Create a router\n\nTo create one, call router: create, router.\n',
        'docs/v2/en/routers.md': router('c.router'),
      },
      'How do I create a router?',
    )
    expect(found).toEqual(['docs/v2/en/routers.md'])
  })
})
