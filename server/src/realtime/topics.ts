// Who listens on which topic, for broadcasts. Broadcasts stay within this server process.
interface Listener {
  push(event: string, payload: string): void
}

export class Topics {
  readonly #listeners = new Map<string, Set<Listener>>()

  add(topic: string, listener: Listener): void {
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners.add(listener))
  }

  remove(topic: string, listener: Listener): void {
    const listeners = this.#listeners.get(topic)
    if (listeners?.delete(listener) && listeners.size === 0) this.#listeners.delete(topic)
  }

  /** Sends a broadcast to everybody on the topic but `except`. */
  broadcast(topic: string, event: string, payload: unknown, except?: Listener): void {
    const text = JSON.stringify({ type: 'broadcast', event, payload: payload ?? {} })
    for (const listener of this.#listeners.get(topic) ?? []) {
      if (listener !== except) listener.push('broadcast', text)
    }
  }
}
