import { refusals } from './words/refusals.ts'

/** An error that the caller can correct. `key` names a refusal; the response is what the database would send. */
export class BadInput extends Error {
  private readonly key: string
  private readonly values: string[]

  constructor(key: string, ...values: (string | number)[]) {
    super(key)
    this.key = key
    this.values = values.map(String)
    const left = [...this.values]
    this.message = refusals[key]?.[1].replaceAll('%', () => left.shift() ?? '') ?? key
  }

  answer(headers: Record<string, string> = {}): Response {
    const [code = '23514'] = refusals[this.key] ?? []
    const details = this.values.length > 0 ? JSON.stringify({ values: this.values }) : null
    const status = Number(/^PT(\d+)$/.exec(code)?.[1] ?? 400)
    return Response.json({ code, message: this.message, details, hint: this.key }, { status, headers })
  }
}
