/** A token bucket: it allows `burst` requests without a pause, and after that `perSecond`. */
export interface Rate {
  burst: number
  perSecond: number
}

export class Allowance {
  readonly #rate: Rate
  #left: number
  #at = performance.now()

  constructor(rate: Rate) {
    this.#rate = rate
    this.#left = rate.burst
  }

  /** Takes one token. Returns false if there is none. */
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
