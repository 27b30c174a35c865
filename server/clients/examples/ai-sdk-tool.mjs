// How does Vercel's AI SDK retrieve from yore? By a tool that a model calls; its result is a digest with sources.
// Run: npm install ai zod; YORE_URL=… YORE_KEY=… YORE_CORPUS=… node ai-sdk-tool.mjs "question"
import { pathToFileURL } from 'node:url'
import { tool } from 'ai'
import { z } from 'zod'

/** `generateText({ model, tools: { documents: yoreTool({ url, key, corpus }) }, prompt })` */
export function yoreTool({ url, key, corpus, maxTokens = 2000 }) {
  return tool({
    description: 'Finds passages of the documents that answer a question, with the source of every line.',
    inputSchema: z.object({ question: z.string().describe('The question, as the user asked it.') }),
    execute: async ({ question }, { abortSignal } = {}) => {
      const response = await fetch(`${url}/v1/corpora/${encodeURIComponent(corpus)}/assemble`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ question, maxTokens }),
        signal: abortSignal,
      })
      const answer = await response.json()
      if (!response.ok) throw new Error(`${answer.code}: ${answer.detail}`)
      return answer.output
    },
  })
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { YORE_URL: url, YORE_KEY: key, YORE_CORPUS: corpus } = process.env
  const documents = yoreTool({ url, key, corpus })
  const question = process.argv[2]
  console.log(await documents.execute({ question }, { toolCallId: 'example', messages: [] }))
}
