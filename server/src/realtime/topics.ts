// Subscribers of broadcasts by topic. Broadcasts stay within this server process.
import { Groups } from './groups.ts'

interface Listener {
  push(event: string, payload: string): void
}

export class Topics extends Groups<Listener> {
  /** Sends a broadcast to everybody on the topic but `except`. */
  broadcast(topic: string, event: string, payload: unknown, except?: Listener): void {
    const text = JSON.stringify({ type: 'broadcast', event, payload: payload ?? {} })
    for (const listener of this.of(topic)) {
      if (listener !== except) listener.push('broadcast', text)
    }
  }
}
