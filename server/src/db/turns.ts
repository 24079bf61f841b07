// Who is next at the database. Callers take turns, however much each of them asks, and none has more than a share of the
// connections: whoever comes finds one, or waits for one request of each of the others.
import { DatabaseError } from './database.ts'

export interface TurnLimits {
  /** Requests at the database at once, in all and of one caller. */
  places: number
  share: number
  /** Requests that wait, in all and of one caller. */
  waiting: number
  waitingOfOne: number
  /** How long one waits, in milliseconds, before it is refused. */
  waitMs: number
  /**
   * The database answers in this thread, as the embedded one does, before the event loop comes round. Until then requests may
   * begin at once for this long, in milliseconds; longer, and those already read would go before all that wait to be read.
   */
  roundMs: number
}

/** A fifth of the connections each: two of the ten there are unless somebody says otherwise. */
export const turnLimits = (places: number): TurnLimits => ({
  places,
  share: Math.max(1, Math.floor(places / 5)),
  waiting: 1_000,
  waitingOfOne: 100,
  waitMs: 5_000,
  roundMs: places === 1 ? 100 : Number.POSITIVE_INFINITY,
})

/** One caller asks for more than may wait; others are served. */
export class AsksTooMuch extends DatabaseError {
  constructor() {
    super({ code: 'PT429', message: 'Too many of your requests are waiting', hint: 'Try again in a moment.' })
  }
}

interface Request {
  start(): void
  refuse(reason: DatabaseError): void
}

interface Line {
  readonly caller: string
  running: number
  waiting: Request[]
}

export class Turns {
  readonly #limits: TurnLimits
  /** Of everybody who asks, whoever's turn is next first. */
  readonly #lines = new Map<string, Line>()
  #running = 0
  #waiting = 0
  /** When the event loop came round to the first of the requests that have begun since. */
  #round: number | undefined

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  get state(): { running: number; waiting: number; callers: number } {
    return { running: this.#running, waiting: this.#waiting, callers: this.#lines.size }
  }

  /** Does the work when it is the caller's turn. Throws DatabaseError, before it has begun, where too much waits. */
  async take<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(caller) ?? { caller, running: 0, waiting: [] }
    this.#lines.set(caller, line)
    if (this.#hasPlace(line) && this.#hasTime()) this.#start(line)
    else await this.#wait(line)
    try {
      return await work()
    } finally {
      // Those who are about to ask wait too.
      if (this.#waiting > 0) setImmediate(() => this.#leave(line))
      else this.#leave(line)
    }
  }

  #hasPlace(line: Line): boolean {
    return this.#running < this.#limits.places && line.running < this.#limits.share
  }

  #hasTime(): boolean {
    if (this.#round === undefined) {
      this.#round = performance.now()
      setImmediate(() => {
        this.#round = undefined
      })
    }
    return performance.now() - this.#round < this.#limits.roundMs
  }

  #start(line: Line): void {
    this.#running += 1
    line.running += 1
    this.#putLast(line)
  }

  #leave(left: Line): void {
    this.#running -= 1
    left.running -= 1
    this.#putLast(left)
    this.#serve()
  }

  #serve(): void {
    for (const line of this.#lines.values()) {
      const next = this.#hasPlace(line) ? line.waiting.shift() : undefined
      if (!next) continue
      this.#waiting -= 1
      this.#start(line)
      next.start()
    }
  }

  /** Its next turn is after everybody else's. */
  #putLast(line: Line): void {
    this.#lines.delete(line.caller)
    if (line.running + line.waiting.length > 0) this.#lines.set(line.caller, line)
  }

  #wait(line: Line): Promise<void> {
    if (line.waiting.length >= this.#limits.waitingOfOne) throw new AsksTooMuch()
    return new Promise((start, refuse) => {
      const late = setTimeout(() => this.#refuse(line, request), this.#limits.waitMs)
      const settled =
        <Value>(settle: (value: Value) => void) =>
        (value: Value) => {
          clearTimeout(late)
          settle(value)
        }
      const request: Request = { start: settled<void>(start), refuse: settled(refuse) }
      line.waiting.push(request)
      this.#waiting += 1
      if (this.#hasPlace(line)) setImmediate(() => this.#serve())
      if (this.#waiting > this.#limits.waiting) this.#refuseOne()
    })
  }

  /** Of those who wait, whoever asks most loses what came last. */
  #refuseOne(): void {
    const [longest] = [...this.#lines.values()].toSorted((a, b) => b.waiting.length - a.waiting.length)
    const last = longest?.waiting.at(-1)
    if (longest && last) this.#refuse(longest, last)
  }

  #refuse(line: Line, request: Request): void {
    line.waiting.splice(line.waiting.indexOf(request), 1)
    this.#waiting -= 1
    if (line.running + line.waiting.length === 0) this.#lines.delete(line.caller)
    request.refuse(new DatabaseError({ code: '53300', message: 'Every connection to the database is busy' }))
  }
}
