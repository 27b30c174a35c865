// Which embedder do the settings select? It is opened on demand, and nothing is ever downloaded.
import type { Settings } from '../../model/config/settings.ts'
import type { Embedder } from './embedder.ts'
import { shippedModelFolder } from './static-model.ts'

/** Why there is no embedder: `null` means that the configured one is missing. */
type OpenedEmbedder = { readonly embedder: Embedder } | { readonly missing: string }

/** Open built-in models by folder: 9.7 MB that all engines of a process share until the last one closes. */
const shared = new Map<string, { readonly embedder: Embedder; users: number }>()

async function shareModel(folder: string): Promise<Embedder> {
  const { openStaticModel } = await import('./static-embedder.ts')
  const held = shared.get(folder) ?? { embedder: openStaticModel(folder), users: 0 }
  shared.set(folder, held)
  held.users++
  let isOpen = true
  const close = (): void => {
    if (!isOpen) return
    isOpen = false
    if (--held.users > 0) return
    shared.delete(folder)
    held.embedder.close()
  }
  return { ...held.embedder, close }
}

/** Opens the configured embedder. */
export async function openEmbedder(settings: Settings): Promise<OpenedEmbedder> {
  if (settings['embedding.provider'] === 'none') return { missing: 'embedding is turned off' }
  const folder = settings['embedding.model'] === '' ? shippedModelFolder() : settings['embedding.model']
  if (folder === null) return { missing: 'no built-in model in this installation' }
  return { embedder: await shareModel(folder) }
}
