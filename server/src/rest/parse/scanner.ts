// Scans a query parameter from left to right, and reports the position of an error.
import { RestError } from '../errors.ts'

// A dash is part of a name unless it starts a JSON arrow.
const NAME = /[\p{L}\p{N}_$ ]+(?:-(?!>)[\p{L}\p{N}_$ ]+)*/uy

export class Scanner {
  at = 0
  readonly text: string
  readonly #what: string

  /** `what` names the parameter in errors: "select parameter", "logic tree", … */
  constructor(text: string, what: string) {
    this.text = text
    this.#what = what
  }

  get done(): boolean {
    return this.at >= this.text.length
  }

  sees(token: string): boolean {
    return this.text.startsWith(token, this.at)
  }

  eats(token: string): boolean {
    if (!this.sees(token)) return false
    this.at += token.length
    return true
  }

  needs(token: string): void {
    if (!this.eats(token)) this.fail(`"${token}"`)
  }

  /** Returns the match of a sticky pattern at this position, or undefined if there is none. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.at += found.length
    return found
  }

  /** Reads an unquoted or double-quoted name. */
  name(): string {
    if (this.sees('"')) return this.quoted()
    const bare = this.match(NAME)?.trim()
    return bare || this.fail('field name (* or [a..z0..9_$])')
  }

  /** Reads a double-quoted string; a backslash escapes the next character. */
  quoted(): string {
    const start = this.at
    this.needs('"')
    let value = ''
    while (!this.done) {
      const char = this.text[this.at++]
      if (char === '"') return value
      value += char === '\\' ? (this.text[this.at++] ?? '') : char
    }
    this.at = start
    return this.fail('closing double quote')
  }

  end(): void {
    if (!this.done) this.fail('end of input')
  }

  fail(expecting: string): never {
    const unexpected = this.done ? 'end of input' : JSON.stringify(this.text[this.at])
    throw new RestError(
      'PGRST100',
      `"failed to parse ${this.#what} (${this.text})" (line 1, column ${this.at + 1})`,
      { details: `unexpected ${unexpected} expecting ${expecting}` },
    )
  }
}
