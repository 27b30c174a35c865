// Which ONNX file computes the slopes of a batch? A few nodes, written out as the protocol buffers that the runtime reads.

type Bytes = readonly number[]

const utf8 = new TextEncoder()

function varint(value: number): Bytes {
  const bytes: number[] = []
  let rest = value
  while (rest > 127) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  return [...bytes, rest]
}

const number = (field: number, value: number): Bytes => [...varint(field * 8), ...varint(value)]
const block = (field: number, bytes: Bytes): Bytes => [
  ...varint(field * 8 + 2),
  ...varint(bytes.length),
  ...bytes,
]
const text = (field: number, value: string): Bytes => block(field, [...utf8.encode(value)])
const float = (field: number, value: number): Bytes => [
  ...varint(field * 8 + 5),
  ...new Uint8Array(Float32Array.of(value).buffer),
]

/** Numbers of fields and types in onnx.proto. */
const attributeTypes = { float: 1, int: 2 } as const
const floatElements = 1

function attribute(name: string, value: number, type: keyof typeof attributeTypes): Bytes {
  const content = type === 'int' ? number(3, value) : float(2, value)
  return block(5, [...text(1, name), ...content, ...number(20, attributeTypes[type])])
}

function node(
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes: readonly Bytes[] = [],
): Bytes {
  return block(1, [
    ...inputs.flatMap((input) => text(1, input)),
    ...text(2, output),
    ...text(3, output),
    ...text(4, operator),
    ...attributes.flat(),
  ])
}

/** A matrix of float32 whose sizes are known when it runs. */
function matrix(field: number, name: string): Bytes {
  const shape = ['rows', 'columns'].flatMap((size) => block(1, text(2, `${name}_${size}`)))
  const type = block(1, [...number(1, floatElements), ...block(2, shape)])
  return block(field, [...text(1, name), ...block(2, type)])
}

/**
 * Scores are questions × passages, times `sharpness`, plus the mask; the slope of the loss by the scores is the mean
 * of the softmax along each way minus the pairs themselves.
 */
export function encodeContrastModel(sharpness: number): Uint8Array {
  const along = (axis: number): Bytes => attribute('axis', axis, 'int')
  const transposed = (which: 'transA' | 'transB'): Bytes => attribute(which, 1, 'int')
  const graph = [
    ...node('Gemm', ['questions', 'passages', 'mask'], 'scores', [
      transposed('transB'),
      attribute('alpha', sharpness, 'float'),
    ]),
    ...node('Softmax', ['scores'], 'byQuestion', [along(1)]),
    ...node('Softmax', ['scores'], 'byPassage', [along(0)]),
    ...node('Mul', ['byQuestion', 'byPassage'], 'shares'),
    ...node('Sum', ['byQuestion', 'byPassage'], 'both'),
    ...node('Sum', ['own', 'own'], 'twiceOwn'),
    ...node('Sub', ['both', 'twiceOwn'], 'slope'),
    ...node('Gemm', ['slope', 'passages'], 'questionSlope', [attribute('alpha', 0.5, 'float')]),
    ...node('Gemm', ['slope', 'questions'], 'passageSlope', [
      transposed('transA'),
      attribute('alpha', 0.5, 'float'),
    ]),
    ...text(2, 'contrast'),
    ...['questions', 'passages', 'mask', 'own'].flatMap((name) => matrix(11, name)),
    ...['shares', 'questionSlope', 'passageSlope'].flatMap((name) => matrix(12, name)),
  ]
  const operators = block(8, [...text(1, ''), ...number(2, 13)])
  return new Uint8Array([...number(1, 8), ...block(7, graph), ...operators])
}
