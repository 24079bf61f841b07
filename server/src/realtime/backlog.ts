export interface Reader {
  dropUnread(): void
}

/**
 * Counts the bytes that clients have not read yet, of all sockets together. If there are too many, drops the slowest
 * reader.
 */
export class Backlog<One extends Reader> {
  readonly #most: number
  readonly #bytes = new Map<One, number>()
  #total = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Sets the unread bytes of a socket, which are zero once it is closed. */
  set(one: One, bytes: number): void {
    this.#total += bytes - (this.#bytes.get(one) ?? 0)
    if (bytes === 0) this.#bytes.delete(one)
    else this.#bytes.set(one, bytes)
    if (this.#total <= this.#most) return
    const [slowest] = [...this.#bytes].reduce((most, other) => (other[1] > most[1] ? other : most))
    slowest.dropUnread()
  }
}
