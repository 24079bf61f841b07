/** A token bucket: this many at once, then this many per second. */
export interface Rate {
  burst: number
  perSecond: number
}

/** The current state of a rate. */
export class Allowance {
  readonly #rate: Rate
  #left: number
  #at = performance.now()

  constructor(rate: Rate) {
    this.#rate = rate
    this.#left = rate.burst
  }

  /** Uses up one; false if none is left. */
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
