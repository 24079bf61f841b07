// A shared cache (RFC 9111) of what SQL says is the same for every visitor: `Cache-Control: public, s-maxage=n`.
import { createHash } from 'node:crypto'
import type { Answer } from './errors.ts'

/** A read by somebody who is not signed in. */
export interface Visit {
  /** All that the server itself makes the answer of: the verified claims, path and query, and the headers it reads. */
  key: string
  /** Table or function. */
  target: string
  method: string
  /** A header of the request, by its name in lower case. */
  header(name: string): string | undefined
}

interface Kept {
  answer: Answer
  /** Of a 304, which has no body that others would describe. */
  unchanged: Record<string, string>
  etag: string
  /** From before its statement began. */
  since: Since
  /** How old it may become, in milliseconds. */
  life: number
  /** The headers named in `Vary`, as they were when it was asked. */
  varies: [name: string, value: string | undefined][]
  size: number
  renewing: boolean
}

/** Not counted, as the caller is compared by verified claims. */
const OF_THE_CALLER = new Set(['authorization', 'apikey'])
const OF_A_304 = new Set(['cache-control', 'content-location', 'vary', 'etag'])
const MOST_BYTES = 32 * 1024 * 1024
/** Of one answer with all that is kept beside it, apart from its texts. */
const OVERHEAD = 1_000

/** Runs a request's statement; what the request waits for first has happened. */
export type Work = () => Promise<Answer>
/** Does all that a request needs, and its work when it is its turn. */
export type Ask = (at: (work: Work) => Promise<Answer>) => Promise<Answer>

export class SharedAnswers {
  // A Map iterates in insertion order, which is all a least-recently-used cache needs.
  readonly #kept = new Map<string, Kept>()
  readonly #running = new Map<string, Promise<void>>()
  /** What has been shared once: only there is another's answer worth waiting for. */
  readonly #targets = new Set<string>()
  readonly #mostBytes: number
  #bytes = 0

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes
  }

  /**
   * What is kept, or what `ask` gives. From half its life on, an answer is renewed while others still receive it, so only what
   * nobody has asked for lately makes anybody wait. Whoever needs the database takes their own turn, so nobody waits for
   * another's; they share what is running already. `Cache-Control: no-cache` asks anew, and others receive that too.
   */
  async answer(visit: Visit, ask: Ask): Promise<Answer> {
    if (/\bno-cache\b/i.test(visit.header('cache-control') ?? ''))
      return ask((work) => this.#run(visit, work))
    const kept = this.#find(visit)
    if (kept) {
      if (ageOf(kept.since) > kept.life / 2 && !kept.renewing && visit.method === 'GET')
        this.#renew(kept, visit, ask)
      return send(kept, visit)
    }
    return (await this.#joined(visit)) ?? ask((work) => this.#fill(visit, work))
  }

  #find({ key, header }: Visit): Kept | undefined {
    const kept = this.#kept.get(key)
    if (!kept || ageOf(kept.since) >= kept.life) return undefined
    if (kept.varies.some(([name, value]) => header(name) !== value)) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    return kept
  }

  /** If it fails, the kept answer serves until its end; whoever asks then is told why. */
  #renew(kept: Kept, visit: Visit, ask: Ask): void {
    kept.renewing = true
    ask((work) => this.#fill(visit, work))
      .catch(() => undefined)
      .finally(() => {
        kept.renewing = false
      })
  }

  /** What the statement gives that is running for others, if one is. */
  #joined(visit: Visit): Promise<Answer | undefined> | undefined {
    const running = this.#targets.has(visit.target) ? this.#running.get(visit.key) : undefined
    return running?.then(() => {
      const kept = this.#find(visit)
      return kept && send(kept, visit)
    })
  }

  async #fill(visit: Visit, work: Work): Promise<Answer> {
    const kept = this.#find(visit)
    if (kept && ageOf(kept.since) <= kept.life / 2) return send(kept, visit)
    // Not a moment may pass between finding that none is running and starting one.
    const joining = this.#joined(visit)
    const joined = joining && (await joining)
    return joined ?? this.#run(visit, work)
  }

  async #run(visit: Visit, work: Work): Promise<Answer> {
    const since = now()
    const filling = work().then((answer) => this.#keep(visit, answer, since))
    const running = filling.then(
      () => undefined,
      () => undefined,
    )
    this.#running.set(visit.key, running)
    try {
      const filled = await filling
      return 'etag' in filled ? send(filled, visit) : filled
    } finally {
      if (this.#running.get(visit.key) === running) this.#running.delete(visit.key)
    }
  }

  /** Keeps the answer if SQL allows it; otherwise gives it back. */
  #keep({ key, target, method, header }: Visit, answer: Answer, since: Since): Kept | Answer {
    // What has no body cannot answer others.
    const life = method === 'GET' ? lifeOf(answer) : 0
    const known = this.#kept.get(key)
    const names = (answer.headers.vary ?? '').toLowerCase().split(/\s*,\s*/)
    if (life === 0 || names.includes('*')) return answer
    const { headers, body } = answer
    const digest = createHash('sha256')
      .update(JSON.stringify([headers, body]))
      .digest('base64url')
    const etag = `"${digest.slice(0, 27)}"`
    const all = { ...headers, ETag: etag }
    const kept: Kept = {
      answer: { ...answer, headers: all },
      unchanged: Object.fromEntries(Object.entries(all).filter(([name]) => OF_A_304.has(name.toLowerCase()))),
      ...{ etag, since, life },
      varies: names
        .filter((name) => name !== '' && !OF_THE_CALLER.has(name))
        .map((name) => [name, header(name)]),
      size: OVERHEAD + key.length + Buffer.byteLength(body ?? ''),
      renewing: false,
    }
    this.#targets.add(target)
    // Of two that ran at once, the one that began later saw more.
    if (known && ageOf(known.since) < ageOf(since)) return kept
    this.#forget(key)
    this.#kept.set(key, kept)
    this.#bytes += kept.size
    while (this.#bytes > this.#mostBytes) this.#forget(this.#kept.keys().next().value as string)
    return kept
  }

  #forget(key: string): void {
    this.#bytes -= this.#kept.get(key)?.size ?? 0
    this.#kept.delete(key)
  }
}

/** On the clock that nobody sets, which stands still while the machine sleeps, and on the one that does not. */
type Since = [steady: number, wall: number]
const now = (): Since => [performance.now(), Date.now()]

/** In milliseconds. */
const ageOf = ([steady, wall]: Since): number => Math.max(performance.now() - steady, Date.now() - wall)

/** For how many milliseconds SQL allows to share it; 0 if it does not. */
function lifeOf({ status, headers }: Answer): number {
  const said = (headers['cache-control'] ?? '').toLowerCase().split(/\s*,\s*/)
  const refused = said.some((one) => /^(private|no-store|no-cache)\b/.test(one))
  if (status !== 200 || refused || !said.includes('public') || headers['set-cookie'] !== undefined) return 0
  const seconds = said.map((one) => /^s-maxage=(\d{1,5})$/.exec(one)?.[1]).find((one) => one !== undefined)
  return Number(seconds ?? 0) * 1_000
}

function send({ answer, unchanged, etag, since }: Kept, { header, method }: Visit): Answer {
  // Rounded up, so that another cache on the way does not keep it for longer.
  const age = { Age: String(Math.ceil(ageOf(since) / 1_000)) }
  const known = header('if-none-match')
  if (known !== undefined && matches(known, etag))
    return { status: 304, headers: { ...unchanged, ...age }, body: null }
  return { ...answer, headers: { ...answer.headers, ...age }, body: method === 'HEAD' ? null : answer.body }
}

const matches = (known: string, etag: string): boolean =>
  known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
