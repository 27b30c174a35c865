// What does the process in the background index? One folder, or the repositories of a workspace one after the other.
import { setPriority } from 'node:os'
import { defaultSettings } from '../../model/config/settings.ts'
import { readWorkspace, type Workspace } from '../../model/config/workspace.ts'
import { openEngine } from './open-engine.ts'
import { type IndexingState, openWorkspace, SIGN_MILLISECONDS, writeIndexing } from './open-workspace.ts'

const { env } = process
const [, , root = '', indexDir] = process.argv
// Questions come first.
setPriority(10)
const workspace = indexDir === undefined ? readWorkspace(root, env) : null
if (indexDir !== undefined) {
  using engine = openEngine(root, { env, indexDir })
  await engine.index()
} else if (workspace !== null) await indexMembers(workspace)

async function indexMembers(workspace: Workspace): Promise<void> {
  const clock = Date.now
  const options = { root, indexDir: root, settings: defaultSettings, now: clock, clock, env, workspace }
  using engine = openWorkspace(options)
  const waiting = engine.members().filter(({ state }) => state === 'waiting' || state === 'failed')
  let state: IndexingState = { ended: false, failed: {} }
  const report = (change: Partial<IndexingState>): void => {
    state = { ...state, ...change }
    writeIndexing(root, env, state)
  }
  const signs = setInterval(() => report({}), SIGN_MILLISECONDS)
  for (const member of waiting) {
    report({})
    try {
      using one = openEngine(member.root, { env, settings: { workers: 1 } })
      await one.index()
    } catch (error) {
      report({ failed: { ...state.failed, [member.root]: (error as Error).message } })
    }
  }
  clearInterval(signs)
  report({ ended: true })
}
