// How does a CI server read an evaluation? JUnit XML: each question a test case, each that does not pass a failure.
import type { Evaluation, QuestionResult } from '../../evaluation/evaluation.ts'
import { describeMisses, summarizeQuestion } from './print-eval.ts'

/** The whole file. Times are left out, so that the same results give the same bytes. */
export function renderJunit(evaluation: Evaluation): string {
  const { questions, passed } = evaluation.totals
  const counts = `tests="${questions}" failures="${questions - passed}" errors="0" skipped="0"`
  const suite = escapeXml(evaluation.questionsFile ?? 'questions')
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="yore eval" ${counts}>`,
    `  <testsuite name="${suite}" ${counts}>`,
    ...evaluation.questions.map(renderCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function renderCase(result: QuestionResult): string {
  const head = `    <testcase classname="yore.eval" name="${escapeXml(`${result.id}: ${result.question}`)}"`
  if (result.passed) return `${head}/>`
  const message = escapeXml(summarizeQuestion(result))
  const lines = describeMisses(result).map(escapeXml).join('\n')
  return `${head}>\n      <failure type="coverage" message="${message}">${lines}</failure>\n    </testcase>`
}

// Characters that XML 1.0 cannot hold even as references, and halves of surrogate pairs.
const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
}

function escapeXml(text: string): string {
  return text
    .replaceAll(unwritable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll(/[&<>"'\n\r\t]/g, (character) => entities[character] as string)
}
