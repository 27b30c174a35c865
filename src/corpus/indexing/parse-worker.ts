// What runs on a parser thread? One batch of files at a time.
import { serialize } from 'node:v8'
import { Extractor } from '../../read/extract/extract-text.ts'
import { type AnalyzeTask, analyzeDocuments } from './analyze-documents.ts'

const extractor = new Extractor()

/** An `AnalyzeResult` as bytes, so that its objects outlive this thread's heap. */
export default async function parseBatch(task: AnalyzeTask): Promise<Uint8Array> {
  return serialize(await analyzeDocuments(task, extractor))
}
