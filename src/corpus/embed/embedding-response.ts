// Is this a valid response of an embeddings endpoint? One vector per text, in order, of the right size, all numbers.

/** A reason for an error that a retry does not fix. */
export class ResponseFault extends Error {}

/** The vectors of a response in the order of the texts. */
export function readEmbeddings(body: string, count: number, dimensions: number): Float32Array[] {
  const rows = readRows(body)
  if (rows.length !== count) throw new ResponseFault(`it gave ${rows.length} vectors for ${count} texts`)
  const vectors: (Float32Array | undefined)[] = new Array(count)
  rows.forEach((row, position) => {
    const { index = position, embedding } = row as { index?: unknown; embedding?: unknown }
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count) {
      throw new ResponseFault(`it has a vector with index ${JSON.stringify(index)}`)
    }
    if (vectors[index] !== undefined) throw new ResponseFault(`it gave vector ${index} twice`)
    vectors[index] = readVector(embedding, dimensions)
  })
  // All indexes are in range and unique, so that every position is filled.
  return vectors as Float32Array[]
}

function readRows(body: string): readonly unknown[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    throw new ResponseFault('its answer is not JSON')
  }
  const rows = (parsed as { data?: unknown } | null)?.data
  if (!Array.isArray(rows) || rows.some((row) => typeof row !== 'object' || row === null)) {
    throw new ResponseFault('its answer has no list named data')
  }
  return rows
}

function readVector(numbers: unknown, dimensions: number): Float32Array {
  if (!Array.isArray(numbers)) throw new ResponseFault('a vector is not a list')
  if (numbers.length !== dimensions) {
    throw new ResponseFault(`a vector has ${numbers.length} dimensions, not ${dimensions}`)
  }
  const vector = new Float32Array(dimensions)
  for (let index = 0; index < dimensions; index++) {
    const number: unknown = numbers[index]
    if (typeof number !== 'number' || !Number.isFinite(number)) {
      throw new ResponseFault('a vector holds something that is not a number')
    }
    vector[index] = number
  }
  return vector
}
