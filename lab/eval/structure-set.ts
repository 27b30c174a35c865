// Which repositories are asked about their structure? Sixteen that no other set uses, split into halves by repository.
import { join } from 'node:path'
import type { RealQuestion } from './real-set.ts'

export type Language =
  | 'typescript'
  | 'javascript'
  | 'go'
  | 'python'
  | 'rust'
  | 'java'
  | 'c'
  | 'cpp'
  | 'ruby'
  | 'php'
  | 'csharp'

/** `callers`: each caller's calling lines. `names`: the head of the definition. `constants`: its line. `chains`: each call. */
export type StructureQuestion = Pick<RealQuestion, '_id' | 'package' | 'kind' | 'text' | 'needs'>

export interface StructureRepository {
  readonly name: string
  readonly repo: string
  readonly commit: string
  readonly language: Language
  /** `build`: for choosing rules. `held`: for reporting. */
  readonly half: 'build' | 'held'
}

export const structureFile: string = join(import.meta.dirname, 'structure.jsonl')

const row = (
  repo: string,
  language: Language,
  half: 'build' | 'held',
  commit: string,
): StructureRepository => ({ name: repo.slice(repo.indexOf('/') + 1), repo, commit, language, half })

export const structureRepositories: readonly StructureRepository[] = [
  row('tj/commander.js', 'javascript', 'build', 'ba6d13ddb4243e5913367734f8c159089ffe7834'),
  row('spf13/viper', 'go', 'build', '528f7416c4b56a4948673984b190bf8713f0c3c4'),
  row('Textualize/rich', 'python', 'build', '42899d8a0a96b121a514516f4be9db44ff7aeaf3'),
  row('sharkdp/fd', 'rust', 'build', 'ee20f426ddf338ac7ead5c5f00ea49258005caaf'),
  row('jhy/jsoup', 'java', 'build', '46b620860af930eedc193a705eaf7cea5aec89a6'),
  row('ninja-build/ninja', 'cpp', 'build', 'fc6bb98eee5a9710055cb9fe74375a6523831e28'),
  row('jekyll/jekyll', 'ruby', 'build', '202df571314ba1d18e9fccd81d12aaad4a703c38'),
  row('serilog/serilog', 'csharp', 'build', '60935b4d7abad71cf6157b45a10f5c3c65ead527'),
  row('sindresorhus/got', 'typescript', 'held', 'd00d845a0b435365ec73ea5a1fca6e17ee677184'),
  row('gorilla/websocket', 'go', 'held', 'e064f32e3674d9d79a8fd417b5bc06fa5c6cad8f'),
  row('tornadoweb/tornado', 'python', 'held', 'e530031405e2154654dedc4c84d5656b557ea310'),
  row('eza-community/eza', 'rust', 'held', 'eed27ed05e74542af5852aed40e3dbff87d69c43'),
  row('square/javapoet', 'java', 'held', 'b9017a9503b76e11b4ad4c1a9f050e2d29112cb0'),
  row('tmux/tmux', 'c', 'held', 'c1f947a3c5bc72a40c32dead736f84c4628791ec'),
  row('google/leveldb', 'cpp', 'held', '78a352f47ed6c1e9d750545e9b242289185b87e1'),
  row('thephpleague/flysystem', 'php', 'held', '072735c56cc0da00e10716dd90d5a7f7b40b36be'),
]
