// Does a pasted issue lead to the code that it is about? A template with comments, a trace, an environment, on a real folder.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../src/offer/engine/engine.ts'
import { makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

const files: Record<string, string> = {
  '.github/ISSUE_TEMPLATE/bug_report.md':
    '# Bug report\n\nPlease search for similar issues before you open one. Please check that the newest release still has the bug.\n\n## Steps to reproduce\n\nA code example that we can run ourselves. Sanitize your screen output, so that you do not reveal secrets such as tokens and passwords.\n\n## Environment\n\nYour operating system, the version of Python, and the output of pip freeze.\n',
  'docs/install.md':
    '# Install\n\n## Environment\n\nUbuntu, Windows and macOS work, with Python 3.10 and numpy 1.26. The output of pip freeze shows the versions that are installed in your environment.\n',
  'docs/labels.md':
    '# Labels\n\nA parcel has a label. How labels look, which printers print a label, and where a label is attached to a parcel.\n\n## Printers\n\nA label printer prints a label for each parcel of a route.\n',
  'depot/routes.py':
    'from depot.labels import attach_label\n\n\ndef plan(parcels):\n    """Plan a route."""\n    return sorted(parcels, key=lambda parcel: parcel.street)\n\n\ndef replan(parcels, keep_labels=False):\n    """Plan the route again: each parcel is attached anew."""\n    for parcel in parcels:\n        attach_label(parcel, parcel.label if keep_labels else None)\n    return plan(parcels)\n',
  'depot/labels.py': `${Array.from({ length: 12 }, (_, at) => `def size_${at}(label):\n    """Size of a label in format ${at}."""\n    return label.width * ${at}\n`).join('\n\n')}\n\nclass LabelError(Exception):\n    pass\n\n\ndef attach_label(parcel, label):\n    """Attach one label."""\n    if parcel.label is not None:\n        raise LabelError(parcel)\n    parcel.label = label\n`,
}

const issue = `Parcels lose their label when a route is replanned

<!-- Please search for similar issues before you open one. Please check that the newest release still has the bug.
A code example that we can run ourselves. Sanitize your screen output, so that you do not reveal secrets such as
tokens and passwords. Your operating system, the version of Python, and the output of pip freeze. -->

### Steps to reproduce

Hello,
I have a depot with some "north" and "south" streets, and where a route is planned twice, nothing is printed.

\`\`\`python
from depot.routes import replan
replan(parcels, keep_labels=True)
\`\`\`

\`\`\`
  File "/srv/venv/lib/site-packages/depot/routes.py", line 12, in replan
  File "/srv/venv/lib/site-packages/depot/labels.py", line 80, in attach_label
depot.labels.LabelError: <Parcel wobbly at 0x7f3a>
\`\`\`

### Environment

- OS: Ubuntu 22.04
- numpy 1.26.4
- Python 3.10.12 (main, Nov 20 2023)
`

let engine: Engine
beforeAll(async () => {
  const root = makeFolder()
  writeFiles(root, files)
  engine = openCorpus(root)
  await engine.index()
})
afterAll(() => engine.close())

it('leads to the code that the issue is about, not to the template or the environment', async () => {
  const { digest } = await engine.assemble(issue, { maxTokens: 2000 })
  expect(digest.primary[0]?.path).toMatch(/^depot\//)
  const shown = digest.primary.map(({ path }) => path)
  expect(shown).toEqual(expect.arrayContaining(['depot/routes.py', 'depot/labels.py']))
  expect(shown).not.toContain('.github/ISSUE_TEMPLATE/bug_report.md')
  expect(shown).not.toContain('docs/install.md')
})

it('does not count names of the reporter’s own code as missing', async () => {
  const wish =
    'Keep labels of parcels when a route is replanned\n\nOur WobblyDepot and our FrumiousCart call `replan` for each street, and `attach_label` is called for each parcel of the route again.\n\nEach parcel should keep its label.'
  const { digest } = await engine.assemble(wish, { maxTokens: 2000 })
  expect(digest.confidence?.why).not.toContain('nowhere')
})

it('shows more than the closest passages for a wish whose name no file has yet', async () => {
  const wish =
    'Allow replanned_label to be enabled for a route\n\nA route in the state replanned_label could not be planned again, so that parcels of it stayed there.\n\nThe state replanned_label should be one of the states that the depot knows.'
  const { digest } = await engine.assemble(wish, { maxTokens: 2000 })
  expect(digest.confidence?.why).toContain('but not “replanned_label”')
  expect(digest.confidence?.label).not.toBe('none')
  expect(digest.primary.length).toBeGreaterThan(1)
})
