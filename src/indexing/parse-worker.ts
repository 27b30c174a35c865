// What runs on a parser thread? One batch of files at a time.
import { Extractor } from '../extract/extract-text.ts'
import { type AnalyzeResult, type AnalyzeTask, analyzeDocuments } from './analyze-documents.ts'

/** Ends with this thread. */
const extractor = new Extractor()

export default function parseBatch(task: AnalyzeTask): Promise<AnalyzeResult> {
  return analyzeDocuments(task, extractor)
}
