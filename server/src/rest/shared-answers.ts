// A shared cache (RFC 9111) for responses that SQL marks as public: `Cache-Control: public, s-maxage=n`.
import { createHash } from 'node:crypto'
import type { Answer } from './errors.ts'

/** A read by a visitor. */
export interface Visit {
  /**
   * Everything on which the server's own response depends: verified claims, path and query, and the headers it reads.
   */
  key: string
  /** The kind and name of the table or function. */
  target: string
  method: string
  /** A header of the request, by its name in lower case. */
  header(name: string): string | undefined
}

interface Kept {
  answer: Answer
  /** Headers of a 304, without those that describe a body. */
  unchanged: Record<string, string>
  etag: string
  /** The time just before the response's statement began. */
  since: Since
  /** The longest age of the response, in ms. */
  life: number
  /** The request headers named in `Vary`, with their values. */
  varies: [name: string, value: string | undefined][]
  size: number
  renewing: boolean
}

/** Ignored in `Vary`, since callers are compared by verified claims. */
const OF_THE_CALLER = new Set(['authorization', 'apikey'])
const OF_A_304 = new Set(['cache-control', 'content-location', 'vary', 'etag'])
const MOST_BYTES = 32 * 1024 * 1024
/** The memory of one cached response besides its texts, in bytes. */
const OVERHEAD = 1_000

/** Runs a request's statement; called when it is the request's turn. */
export type Work = () => Promise<Answer>
/** Prepares a request and waits for its turn, then calls `at` with the function that runs its statement. */
export type Ask = (at: (work: Work) => Promise<Answer>) => Promise<Answer>

export class SharedAnswers {
  // A Map iterates in insertion order, which is all a least-recently-used cache needs.
  readonly #kept = new Map<string, Kept>()
  readonly #running = new Map<string, Promise<void>>()
  /**
   * Tables and functions that have had a cached response. Only for these does a request wait for another one's
   * response.
   */
  readonly #targets = new Set<string>()
  readonly #mostBytes: number
  #bytes = 0

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes
  }

  /**
   * Returns a cached response, or the result of `ask`. After half of its life, a response is renewed while requests
   * still get the old one, so only the first request after a pause has to wait. Each request that needs the database
   * takes its own turn, and shares the result of the same statement if it is already running. `Cache-Control: no-cache`
   * always runs the statement, and caches its response.
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

  /** Renews a response. If that fails, the cached one is used until it expires, and later requests get the error. */
  #renew(kept: Kept, visit: Visit, ask: Ask): void {
    kept.renewing = true
    ask((work) => this.#fill(visit, work))
      .catch(() => undefined)
      .finally(() => {
        kept.renewing = false
      })
  }

  /** Waits for the same statement running for another request, if there is one, and returns its result. */
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
    // No await is allowed between finding that no statement is running and starting one.
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

  /** Caches the response if SQL allows it; otherwise returns it as it is. */
  #keep({ key, target, method, header }: Visit, answer: Answer, since: Since): Kept | Answer {
    // A HEAD response has no body that others could use.
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
    // If the cached response is from a statement that began later, it has newer data and stays.
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

/**
 * Times in ms of the monotonic clock, which stands still while the machine sleeps, and of the system clock, which can
 * be set.
 */
type Since = [steady: number, wall: number]
const now = (): Since => [performance.now(), Date.now()]

/** Returns the age in ms, by whichever clock shows more. */
const ageOf = ([steady, wall]: Since): number => Math.max(performance.now() - steady, Date.now() - wall)

/** Returns the time in ms for which SQL allows the response to be shared, or 0 if it does not. */
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
