// Where does the time of a request go? Spans by OpenTelemetry's API: without an SDK in the process they are nothing.
import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

const tracerName = 'yore-server'

/** A span of a request, below what the caller's `traceparent` names. Names of routes and numbers alone, no text of anybody. */
export function beginRequest(
  name: string,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  attributes: Attributes,
): Span {
  const parent = propagation.extract(context.active(), headers)
  return trace.getTracer(tracerName).startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
}

export function endRequest(span: Span, status: number): void {
  span.setAttribute('http.response.status_code', status)
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/** What begins inside is below the span. */
export function within<T>(span: Span, work: () => T): T {
  return context.with(trace.setSpan(context.active(), span), work)
}

/** Runs `work` in a child span. The span records an error's type, not its message. */
export async function traced<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return await trace.getTracer(tracerName).startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', (error as { code?: string }).code ?? (error as Error).name)
      throw error
    } finally {
      span.end()
    }
  })
}
