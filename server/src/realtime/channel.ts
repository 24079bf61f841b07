// One topic joined on one socket: its rights, its bindings, and its end.
import { mayHear, mayNot, maySend, PRIVATE_ONLY } from './authorization.ts'
import { type Binding, bindingId, resolveBindings, type Wish } from './bindings.ts'
import {
  type Credentials,
  expiredMessage,
  JoinRefused,
  readToken,
  requireAdmission,
  SESSION_ENDED,
} from './credentials.ts'
import type { Broadcast } from './join-request.ts'
import type { Shared } from './shared.ts'
import type { Subscriber } from './subscriptions.ts'

/** The socket's side of a channel; `payload` is JSON text. */
export interface Outlet {
  send(frame: {
    joinRef: string | null
    ref: string | null
    topic: string
    event: string
    payload: string
  }): void
  /** Counts the socket towards the person's limit. Throws JoinRefused if the limit is exceeded. */
  identify(credentials: Credentials): void
  ended(channel: Channel): void
}

interface ChannelConfig {
  topic: string
  joinRef: string | null
  credentials: Credentials
  bindings: readonly Binding[]
  ack: boolean
  self: boolean
  /** True if the project's policies decide who may receive and send here. */
  isPrivate: boolean
}

const PREFIX = 'realtime:'
const CHECK_TOKEN_EVERY_MS = 5 * 60_000
// Grace period for expired tokens, so that a client that refreshes a little late keeps its channel.
const TOKEN_SLACK_SECONDS = 30

export class Channel implements Subscriber {
  readonly config: ChannelConfig
  caller: Credentials
  isOpen = true
  readonly #shared: Shared
  readonly #outlet: Outlet
  #owners: string[] = []
  #maySend: Promise<boolean> | undefined
  #expiry: NodeJS.Timeout | undefined

  constructor(shared: Shared, outlet: Outlet, config: ChannelConfig) {
    this.#shared = shared
    this.#outlet = outlet
    this.config = config
    this.caller = config.credentials
    this.#watchExpiry()
  }

  /** The topic as the client's code names it. */
  get name(): string {
    return this.config.topic.slice(PREFIX.length)
  }

  /** The bindings as the client sent them, each with its id. */
  get echo(): (Binding & { id: number })[] {
    return this.config.bindings.map((binding) => ({ id: bindingId(binding), ...binding }))
  }

  /** Authorizes the channel and resolves its bindings. Throws JoinRefused. */
  async admit(): Promise<Wish> {
    await this.#check(this.caller)
    return resolveBindings(this.#shared, this.caller.role, this.config.bindings)
  }

  /** Starts to deliver changes. Call this in the same tick as the reply to the join, so that no change precedes the reply. */
  start(wish: Wish): void {
    if (this.config.isPrivate) this.#shared.topics.add(this.config.topic, this)
    this.#watch(wish)
  }

  /** Sends a broadcast to the others on the topic. Throws JoinRefused. */
  async broadcast({ event, payload }: Broadcast): Promise<void> {
    const { topic, self, isPrivate } = this.config
    if (!isPrivate) throw new JoinRefused(PRIVATE_ONLY)
    this.#maySend ??= maySend(this.#shared.db, this.caller, this.name)
    if (!(await this.#maySend)) throw new JoinRefused(mayNot('write to', this.name))
    this.#shared.topics.broadcast(topic, event, payload, self ? undefined : this)
  }

  push(event: string, payload: string): void {
    if (this.isOpen) this.#outlet.send({ joinRef: null, ref: null, topic: this.config.topic, event, payload })
  }

  /** Continues with a new token. An invalid one ends the channel. */
  async replaceToken(token: unknown): Promise<void> {
    if (token === this.caller.token) return
    try {
      const credentials = await readToken(this.#shared.tokens, token)
      if (!credentials || !this.isOpen) return
      await this.#check(credentials)
      if (!this.isOpen) return
      const isOtherRole = credentials.role !== this.caller.role
      this.caller = credentials
      this.#maySend = undefined
      this.#belongTo(credentials)
      this.#watchExpiry()
      // Another role may read other columns, and therefore filter by other columns.
      if (!isOtherRole) return
      const wish = await resolveBindings(this.#shared, credentials.role, this.config.bindings)
      if (this.isOpen) this.#watch(wish)
    } catch (error) {
      if (!(error instanceof JoinRefused)) throw error
      this.#closeBecause(error.message.replace(/^\w+: /, ''))
    }
  }

  /** Ends the channel for good: the client does not rejoin by itself. */
  close(): void {
    this.#end('phx_close')
  }

  /** Ends the channel so that the client joins again. */
  fail(): void {
    this.#end('phx_error')
  }

  /** Ends the channel because its session has ended. The client rejoins with the token it has by then. */
  endWithSession(): void {
    this.push('system', this.#system('system', 'error', SESSION_ENDED))
    this.fail()
  }

  /** Ends the channel without a message, since the socket is closed. */
  drop(): void {
    this.isOpen = false
    clearTimeout(this.#expiry)
    this.#shared.subscriptions.remove(this)
    this.#shared.topics.remove(this.config.topic, this)
    this.#belongTo()
  }

  async #check(credentials: Credentials): Promise<void> {
    // The channel is registered before the session is checked, so that the end of the session cannot be missed.
    this.#belongTo(this.caller, credentials)
    await requireAdmission(this.#shared, credentials)
    if (this.config.isPrivate && !(await mayHear(this.#shared.db, credentials, this.name)))
      throw new JoinRefused(mayNot('read from', this.name))
    if (this.isOpen) this.#outlet.identify(credentials)
  }

  // Registers the channel under its session and person, so that it ends when one of them does.
  #belongTo(...credentials: Credentials[]): void {
    for (const id of this.#owners) this.#shared.owners.remove(id, this)
    const ids = credentials.flatMap(({ sessionId, subject }) => [sessionId ?? [], subject ?? []].flat())
    this.#owners = [...new Set(ids)]
    for (const id of this.#owners) this.#shared.owners.add(id, this)
  }

  #end(event: 'phx_close' | 'phx_error'): void {
    if (!this.isOpen) return
    this.drop()
    const { topic, joinRef } = this.config
    this.#outlet.send({ joinRef, ref: joinRef, topic, event, payload: '{}' })
    this.#outlet.ended(this)
  }

  #watch({ watches, problem }: Wish): void {
    this.#shared.subscriptions.set(this, watches)
    if (this.config.bindings.length === 0) return
    if (problem === undefined)
      this.push('system', this.#system('postgres_changes', 'ok', 'Subscribed to PostgreSQL'))
    else this.push('system', this.#system('postgres_changes', 'error', problem))
  }

  #watchExpiry(): void {
    clearTimeout(this.#expiry)
    const left = (this.caller.expiresAt + TOKEN_SLACK_SECONDS) * 1000 - Date.now()
    this.#expiry = setTimeout(
      () => {
        if (left > CHECK_TOKEN_EVERY_MS) this.#watchExpiry()
        else this.#closeBecause(expiredMessage(this.caller.expiresAt))
      },
      Math.max(0, Math.min(left, CHECK_TOKEN_EVERY_MS)),
    ).unref()
  }

  #closeBecause(message: string): void {
    this.push('system', this.#system('system', 'error', message))
    this.close()
  }

  #system(extension: string, status: 'ok' | 'error', message: string): string {
    return JSON.stringify({ extension, status, message, channel: this.name })
  }
}
