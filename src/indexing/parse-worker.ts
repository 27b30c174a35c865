// What runs on a parser thread? One batch of files at a time.
import { type AnalyzeResult, type AnalyzeTask, analyzeDocuments } from './analyze-documents.ts'

export default function parseBatch(task: AnalyzeTask): Promise<AnalyzeResult> {
  return analyzeDocuments(task)
}
