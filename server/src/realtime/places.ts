// Limits the server's sockets per address and per person. Strangers, who have not authenticated yet, get a share of the
// sockets. Once the share is used up, each new stranger, who may be about to authenticate, replaces the one who has
// been connected longest.
import { Groups } from './groups.ts'
import type { Limits } from './limits.ts'

export interface Holder {
  /** The network whose limit the socket counts against. */
  readonly network: string
  /** Closes the socket to free its slot. */
  evict(): void
}

export class Places<One extends Holder> {
  readonly #limits: Limits
  readonly #networks = new Groups<One>()
  readonly #people = new Groups<One>()
  readonly #known = new Map<One, string>()
  // The strangers in order of arrival.
  readonly #strangers = new Set<One>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  *[Symbol.iterator](): Iterator<One> {
    yield* this.#strangers
    yield* this.#known.keys()
  }

  get size(): number {
    return this.#strangers.size + this.#known.size
  }

  hasRoom(network: string): boolean {
    const { sockets, socketsPerAddress } = this.#limits
    return this.#known.size < sockets && this.#networks.size(network) < socketsPerAddress
  }

  enter(one: One): void {
    this.#networks.add(one.network, one)
    this.#addStranger(one)
  }

  /** Sets a socket's person, or undefined for a stranger. Returns false if the person has too many sockets already. */
  identify(one: One, person: string | undefined): boolean {
    const before = this.#known.get(one)
    if (before === person) return true
    if (person !== undefined && this.#people.size(person) >= this.#limits.socketsPerPerson) return false
    this.#forget(one)
    if (person === undefined) this.#addStranger(one)
    else {
      this.#known.set(one, person)
      this.#people.add(person, one)
    }
    return true
  }

  leave(one: One): void {
    this.#forget(one)
    this.#networks.remove(one.network, one)
  }

  #addStranger(one: One): void {
    const { sockets, strangersShare } = this.#limits
    const share = Math.min(Math.ceil(sockets * strangersShare), sockets - this.#known.size)
    this.#strangers.add(one)
    for (const longest of this.#strangers) {
      if (this.#strangers.size <= share) return
      this.leave(longest)
      longest.evict()
    }
  }

  #forget(one: One): void {
    this.#strangers.delete(one)
    const person = this.#known.get(one)
    if (person === undefined) return
    this.#known.delete(one)
    this.#people.remove(person, one)
  }
}
