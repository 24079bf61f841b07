// Sets of members by key, such as the listeners of a topic or the channels of a session.
export class Groups<Member> {
  readonly #byName = new Map<string, Set<Member>>()

  add(name: string, member: Member): void {
    const members = this.#byName.get(name) ?? new Set()
    this.#byName.set(name, members.add(member))
  }

  remove(name: string, member: Member): void {
    const members = this.#byName.get(name)
    if (members?.delete(member) && members.size === 0) this.#byName.delete(name)
  }

  size(name: string): number {
    return this.#byName.get(name)?.size ?? 0
  }

  /** Returns a snapshot of a group, so that members may leave during iteration. */
  of(name: string): readonly Member[] {
    return [...(this.#byName.get(name) ?? [])]
  }
}

interface Listener {
  push(event: string, payload: string): void
}

/** The listeners of each topic, for broadcasts. Broadcasts stay within this server process. */
export class Topics extends Groups<Listener> {
  /** Sends a broadcast to everybody on the topic except `except`. */
  broadcast(topic: string, event: string, payload: unknown, except?: Listener): void {
    const text = JSON.stringify({ type: 'broadcast', event, payload: payload ?? {} })
    for (const listener of this.of(topic)) {
      if (listener !== except) listener.push('broadcast', text)
    }
  }
}
