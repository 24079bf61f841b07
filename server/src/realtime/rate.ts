/** So many at once, and as many a second from then on. */
export interface Rate {
  burst: number
  perSecond: number
}

/** What is left of a rate. */
export class Allowance {
  readonly #rate: Rate
  #left: number
  #at = performance.now()

  constructor(rate: Rate) {
    this.#rate = rate
    this.#left = rate.burst
  }

  /** Uses up one; false when there is none. */
  take(): boolean {
    const { burst, perSecond } = this.#rate
    const now = performance.now()
    this.#left = Math.min(burst, this.#left + ((now - this.#at) * perSecond) / 1000)
    this.#at = now
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }
}
