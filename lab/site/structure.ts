// In which order does a reader meet the documents? By task, set by hand; the sidebar and llms.txt follow it.

export interface Group {
  readonly text: string
  /** Addresses of pages, in order; a folder stands for all of its pages. */
  readonly pages: readonly string[]
}

export const structure: readonly Group[] = [
  {
    text: 'Get started',
    pages: [
      'tutorial/first-digest',
      'tutorial/with-an-agent',
      'tutorial/care-for-documents',
      'tutorial/for-a-team',
      'guides/questions',
    ],
  },
  {
    text: 'Use it',
    pages: [
      'guides/agents',
      'guides/other-agents',
      'guides/command-line',
      'guides/library',
      'guides/pull-requests',
      'guides/scope',
      'guides/look-around',
      'guides/ask-and-chat',
    ],
  },
  {
    text: 'Tune it',
    pages: [
      'guides/why-not-found',
      'guides/ignore-and-limits',
      'guides/formats',
      'guides/more-sources',
      'guides/evaluate-your-repository',
      'guides/freshness',
    ],
  },
  { text: 'Run it for a team', pages: ['guides/run-the-service', 'explanation/scale'] },
  {
    text: 'Reference',
    pages: [
      'reference/cli',
      'reference/configuration',
      'reference/errors',
      'reference/formats',
      'reference/rulebooks',
      'explanation/compatibility',
      'project/changelog',
    ],
  },
  {
    text: 'How it works',
    pages: [
      'explanation/how-yore-works',
      'explanation/how-to-read-a-digest',
      'explanation/what-a-digest-promises',
      'explanation/how-ranking-works',
      'explanation/cross-references',
      'explanation/rulebooks',
      'explanation/built-in-model',
      'explanation/index-format',
      'explanation/threat-model',
      'gallery/index',
    ],
  },
  {
    text: 'Evidence',
    pages: ['explanation/evidence', 'explanation/cost', 'explanation/reliability'],
  },
  { text: 'Decisions', pages: ['decisions/index'] },
  {
    text: 'Contribute',
    pages: [
      'project/contributing',
      'project/architecture',
      'project/architecture-map',
      'guides/add-a-language',
      'project/lab/eval/index',
      'project/lab/training/index',
      'project/agents',
      'project/security',
      'project/code_of_conduct',
    ],
  },
]

/** Pages that are reached from a list on another page. */
export const listed = /^(?:decisions|examples|gallery|records)\//
