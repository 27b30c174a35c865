// Is everything installed that this node is configured to use? Checked at the start, so that no upload or question finds out.
import { findPackageJSON } from 'node:module'
import { ServiceError } from '../errors.ts'

/** Packages by their purpose: what a worker reads with them, or which LLM they reach. */
const packages = {
  worker: { purpose: 'reading PDF and e-mail', names: ['@embedpdf/pdfium', 'postal-mime'] },
  openai: { purpose: 'YORE_LLM_PROVIDER=openai', names: ['ai', '@ai-sdk/openai-compatible'] },
  anthropic: { purpose: 'YORE_LLM_PROVIDER=anthropic', names: ['ai', '@ai-sdk/anthropic'] },
} as const

function isInstalled(name: string, from: string): boolean {
  try {
    return findPackageJSON(name, from) !== undefined
  } catch {
    return false
  }
}

/** Throws NOT_OFFERED with the command that installs what is missing; other uses need no package. */
export function requirePackages(uses: readonly string[], from: string = import.meta.url): void {
  for (const use of uses) {
    const { purpose, names } = packages[use as keyof typeof packages] ?? { purpose: '', names: [] }
    const missing = names.filter((name) => !isInstalled(name, from))
    if (missing.length > 0)
      throw new ServiceError(
        'NOT_OFFERED',
        `${purpose} needs packages that are not installed: npm install ${missing.join(' ')}`,
      )
  }
}
