// How does a service offer the explorer's pages over its corpora? It authenticates readers and finds the corpus; the pages are made here.

import { defaultSettings } from '../../model/config/settings.ts'
import { YoreError } from '../../model/errors.ts'
import { formatCount } from '../../model/format-numbers.ts'
import type { CorpusEngine } from '../engine/engine.ts'
import { framePage, type PagePlace, showTable } from '../ui/frame-page.ts'
import { html, type Markup } from '../ui/html.ts'
import { type MadePage, makePages } from '../ui/make-pages.ts'
import { loadAssets, packPage } from '../ui/pack-page.ts'

/** Where a service serves the pages. */
export interface HostedPlace {
  /** Path of the sign-in form and the list of corpora. */
  readonly entry: string
  /** Path of script and style. */
  readonly assets: string
}

/** Pages that only read; settings and files of the server are not shown. */
const offered = ['/ask', '/doc', '/graph', '/links'] as const

function placeIn({ entry, assets }: HostedPlace, corpus: string | null): PagePlace {
  const base = corpus === null ? '' : `${entry}/${encodeURIComponent(corpus)}`
  const leave = html`<form class="corpus row" method="post" action="${entry}">${corpus === null ? '' : html`<a href="${entry}" title="All corpora">${corpus}</a>`}<button class="quiet" name="leave" value="yes">Sign out</button></form>`
  return {
    base,
    home: corpus === null ? entry : `${base}/ask`,
    assets,
    menu: corpus === null ? [] : offered,
    corner: leave,
    foot: 'These pages read and change nothing.',
  }
}

/** Shared by all corpora of a thread; entries are separated by owner. */
const kept = new Map<string, unknown>()
let opened = 0

/** The pages of one corpus. `address` is the path below the corpus with its query. An error becomes a page. */
export function hostPages(
  engine: CorpusEngine,
  name: string,
  place: HostedPlace,
): (address: string) => Promise<MadePage> {
  const corpus = { engine, name, settings: defaultSettings, place: placeIn(place, name) }
  const pages = makePages(corpus, { kept, owner: String(++opened) })
  return async (address) => {
    try {
      return await pages.make(new URL(address, 'http://pages'))
    } catch (cause) {
      // Other errors may contain internals.
      if (cause instanceof YoreError && cause.http < 500) return pages.explainFault(cause)
      throw cause
    }
  }
}

export type EntryPages = ReturnType<typeof makeEntryPages>

/** The pages outside of a corpus (sign-in, list, errors), script and style. */
export function makeEntryPages(place: HostedPlace) {
  const { entry } = place
  function page(status: number, title: string, body: Markup, at: PagePlace): MadePage {
    return { status, type: 'text/html; charset=utf-8', body: framePage({ at: null, title, place: at, body }) }
  }

  /** The sign-in form. `next` is the address to open afterwards; `fault` is an error to show. */
  function signIn({ next, fault }: { readonly next: string; readonly fault: string | null }): MadePage {
    const said =
      fault === null
        ? ''
        : html`<p class="row" role="alert"><span class="tag bad">refused</span><span>${fault}</span></p>`
    const body = html`<div class="lead"><h1>Sign in with a key</h1><p>A key with read access shows the corpora that it is for. The browser sends it once and does not keep it. You stay signed in for four hours.</p></div>${said}
<section class="card"><form class="options" method="post" action="${entry}"><label>key <input class="secret" type="password" name="key" autocomplete="current-password" required autofocus maxlength="200"></label><input type="hidden" name="next" value="${next}"><button>Sign in</button></form></section>`
    return page(401, 'Sign in', body, { ...placeIn(place, null), corner: null })
  }

  /** Corpora that a key is for, and their last uploads that failed. */
  function list(
    corpora: readonly { readonly name: string; readonly bytes: number }[],
    failures: readonly (readonly [time: string, corpus: string, upload: string, reason: string])[],
  ): MadePage {
    const rows = corpora.map(({ name, bytes }) => [
      html`<a href="${entry}/${encodeURIComponent(name)}/ask">${name}</a>`,
      `${(bytes / 1024 ** 2).toFixed(1)} MB`,
    ])
    const columns = [{ name: 'corpus' }, { name: 'size of its documents', isNumber: true }]
    const failed = ['time', 'corpus', 'upload', 'reason'].map((name) => ({ name }))
    const body = html`<div class="lead"><h1>Corpora</h1><p>Those that your key is for and that hold documents: ${formatCount(corpora.length)}.</p></div>${showTable('Corpora', columns, rows)}${failures.length === 0 ? '' : html`<h2>Uploads that failed</h2>${showTable('Uploads that failed', failed, failures)}`}`
    return page(200, 'Corpora', body, placeIn(place, null))
  }

  /** Reloads itself once: a SameSite cookie is not sent when another site links here, but with the reload. */
  function again(): MadePage {
    const type = 'text/html; charset=utf-8'
    const body = '<!doctype html><html lang="en"><meta http-equiv="refresh" content="0"><title>yore</title>\n'
    return { status: 200, type, body }
  }

  /** A page for an error. */
  function fault(status: number, message: string): MadePage {
    const body = html`<div class="lead"><h1>This did not work</h1><p>${message}</p></div><p><a class="quiet" href="${entry}">All corpora</a></p>`
    return page(status, 'This did not work', body, placeIn(place, null))
  }

  return { assets: loadAssets(), pack: packPage, signIn, list, again, fault }
}
