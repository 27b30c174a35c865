// What does a sender say, as far as we agreed to listen? All its bytes, or nothing when there are more.

/** Null when there are more than `most`; leaving the loop ends the connection. */
export async function gatherBytes(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  most: number,
): Promise<Buffer | null> {
  const gathered: Uint8Array[] = []
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    if (size > most) return null
    gathered.push(piece)
  }
  return Buffer.concat(gathered)
}
