// How does another server offer the explorer's pages over its own corpora? It lets readers in and finds the corpus; the rest is here.

import { YoreError } from '../../model/errors.ts'
import type { CorpusEngine } from '../engine/engine.ts'
import { framePage, type PagePlace } from '../ui/frame-page.ts'
import { formatCount, html, type Markup } from '../ui/html.ts'
import { type MadePage, PageMaker } from '../ui/make-pages.ts'
import { type Asset, loadAssets, packPage } from '../ui/pack-page.ts'

/** Where another server has the pages. */
export interface HostedPlace {
  /** Of the door: the form to sign in, and the list of corpora. */
  readonly door: string
  /** Of script and style. */
  readonly assets: string
}

/** Reading alone: nothing is saved, and settings and files of the server are nobody's affair. */
const offered = ['/ask', '/doc', '/graph', '/health'] as const

function placeIn({ door, assets }: HostedPlace, corpus: string | null): PagePlace {
  const base = corpus === null ? '' : `${door}/${encodeURIComponent(corpus)}`
  const leave = html`<form class="corpus row" method="post" action="${door}">${corpus === null ? '' : html`<a href="${door}" title="All corpora">${corpus}</a>`}<button class="quiet" name="leave" value="yes">Sign out</button></form>`
  return {
    base,
    home: corpus === null ? door : `${base}/ask`,
    assets,
    menu: corpus === null ? [] : offered,
    corner: leave,
    foot: 'These pages read and change nothing.',
  }
}

/** Of all corpora of a thread together; nobody finds what was made for another, not even for the same documents. */
const kept = new Map<string, unknown>()
let opened = 0

/** The pages of one corpus. */
export class HostedPages {
  readonly #pages: PageMaker

  constructor(engine: CorpusEngine, name: string, place: HostedPlace) {
    const corpus = { engine, name, loaded: null, evaluations: null, place: placeIn(place, name) }
    this.#pages = new PageMaker(corpus, { kept, owner: String(++opened) })
  }

  /** `address` is the path below the corpus with its query. What cannot be shown is a page that says why. */
  async make(address: string): Promise<MadePage> {
    try {
      return await this.#pages.make(new URL(address, 'http://pages'))
    } catch (cause) {
      // The rest may name what is inside.
      if (cause instanceof YoreError && cause.http < 500) return this.#pages.explainFault(cause)
      throw cause
    }
  }
}

/** The pages around the corpora, script and style, and how each is sent. */
export class PageDoor {
  readonly #place: HostedPlace
  readonly assets: ReadonlyMap<string, Asset> = loadAssets()
  readonly pack = packPage

  constructor(place: HostedPlace) {
    this.#place = place
  }

  #page(status: number, title: string, body: Markup, place: PagePlace): MadePage {
    const type = 'text/html; charset=utf-8'
    return { status, type, body: framePage({ at: null, title, place, body }) }
  }

  /** The form of who has not signed in. `next` is where to go then; `fault` what went wrong. */
  signIn({ next, fault }: { readonly next: string; readonly fault: string | null }): MadePage {
    const { door } = this.#place
    const said =
      fault === null
        ? ''
        : html`<p class="row" role="alert"><span class="tag bad">refused</span><span>${fault}</span></p>`
    const body = html`<div class="lead"><h1>Sign in with a key</h1><p>A key with read access shows the corpora that it is for. It is sent once, and not kept in this browser: a cookie stands for it, for four hours.</p></div>${said}
<section class="card"><form class="options" method="post" action="${door}"><label>key <input class="secret" type="password" name="key" autocomplete="current-password" required autofocus maxlength="200"></label><input type="hidden" name="next" value="${next}"><button>Sign in</button></form></section>`
    return this.#page(401, 'Sign in', body, { ...placeIn(this.#place, null), corner: null })
  }

  /** Corpora that a key is for. */
  list(corpora: readonly { readonly name: string; readonly bytes: number }[]): MadePage {
    const { door } = this.#place
    const rows = corpora.map(
      ({ name, bytes }) =>
        html`<tr><td><a href="${door}/${encodeURIComponent(name)}/ask">${name}</a></td><td class="n">${(bytes / 1024 ** 2).toFixed(1)} MB</td></tr>`,
    )
    const body = html`<div class="lead"><h1>Corpora</h1><p>Those that your key is for and that hold documents: ${formatCount(corpora.length)}.</p></div>
<section class="card scroll" tabindex="0" aria-label="Corpora"><table><thead><tr><th>corpus</th><th class="n">size of its index</th></tr></thead><tbody>${rows}</tbody></table></section>`
    return this.#page(200, 'Corpora', body, placeIn(this.#place, null))
  }

  /** A cookie that other sites' links do not bring along comes with the second request, which this page makes. */
  again(): MadePage {
    const type = 'text/html; charset=utf-8'
    const body = '<!doctype html><html lang="en"><meta http-equiv="refresh" content="0"><title>yore</title>\n'
    return { status: 200, type, body }
  }

  /** What a person reads when something did not go. */
  fault(status: number, message: string): MadePage {
    const body = html`<div class="lead"><h1>That did not work</h1><p>${message}</p></div><p><a class="quiet" href="${this.#place.door}">All corpora</a></p>`
    return this.#page(status, 'That did not work', body, placeIn(this.#place, null))
  }
}
