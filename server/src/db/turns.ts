// Fair scheduling of database access. Callers take turns regardless of how much each requests, and none gets more than
// its share of the connections. A new caller finds a free one, or waits for at most one request of each other caller.
import { DatabaseError } from './database.ts'

export interface TurnLimits {
  /** Concurrent requests at the database, in total and per caller. */
  places: number
  share: number
  /** Queued requests, in total and per caller. */
  waiting: number
  waitingOfOne: number
  /** How long a request may wait in ms before it is refused. */
  waitMs: number
  /**
   * How long in ms requests may start without queueing, within one turn of the event loop. The embedded database runs
   * in this thread, so if this were longer, requests already read would overtake those still waiting to be read.
   */
  roundMs: number
}

/** Returns the default limits. Each caller may use a fifth of the connections: two of the default ten. */
export const turnLimits = (places: number): TurnLimits => ({
  places,
  share: Math.max(1, Math.floor(places / 5)),
  waiting: 1_000,
  waitingOfOne: 100,
  waitMs: 5_000,
  roundMs: places === 1 ? 100 : Number.POSITIVE_INFINITY,
})

/** The stream that a response is written to: a Node response, which closes when the client disconnects. */
export interface Destination {
  readonly closed: boolean
  once(event: 'close', listener: () => void): unknown
  off(event: 'close', listener: () => void): unknown
}

/** Thrown if one caller has too many requests waiting; other callers are still served. */
export class TooManyWaiting extends DatabaseError {
  constructor() {
    super({ code: 'PT429', message: 'Too many of your requests are waiting', hint: 'Try again in a moment.' })
  }
}

const allBusy = () =>
  new DatabaseError({ code: '53300', message: 'Every connection to the database is busy' })
const nobodyWaits = () => new DatabaseError({ code: '57014', message: 'The caller has left' })

interface WaitingRequest {
  start(): void
  refuse(reason: DatabaseError): void
}

interface Line {
  readonly caller: string
  running: number
  waiting: WaitingRequest[]
}

export class Turns {
  readonly #limits: TurnLimits
  /** All callers with requests, in the order of their turns. */
  readonly #lines = new Map<string, Line>()
  #running = 0
  #waiting = 0
  /** The start of this turn of the event loop, in ms; undefined until a request is started in it. */
  #round: number | undefined

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  get state(): { running: number; waiting: number; callers: number } {
    return { running: this.#running, waiting: this.#waiting, callers: this.#lines.size }
  }

  /**
   * Runs `work` when it is the caller's turn. Throws DatabaseError instead if too many requests wait, or if the
   * response's `destination` closes because its client has left.
   */
  async take<T>(caller: string, work: () => Promise<T>, destination?: Destination): Promise<T> {
    const line = this.#lines.get(caller) ?? { caller, running: 0, waiting: [] }
    this.#lines.set(caller, line)
    if (this.#hasPlace(line) && this.#hasTime()) this.#start(line)
    else await this.#wait(line, destination)
    try {
      return await work()
    } finally {
      // Leaves only after this turn of the event loop, so that requests about to be queued compete for the place too.
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

  #putLast(line: Line): void {
    this.#lines.delete(line.caller)
    if (line.running + line.waiting.length > 0) this.#lines.set(line.caller, line)
  }

  #wait(line: Line, destination?: Destination): Promise<void> {
    if (destination?.closed) throw nobodyWaits()
    if (line.waiting.length >= this.#limits.waitingOfOne) throw new TooManyWaiting()
    return new Promise((start, refuse) => {
      const late = setTimeout(() => this.#refuse(line, request, allBusy()), this.#limits.waitMs)
      const leave = () => this.#refuse(line, request, nobodyWaits())
      destination?.once('close', leave)
      const settled =
        <Value>(settle: (value: Value) => void) =>
        (value: Value) => {
          clearTimeout(late)
          destination?.off('close', leave)
          settle(value)
        }
      const request: WaitingRequest = { start: settled<void>(start), refuse: settled(refuse) }
      line.waiting.push(request)
      this.#waiting += 1
      if (this.#hasPlace(line)) setImmediate(() => this.#serve())
      if (this.#waiting > this.#limits.waiting) this.#refuseOne()
    })
  }

  /** Refuses the newest request of the caller with the most waiting requests. */
  #refuseOne(): void {
    const [longest] = [...this.#lines.values()].toSorted((a, b) => b.waiting.length - a.waiting.length)
    const last = longest?.waiting.at(-1)
    if (longest && last) this.#refuse(longest, last, allBusy())
  }

  #refuse(line: Line, request: WaitingRequest, reason: DatabaseError): void {
    line.waiting.splice(line.waiting.indexOf(request), 1)
    this.#waiting -= 1
    if (line.running + line.waiting.length === 0) this.#lines.delete(line.caller)
    request.refuse(reason)
  }
}
