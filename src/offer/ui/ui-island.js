// What needs a script? The clipboard, the slider, finding while typing. Everything else works without it.
const $ = (selector, within = document) => within.querySelector(selector)
const all = (selector, within = document) => [...within.querySelectorAll(selector)]
document.documentElement.classList.add('has-js')

function element(name, text, className = '') {
  const made = document.createElement(name)
  made.textContent = text
  made.className = className
  return made
}

function say(text) {
  const toast = element('div', text, 'toast')
  toast.setAttribute('role', 'status')
  document.body.append(toast)
  setTimeout(() => toast.remove(), 1800)
}

async function copy(text, what) {
  await navigator.clipboard.writeText(text)
  say(`Copied ${what}`)
}

async function copyDigest() {
  const answer = await fetch($('a[data-digest]').href).catch(() => null)
  if (answer?.ok) await copy(await answer.text(), 'the digest')
  else say('The digest could not be read')
}

// Lines of the address, as #L12 or #L12-40: marked, with what a reader does with them below the first.
function markLines() {
  const match = /^#L(\d+)(?:-L?(\d+))?$/.exec(location.hash)
  if (match === null) return
  const path = $('ol[data-path]')?.dataset.path
  const source = $('a[href$="?view=source"]')
  // Lines are those of the source.
  if (path === undefined && source !== null) location.replace(source.href + location.hash)
  if (path === undefined) return
  // The lines of the query begin here, too.
  const [, from, to] = /[?&]lines=(\d+)-(\d+)/.exec(location.search) ?? []
  const [start, end] = [match[1], match[2] ?? (from === match[1] ? to : match[1])].map(Number)
  for (const line of all('li.marked')) line.classList.remove('marked')
  for (let line = start; line <= Math.min(end, start + 5000); line++) $(`#L${line}`)?.classList.add('marked')
  $('.linemenu')?.remove()
  const menu = element('div', '', 'linemenu')
  const texts = {
    'Copy link': location.href,
    'Copy citation': `${path}:${start}${end > start ? `-${end}` : ''}`,
  }
  for (const [name, copy] of Object.entries(texts)) {
    const button = element('button', name, 'quiet')
    button.dataset.copy = copy
    menu.append(button)
  }
  $(`#L${start}`)?.append(menu)
  if (match[2] !== undefined) $(`#L${start}`)?.scrollIntoView({ block: 'center' })
}

// A click with Shift on a line number extends the lines of the address.
document.addEventListener('click', (event) => {
  const line = event.target.closest?.('ol[data-path] a[href^="#L"]')?.hash.slice(2)
  const first = /^#L(\d+)/.exec(location.hash)?.[1]
  if (line === undefined || !event.shiftKey || first === undefined) return
  event.preventDefault()
  const [start, end] = [Number(first), Number(line)].sort((a, b) => a - b)
  location.hash = `#L${start}-${end}`
})

const passages = () => all('article.passage')

// The slider is logarithmic: 500 at its left end, 16,000 at its right.
const tokensAt = (place) => Math.round((500 * 32 ** (place / 100)) / 50) * 50
const placeOf = (tokens) => Math.min(100, Math.max(0, (100 * Math.log(tokens / 500)) / Math.log(32)))

const addressOf = (form) => new URL(`?${new URLSearchParams(new FormData(form))}`, form.action)

// Calls after a pause, with a signal that aborts when it is called again: the last answer counts.
function afterPause(pause, answer) {
  let waiting
  let asking = new AbortController()
  return () => {
    clearTimeout(waiting)
    asking.abort()
    asking = new AbortController()
    const { signal } = asking
    waiting = setTimeout(() => answer(signal).catch(() => {}), pause)
  }
}

const readPage = async (address, signal) =>
  new DOMParser().parseFromString(await (await fetch(address, { signal })).text(), 'text/html')

// Replaces parts of this page by the same parts of the page at the form's address.
async function replaceParts(form, ids, signal) {
  const next = await readPage(addressOf(form), signal)
  if ($(ids[0], next) === null) return
  for (const id of ids) $(id).replaceWith($(id, next))
  history.replaceState(null, '', addressOf(form))
}

function slideBudget(slider) {
  const field = $('input[name=max]')
  let steps = []
  function paint() {
    const now = steps.findLast(({ max }) => max <= Number(field.value)) ?? steps[0]
    const shown = new Set(now?.passages.map(({ id }) => id))
    for (const mark of all('.marks button')) mark.classList.toggle('in', shown.has(mark.dataset.id))
  }
  // Each passage has a mark at the first budget that shows it.
  function drawMarks() {
    const known = new Map()
    const heights = new Map()
    for (const { max, passages: shown } of steps)
      for (const one of shown) if (!known.has(one.id)) known.set(one.id, { ...one, max })
    const marks = [...known.values()].map(({ id, name, role, max }) => {
      const mark = element('button', '', role)
      const height = heights.get(max) ?? 0
      heights.set(max, height + 1)
      const title = `${name}: from ${max.toLocaleString('en')} tokens`
      Object.assign(mark, { type: 'button', title, ariaLabel: title, tabIndex: -1 })
      Object.assign(mark.dataset, { id, max })
      Object.assign(mark.style, { left: `${placeOf(max)}%`, bottom: `${Math.min(height, 6) * 6}px` })
      return mark
    })
    $('.marks').replaceChildren(...marks)
    paint()
  }
  const show = afterPause(60, async (signal) => {
    const before = new Map(passages().map((card) => [card.dataset.id, card.dataset.name]))
    await replaceParts(field.form, ['#answer', '#spent', '#more'], signal)
    const entered = passages().filter((card) => !before.has(card.dataset.id))
    for (const card of passages()) before.delete(card.dataset.id)
    for (const card of entered) card.classList.add('entered')
    const name = (list) =>
      list.slice(0, 3).join(', ') + (list.length > 3 ? ` and ${list.length - 3} more` : '')
    const came = entered.length > 0 ? `Entered: ${name(entered.map((card) => card.dataset.name))}. ` : ''
    $('#moved').textContent = came + (before.size > 0 ? `Left: ${name([...before.values()])}.` : '')
  })
  const change = (tokens) => {
    field.value = String(tokens)
    slider.value = String(placeOf(tokens))
    paint()
    show()
  }
  slider.value = String(placeOf(Number(field.value)))
  slider.addEventListener('input', () => change(tokensAt(Number(slider.value))))
  field.addEventListener('input', () => change(Number(field.value)))
  $('.marks').addEventListener('click', ({ target }) => {
    if (target.dataset.max !== undefined) change(Number(target.dataset.max))
  })
  const wanted = addressOf(field.form)
  wanted.pathname += '.json'
  wanted.searchParams.set('steps', '1')
  const read = async () => {
    steps = (await (await fetch(wanted)).json()).steps
    drawMarks()
  }
  read().catch(() => {})
}

// A slash goes to the field of the header, Escape leaves a field.
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const isField = /^(?:INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)
  if (event.key !== (isField ? 'Escape' : '/')) return
  // A search field would be emptied.
  event.preventDefault()
  if (isField) event.target.blur()
  else $('form.find input')?.select()
})

// The next and the previous passage, and all of its lines.
document.addEventListener('keydown', ({ key, target, ctrlKey, metaKey, altKey }) => {
  const cards = all('article.passage')
  if (
    ctrlKey ||
    metaKey ||
    altKey ||
    cards.length === 0 ||
    /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName)
  )
    return
  const at = cards.indexOf(target.closest?.('article.passage'))
  const next = { j: at + 1, k: Math.max(0, at - 1) }[key]
  if (key === 'e') cards[at]?.querySelector('.more')?.click()
  if (cards[next] === undefined) return
  cards[next].tabIndex = -1
  cards[next].focus({ preventScroll: true })
  cards[next].scrollIntoView({ block: 'center' })
})

document.addEventListener('click', (event) => {
  const button = event.target.closest?.('button')
  if (button === null || button === undefined) return
  if (button.dataset.copy !== undefined) copy(button.dataset.copy, button.dataset.copy.slice(0, 60))
  if (button.dataset.copyDigest !== undefined) copyDigest()
})

// The other lines of a passage.
document.addEventListener('click', async (event) => {
  const link = event.target.closest?.('a.more')
  if (!link || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  const [card, wanted] = [link.closest('article'), new URL(location.href)]
  wanted.searchParams.set('whole', '1')
  const page = await readPage(wanted).catch(() => document)
  const whole = all('article', page)[all('article').indexOf(card)]
  if (page === document || whole === undefined) return location.assign(link.href)
  card.replaceWith(whole)
  whole.focus()
})

// A part of the side column that is opened is not cut off by its end.
const showWhole = ({ target }) =>
  target.matches('aside [open]') && target.scrollIntoView({ block: 'nearest' })
addEventListener('toggle', showWhole, true)

// Files and sections below the field of the header.
function offerPlaces(form) {
  const field = $('input', form)
  const list = element('div', '', 'offers card')
  Object.assign(list, { id: 'offers', role: 'listbox', ariaLabel: 'Files and sections', hidden: true })
  form.append(list)
  Object.assign(field, { role: 'combobox', ariaExpanded: 'false' })
  field.setAttribute('aria-controls', 'offers')
  let at = -1
  const show = (found) => {
    at = -1
    list.replaceChildren(
      ...found.map(({ name, place, href }, row) => {
        const link = Object.assign(element('a', ''), {
          href,
          id: `offer${row}`,
          tabIndex: -1,
          role: 'option',
        })
        link.append(element('span', name), element('span', place, 'mono soft'))
        return link
      }),
    )
    list.hidden = found.length === 0
    field.ariaExpanded = String(!list.hidden)
  }
  const look = async (signal) => {
    const wanted = form.action.replace(/doc$/, `find.json?${new URLSearchParams({ text: field.value })}`)
    return field.value.trim() === '' ? [] : (await (await fetch(wanted, { signal })).json()).found
  }
  const find = afterPause(120, async (signal) => show(await look(signal)))
  field.addEventListener('input', find)
  field.addEventListener('keydown', (event) => {
    const links = [...list.children]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      at = Math.min(links.length - 1, Math.max(0, at + (event.key === 'ArrowDown' ? 1 : -1)))
      for (const [row, link] of links.entries()) link.classList.toggle('chosen', row === at)
      field.setAttribute('aria-activedescendant', `offer${at}`)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      const go = ([first]) => (first === undefined ? form.submit() : location.assign(first.href))
      if (links[at] === undefined) look().then(go, () => form.submit())
      else go([links[at]])
    }
    if (event.key === 'Escape') show([])
  })
  form.addEventListener('focusout', () => setTimeout(() => show([]), 200))
}

// Questions that this browser asked the corpus on this machine, the last first, each with the same settings once.
function rememberAnswers() {
  const key = `asked ${$('.corpus')?.title}`
  const seen = JSON.parse(localStorage.getItem(key) ?? '[]').filter(({ time }) => time)
  const verdict = $('.verdict .tag')
  if (verdict !== null && $('.corpus') !== null) {
    const fields = [...new FormData($('form.ask'))].filter(([name, value]) => name !== 'word' && value !== '')
    const one = {
      at: `/ask?${new URLSearchParams(fields)}`,
      q: $('h1').textContent,
      verdict: verdict.textContent,
      tone: verdict.className,
      spent: $('.budget h2').firstChild.data,
      words: all('input[type=hidden]:is([name=words], [name=names])', $('form.ask')).map(
        ({ value }) => value,
      ),
      time: Date.now(),
    }
    const others = seen.filter(({ at }) => at !== one.at)
    localStorage.setItem(key, JSON.stringify([one, ...others].slice(0, 12)))
  }
  const list = $('#asked')
  if (list === null) return
  list.hidden = seen.length === 0
  const button = $('button', list)
  const chosen = () => all('#asked input:checked').map(({ value }) => new URLSearchParams(value.slice(5)))
  list.addEventListener('change', () => {
    button.disabled = chosen().length !== 2
  })
  button.addEventListener('click', () => {
    const [one, other] = chosen()
    for (const name of ['q', 'max', 'depth', 'mode', 'path', 'words', 'names', 'fill'])
      one.set(`${name}2`, other.get(name) ?? '')
    location.assign(`/compare?${one}`)
  })
  for (const { q, at, verdict, tone, spent, words, time } of seen) {
    const [row, link, box] = [element('li', ''), element('a', q), element('input', '')]
    Object.assign(box, { type: 'checkbox', value: at, ariaLabel: `Compare ${q}` })
    link.href = at
    const given = words.filter((word) => word !== '').join(', ')
    const when = new Date(time).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })
    const facts = [spent.trim(), given === '' ? '' : `with ${given}`, when].filter((part) => part !== '')
    const told = element('span', facts.join(' · '), 'soft')
    row.append(box, ' ', element('span', verdict, tone), ' ', link, ' ', told)
    $('ul', list).append(row)
  }
}

// The start page of a new index shows what is in it as soon as it is built.
async function awaitIndex() {
  while ($('#corpus[data-building]') !== null) {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const next = $('#corpus', await readPage(location.href))
    if (next !== null) $('#corpus').replaceWith(next)
    rememberAnswers()
  }
}

awaitIndex()
if (innerWidth <= 900) $('.toc')?.removeAttribute('open')
const slider = $('.slide input')
if (slider !== null) slideBudget(slider)
markLines()
rememberAnswers()
addEventListener('hashchange', markLines)
for (const form of all('form.find')) offerPlaces(form)
for (const form of all('form[data-filter]'))
  form.addEventListener(
    'input',
    afterPause(150, (signal) => replaceParts(form, [`#${form.dataset.filter}`], signal)),
  )
