// stub
import type { DocumentNames } from './document-names.ts'
import { rankNames } from './question-ranking.ts'
export type QuestionReference = { outcome:'resolved', path:string, mention:string, confidence:number, method:string } | { outcome:'ambiguous'|'unknown', mention:string }
export function resolveQuestion(q: string, names: DocumentNames): QuestionReference[] {
  const mention = q.replace('what does the ','').replace(/ page say$/,'')
  const r = rankNames(mention, names)
  return r.ranked[0] ? [{outcome:'resolved',path:r.ranked[0].path,mention,confidence:r.confidence,method:''}] : [{outcome:'unknown',mention}]
}
