// What needs a script? Keys, the clipboard, lines in the address, live status, and the drawing. Everything else works without it.
const $ = (selector, within = document) => within.querySelector(selector)
const all = (selector) => [...document.querySelectorAll(selector)]
document.documentElement.classList.add('has-js')

function say(text) {
  const toast = document.createElement('div')
  toast.className = 'toast'
  toast.setAttribute('role', 'status')
  toast.textContent = text
  document.body.append(toast)
  setTimeout(() => toast.remove(), 1800)
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    document.body.append(area)
    area.select()
    document.execCommand('copy')
    area.remove()
  }
  say(`Copied ${what}`)
}

async function copyDigest() {
  const link = $('a[data-digest]')
  if (link === null) return
  const answer = await fetch(link.getAttribute('href'))
  await copy(await answer.text(), 'the digest')
}

// Lines of the address, as #L12-40.
function markLines() {
  const match = /^#L(\d+)-L?(\d+)$/.exec(location.hash)
  if (match === null) return
  const [start, end] = [Number(match[1]), Number(match[2])]
  for (let line = start; line <= Math.min(end, start + 5000); line++) $(`#L${line}`)?.classList.add('marked')
  $(`#L${start}`)?.scrollIntoView({ block: 'center' })
}

const passages = all('article.passage')
let chosen = -1
function choose(next) {
  if (passages.length === 0) return
  passages[chosen]?.classList.remove('chosen')
  chosen = Math.min(passages.length - 1, Math.max(0, next))
  passages[chosen].classList.add('chosen')
  passages[chosen].focus({ preventScroll: true })
  passages[chosen].scrollIntoView({ block: 'start' })
}

function changeBudget(factor) {
  const input = $('input[name=max]')
  if (input === null || $('input[name=q]').value === '') return
  input.value = String(Math.max(100, Math.round((Number(input.value) * factor) / 50) * 50))
  input.form.submit()
}

const keys = [
  ['/', 'ask another question'],
  ['j k', 'next and previous passage'],
  ['e', 'why the passage is here'],
  ['y', 'copy its citation'],
  ['Y', 'copy the digest'],
  ['[ ]', 'halve or double the budget'],
  ['g a', 'ask (d documents, r graph, h health, e evaluation, i index)'],
  ['?', 'these keys'],
]
function showKeys() {
  if ($('dialog') !== null) return
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', 'Keys')
  const title = document.createElement('h2')
  title.textContent = 'Keys'
  const list = document.createElement('dl')
  list.className = 'keys'
  for (const [key, meaning] of keys) {
    const term = document.createElement('dt')
    for (const one of key.split(' ')) {
      const mark = document.createElement('kbd')
      mark.textContent = one
      term.append(mark, ' ')
    }
    const told = document.createElement('dd')
    told.textContent = meaning
    list.append(term, told)
  }
  const close = document.createElement('button')
  close.textContent = 'Close'
  close.addEventListener('click', () => dialog.close())
  dialog.append(title, list, close)
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

let going = false
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $('dialog') !== null) return
  if (/^(?:INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
    if (event.key !== 'Escape') return
    // A search field would be emptied.
    event.preventDefault()
    event.target.blur()
    return
  }
  if (going) {
    going = false
    const link = all('a[data-go]').find((one) => one.dataset.go === event.key)
    if (link !== undefined) location.assign(link.href)
    return
  }
  const passage = passages[Math.max(0, chosen)]
  const acts = {
    '/': () => {
      const input = $('input[name=q]')
      if (input === null) location.assign($('a.brand').href)
      else input.select()
    },
    j: () => choose(chosen + 1),
    k: () => choose(chosen - 1),
    e: () => {
      const why = passage === undefined ? null : $('details.why', passage)
      if (why !== null) why.open = !why.open
    },
    y: () => passage !== undefined && copy(passage.dataset.cite, passage.dataset.cite),
    Y: copyDigest,
    '[': () => changeBudget(0.5),
    ']': () => changeBudget(2),
    g: () => {
      going = true
    },
    '?': showKeys,
  }
  if (!Object.hasOwn(acts, event.key)) return
  event.preventDefault()
  acts[event.key]()
})

document.addEventListener('click', (event) => {
  const button = event.target.closest?.('button')
  if (button === null || button === undefined) return
  if (button.dataset.copy !== undefined) copy(button.dataset.copy, button.dataset.copy.slice(0, 60))
  if (button.dataset.copyDigest !== undefined) copyDigest()
})

async function drawGraph(canvas) {
  const { nodes, edges, places } = await (await fetch($('a[data-graph]').getAttribute('href'))).json()
  if (nodes.length === 0) return
  const context = canvas.getContext('2d')
  const style = getComputedStyle(document.documentElement)
  const color = (name) => style.getPropertyValue(name).trim()
  const [left, right] = [Math.min(...places.map(({ x }) => x)), Math.max(...places.map(({ x }) => x))]
  const [upper, lower] = [Math.min(...places.map(({ y }) => y)), Math.max(...places.map(({ y }) => y))]
  const view = { x: (left + right) / 2, y: (upper + lower) / 2, scale: 1 }
  const drawn = { ...view }
  let hovered = -1
  const ratio = () => devicePixelRatio || 1
  // The slow part is drawn once, with a margin, and only moved while dragging or zooming.
  const scene = document.createElement('canvas')
  const pen = scene.getContext('2d')
  const fit = () => {
    view.scale =
      0.92 *
      Math.min(canvas.clientWidth / (right - left + 60), canvas.clientHeight / (lower - upper + 60), 2.5)
  }
  const toScreen = ({ x, y }) => [
    (x - view.x) * view.scale + canvas.clientWidth / 2,
    (y - view.y) * view.scale + canvas.clientHeight / 2,
  ]
  const radius = (place) => Math.max(1.5, place.r * Math.min(1.4, view.scale))
  const named = nodes
    .map((_, at) => at)
    .sort((a, b) => places[b].r - places[a].r)
    .slice(0, 40)
  const isCode = nodes.map(({ language }) => !['markdown', 'text'].includes(language))
  function drawScene() {
    const [width, height] = [canvas.clientWidth * 2, canvas.clientHeight * 2]
    scene.width = width * ratio()
    scene.height = height * ratio()
    pen.setTransform(ratio(), 0, 0, ratio(), 0, 0)
    pen.translate(width / 4, height / 4)
    Object.assign(drawn, view)
    pen.strokeStyle = color('--soft')
    pen.globalAlpha = edges.length > 1000 ? 0.15 : 0.3
    // One path of all lines would be compared with itself everywhere, which takes long.
    for (let first = 0; first < edges.length; first += 50) {
      pen.beginPath()
      for (const { from, to } of edges.slice(first, first + 50)) {
        pen.moveTo(...toScreen(places[from]))
        pen.lineTo(...toScreen(places[to]))
      }
      pen.stroke()
    }
    pen.globalAlpha = 1
    for (const kind of [false, true]) {
      pen.fillStyle = color(kind ? '--came' : '--found')
      pen.beginPath()
      for (const [at, place] of places.entries()) {
        if (isCode[at] !== kind) continue
        const [x, y] = toScreen(place)
        pen.moveTo(x, y)
        pen.arc(x, y, radius(place), 0, 7)
      }
      pen.fill()
    }
  }
  function paint() {
    const [width, height] = [canvas.clientWidth, canvas.clientHeight]
    const zoom = view.scale / drawn.scale
    context.clearRect(0, 0, width, height)
    // At rest on whole pixels, so that nothing is blurred.
    const [x, y] = toScreen(drawn).map((one) => (zoom === 1 ? Math.round(one * ratio()) / ratio() : one))
    context.drawImage(scene, x - width * zoom, y - height * zoom, width * 2 * zoom, height * 2 * zoom)
    context.fillStyle = color('--ink')
    if (hovered >= 0) {
      context.beginPath()
      context.arc(...toScreen(places[hovered]), radius(places[hovered]), 0, 7)
      context.fill()
    }
    context.font = `12px ${color('--sans')}`
    // Labels must not overlap: the document with more authority keeps its label.
    const taken = []
    for (const at of hovered >= 0 ? [hovered, ...named] : named) {
      const text = nodes[at].title.slice(0, 32)
      const [left, line] = toScreen(places[at])
      const box = {
        x: left + places[at].r * Math.min(1.4, view.scale) + 4,
        y: line + 4,
        w: context.measureText(text).width,
      }
      if (taken.some((one) => Math.abs(one.y - box.y) < 14 && one.x < box.x + box.w && box.x < one.x + one.w))
        continue
      taken.push(box)
      context.fillText(text, box.x, box.y)
    }
  }
  let isAsked = false
  function draw() {
    if (isAsked) return
    isAsked = true
    requestAnimationFrame(() => {
      isAsked = false
      paint()
    })
  }
  function drawAnew() {
    canvas.width = canvas.clientWidth * ratio()
    canvas.height = canvas.clientHeight * ratio()
    context.setTransform(ratio(), 0, 0, ratio(), 0, 0)
    drawScene()
    draw()
  }
  let rest
  function moved() {
    draw()
    clearTimeout(rest)
    rest = setTimeout(drawAnew, 150)
  }
  const nearest = (event) => {
    const { left: x0, top: y0 } = canvas.getBoundingClientRect()
    return places.findIndex((place) => {
      const [x, y] = toScreen(place)
      return Math.hypot(event.clientX - x0 - x, event.clientY - y0 - y) < Math.max(6, place.r * view.scale)
    })
  }
  let dragged = null
  canvas.addEventListener('pointerdown', (event) => {
    dragged = { x: event.clientX, y: event.clientY, moved: false }
    canvas.setPointerCapture(event.pointerId)
  })
  canvas.addEventListener('pointermove', (event) => {
    if (dragged !== null) {
      const [x, y] = [event.clientX - dragged.x, event.clientY - dragged.y]
      if (Math.hypot(x, y) > 3) dragged.moved = true
      view.x -= x / view.scale
      view.y -= y / view.scale
      dragged.x = event.clientX
      dragged.y = event.clientY
      moved()
    } else {
      hovered = nearest(event)
      $('#hover').textContent = hovered < 0 ? '' : nodes[hovered].path
      draw()
    }
  })
  canvas.addEventListener('pointerup', (event) => {
    const at = dragged?.moved === false ? nearest(event) : -1
    dragged = null
    const documents = $('a[data-go=d]').href
    if (at >= 0)
      location.assign(`${documents}/${nodes[at].path.split('/').map(encodeURIComponent).join('/')}`)
  })
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      view.scale = Math.min(8, Math.max(0.02, view.scale * (event.deltaY < 0 ? 1.15 : 1 / 1.15)))
      moved()
    },
    { passive: false },
  )
  addEventListener('resize', drawAnew)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAnew)
  fit()
  drawAnew()
  canvas.dataset.drawn = String(nodes.length)
}

// Live status of the index.
function showLive() {
  const state = $('[data-live=state]')
  new EventSource('/index/events').addEventListener('message', ({ data }) => {
    const told = JSON.parse(data)
    for (const [name, value] of Object.entries(told.counts)) $(`[data-live=${name}]`).textContent = value
    state.textContent = told.state.text
    state.className = `tag ${told.state.tone}`
  })
}

if ($('[data-live]') !== null) showLive()
markLines()
addEventListener('hashchange', markLines)
const canvas = $('canvas')
if (canvas !== null) drawGraph(canvas)
