// Parses the hspec files of PostgREST's own specification: requests and expected responses.

export interface Expectation {
  method: string
  path: string
  headers: [string, string][]
  body: string
  status: number
  /** The expected body as text, or JSON text that must equal the body's JSON; undefined if only the status matters. */
  answer: string | undefined
  json: boolean
  /** Expected values by lower-case header name. */
  answerHeaders: [string, string][]
}

export interface Example {
  name: string
  /** Undefined if a step is anything but a request with an expected response. */
  steps: Expectation[] | undefined
}

type Token = { kind: 'string' | 'json' | 'word' | 'sign'; text: string }

const TOKEN =
  /\[(json|str|text|trimming)\|(.*?)\|\]|"((?:[^"\\]|\\[^\s]|\\\s+\\)*)"|--[^\n]*|([\p{L}\d_.']+)|(`|<:>|<>|[()[\]{},=$])|./gsu

const STATUS = /^\d{3}$/
const VERBS = new Set(['get', 'post', 'patch', 'put', 'delete', 'options', 'request'])

class Unreadable extends Error {}

/** Returns the examples of a file, in order. */
export function readSpec(text: string): Example[] {
  const parts = text.split(/\n(?= *(?:it|context|describe) ")/)
  return parts.flatMap((part) => {
    const name = /^\s*it "((?:[^"\\]|\\.)*)"/.exec(part)?.[1]
    return name === undefined ? [] : [{ name: unescaped(name), steps: readSteps(part) }]
  })
}

function readSteps(text: string): Expectation[] | undefined {
  try {
    const reader = new Reader(tokens(text.replace(/^\s*it "(?:[^"\\]|\\.)*"/, '')))
    const steps: Expectation[] = []
    while (!reader.done) {
      const word = reader.next().text
      if (VERBS.has(word)) steps.push(reader.step(word))
      else if (!['$', 'do'].includes(word)) throw new Unreadable()
    }
    return steps.length > 0 ? steps : undefined
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

function tokens(text: string): Token[] {
  const found: Token[] = []
  for (const [, quasi, quoted, string, word, sign] of text.matchAll(TOKEN)) {
    if (quasi) {
      // A text that contains Haskell values is not JSON.
      if (quasi === 'json' && !isJson(quoted ?? '')) throw new Unreadable()
      found.push({ kind: quasi === 'json' ? 'json' : 'string', text: (quoted ?? '').trim() })
    }
    if (string !== undefined) found.push({ kind: 'string', text: unescaped(string) })
    else if (word) found.push({ kind: 'word', text: word })
    else if (sign && sign !== '`') found.push({ kind: 'sign', text: sign })
  }
  return found
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const unescaped = (text: string) =>
  text
    .replace(/\\\s+\\/g, '')
    .replace(/\\(\d+|.)/g, (_all, code: string) =>
      /\d/.test(code) ? String.fromCodePoint(Number(code)) : code === 'n' ? '\n' : code === 't' ? '\t' : code,
    )

class Reader {
  private at = 0
  constructor(private readonly all: Token[]) {}

  get done(): boolean {
    return this.at >= this.all.length
  }

  next(): Token {
    const token = this.all[this.at]
    if (!token) throw new Unreadable()
    this.at += 1
    return token
  }

  private sees(text: string): boolean {
    const token = this.all[this.at]
    return token?.text === text && token.kind !== 'string'
  }

  private eats(text: string): boolean {
    if (!this.sees(text)) return false
    this.at += 1
    return true
  }

  private needs(text: string): void {
    if (!this.eats(text)) throw new Unreadable()
  }

  private string(): string {
    if (this.eats('mempty')) return ''
    const { kind, text } = this.next()
    if (kind !== 'string' && kind !== 'json') throw new Unreadable()
    return text
  }

  /** Parses `request methodPost "/path" headers body`, or `get "/path"`, and the expected response. */
  step(verb: string): Expectation {
    const named = verb === 'request'
    const method = named ? this.next().text.replace('method', '') : verb
    const path = this.string()
    const headers = named ? this.headers() : []
    const body = this.sees('shouldRespondWith') ? '' : this.string()
    this.needs('shouldRespondWith')
    const expected = this.next()
    const plain = expected.kind === 'word' && STATUS.test(expected.text)
    if (expected.kind !== 'string' && expected.kind !== 'json' && !plain) throw new Unreadable()
    const step: Expectation = {
      ...{ method: method.toUpperCase(), path, headers, body },
      status: plain ? Number(expected.text) : 200,
      answer: plain ? undefined : expected.text,
      json: expected.kind === 'json',
      answerHeaders: [],
    }
    if (this.eats('{')) this.matchers(step)
    return step
  }

  private headers(): [string, string][] {
    if (this.eats('mempty')) return []
    if (this.eats('(')) {
      this.needs('acceptHdrs')
      const accept = this.string()
      this.needs(')')
      return [['Accept', accept]]
    }
    this.needs('[')
    const pairs: [string, string][] = []
    while (!this.eats(']')) {
      this.needs('(')
      const name = this.next()
      const known = name.kind === 'string' ? name.text : name.text === 'hAccept' ? 'Accept' : undefined
      if (known === undefined) throw new Unreadable()
      this.needs(',')
      pairs.push([known, this.string()])
      this.needs(')')
      this.eats(',')
    }
    return pairs
  }

  private matchers(step: Expectation): void {
    for (;;) {
      const token = this.next()
      if (token.kind === 'sign' && token.text === '}') return
      if (token.text === 'matchStatus') {
        this.needs('=')
        step.status = Number(this.next().text)
      } else if (token.kind === 'string') {
        this.needs('<:>')
        if (this.all[this.at]?.kind !== 'string') throw new Unreadable()
        step.answerHeaders.push([token.text.toLowerCase(), this.string()])
      }
    }
  }
}
