// What does the service send while it works? Server-sent events, one by one.

/** One server-sent event: its name, and its data as JSON. */
export interface ServerEvent {
  readonly event: string
  readonly data: unknown
}

export async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true })
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const fieldOf = (name: string): string | undefined =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      const data = fieldOf('data')
      if (data !== undefined) yield { event: fieldOf('event') ?? 'message', data: JSON.parse(data) }
    }
  }
}
