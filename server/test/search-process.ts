// One engine that searches a corpus file as often as its parent process asks, for a comparison with a node.
//
// Run: fork('search-process.ts', [file, query]); a message with a count is answered when so many searches are done.
import { hashFile } from '../src/versions/durable-file.ts'
import { openCorpusFile } from '../src/yore.ts'

const [file = '', query = ''] = process.argv.slice(2)
const engine = openCorpusFile(file, { sha256: await hashFile(file), now: () => Date.now() })
process.on('message', async (times: number) => {
  for (let at = 0; at < times; at++) await engine.search(query, {})
  process.send?.(times)
})
