// Are the manifests of the service what the service needs? Its own variables, routes and options, and no more rights than it has to have.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { variables } from '../server/src/control/read-environment.ts'

const folder = path.join(import.meta.dirname, '..', 'server', 'kubernetes')
const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8')

interface Container {
  readonly image: string
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string; readonly valueFrom?: { secretKeyRef: { key: string } } }[]
  readonly securityContext: object
  readonly resources: { readonly limits?: { readonly memory?: string } }
  readonly readinessProbe?: { readonly httpGet: { readonly path: string } }
}

interface Manifest {
  readonly kind: string
  readonly stringData?: Readonly<Record<string, string>>
  readonly spec?: {
    readonly template?: { readonly spec: { securityContext: object; containers: readonly Container[] } }
  }
}

const manifests = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) => parseAllDocuments(read(name)).map((document) => document.toJS() as Manifest))
const pods = manifests.flatMap(({ spec }) => (spec?.template === undefined ? [] : [spec.template.spec]))
const containers = pods.flatMap((pod) => pod.containers)
const secret = manifests.find(({ kind }) => kind === 'Secret')?.stringData ?? {}

describe('manifests', () => {
  it('run one image without rights, on a root that nobody writes to, within bounded memory', () => {
    expect(containers.length).toBe(3)
    expect(new Set(containers.map(({ image }) => image)).size).toBe(1)
    for (const pod of pods) expect(pod.securityContext).toMatchObject({ runAsNonRoot: true })
    for (const { securityContext, resources } of containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(resources.limits?.memory).toBeDefined()
    }
  })

  it('give variables that the service knows, from the secret, and the owner to nobody but the migration', () => {
    const known = new Set([...Object.keys(variables), 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
    for (const { args, env } of containers) {
      for (const { name, valueFrom } of env) {
        expect(known.has(name), name).toBe(true)
        if (valueFrom !== undefined) expect(Object.keys(secret)).toContain(valueFrom.secretKeyRef.key)
      }
      expect(env.some(({ name }) => name === 'YORE_OWNER_URL')).toBe(args[0] === 'admin')
    }
  })

  it('use commands and options that exist', () => {
    const program = readFileSync(path.join(folder, '..', 'src', 'main.ts'), 'utf8')
    for (const { args } of containers)
      for (const option of args.filter((arg) => arg.startsWith('--')))
        expect(program, option).toMatch(new RegExp(`'${option}[ ']`))
    const app = readFileSync(path.join(folder, '..', 'src', 'http', 'make-app.ts'), 'utf8')
    for (const { readinessProbe } of containers)
      if (readinessProbe !== undefined) expect(app).toContain(`'${readinessProbe.httpGet.path}'`)
  })
})

it('dashboard and alerts ask for metrics that the service has', () => {
  const { panels } = JSON.parse(read('dashboard.json')) as {
    panels: readonly { targets: readonly { expr: string }[] }[]
  }
  const { groups } = parse(read('alerts.rules.yml')) as {
    groups: readonly { rules: readonly { expr: string }[] }[]
  }
  const source = (name: string): string => readFileSync(path.join(folder, '..', 'src', name), 'utf8')
  const metrics = ['metrics.ts', 'serve.ts', 'http/ask-corpora.ts'].map(source).join('')
  const asked = [
    ...panels.flatMap(({ targets }) => targets),
    ...groups.flatMap(({ rules }) => rules),
  ].flatMap(({ expr }) => expr.match(/yore_\w+/g) ?? [])
  expect(asked.length).toBeGreaterThan(4)
  for (const name of asked) expect(metrics, name).toContain(`'${name.replace(/_bucket$/, '')}'`)
})
