// One websocket: its frames, channels and limits.
import type { RawData, WebSocket } from 'ws'
import { Channel, type Outlet } from './channel.ts'
import { type Credentials, JoinRefused, readToken } from './credentials.ts'
import { BadFrame, decodeFrame, encodeFrame, type Frame, type Version } from './frames.ts'
import type { Admission } from './handshake.ts'
import { checkJoin, type JoinPayload, readBroadcast, readJoin } from './join-request.ts'
import { Allowance } from './rate.ts'
import type { Shared } from './shared.ts'

const INVALID_DATA = 1007
const TOO_MUCH = 1008
const INTERNAL_ERROR = 1011
const TRY_AGAIN_LATER = 1013

export class RealtimeSocket implements Outlet {
  readonly #shared: Shared
  readonly #ws: WebSocket
  readonly #version: Version
  readonly #key: Credentials
  readonly #channels = new Map<string, Channel>()
  readonly #frames: Allowance
  readonly #joins: Allowance
  #work: Promise<void> = Promise.resolve()
  #pending = 0
  #isOpen = true
  /** The time of the client's last message, from performance.now(). */
  heardAt = performance.now()

  readonly network: string

  constructor(shared: Shared, ws: WebSocket, { version, key, network }: Admission) {
    this.#shared = shared
    this.#frames = new Allowance(shared.limits.frames)
    this.#joins = new Allowance(shared.limits.joins)
    this.network = network
    this.#ws = ws
    this.#version = version
    this.#key = key
    ws.on('message', (data, isBinary) => this.#hear(data, isBinary))
    ws.on('error', (error) => shared.log.warn({ err: error }, 'realtime: a socket failed'))
    ws.on('close', () => {
      this.#drop()
      shared.places.leave(this)
    })
    shared.places.enter(this)
    shared.places.identify(this, key.person)
  }

  send(frame: Parameters<Outlet['send']>[0]): void {
    if (!this.#isOpen) return
    this.#ws.send(encodeFrame(this.#version, frame), this.#measure)
    this.#measure()
    if (this.#isOpen && this.#ws.bufferedAmount > this.#shared.limits.bufferedBytes) this.dropUnread()
  }

  /** Drops a socket with too many unread bytes; its client reconnects and reloads. */
  dropUnread(): void {
    this.#shared.log.warn('realtime: a socket that does not read was dropped')
    this.terminate()
  }

  readonly #measure = () => this.#shared.backlog.set(this, this.#isOpen ? this.#ws.bufferedAmount : 0)

  identify({ person }: Credentials): void {
    if (person === undefined || this.#shared.places.identify(this, person)) return
    throw new JoinRefused('ConnectionRateLimitReached: Too many connected users')
  }

  ended(channel: Channel): void {
    if (this.#channels.get(channel.config.topic) === channel) this.#channels.delete(channel.config.topic)
    if (this.#isOpen && this.#channels.size === 0) this.#shared.places.identify(this, this.#key.person)
  }

  evict(): void {
    this.close(TRY_AGAIN_LATER, 'Too many connected users')
  }

  /** Makes every channel rejoin, because changes may have been missed. */
  fail(): void {
    for (const channel of this.#channels.values()) channel.fail()
  }

  /** Closes the socket with a code of RFC 6455. */
  close(code: number, reason: string): void {
    this.#drop()
    this.#ws.close(code, reason)
  }

  terminate(): void {
    this.#drop()
    this.#ws.terminate()
  }

  #drop(): void {
    this.#isOpen = false
    this.#measure()
    for (const channel of this.#channels.values()) channel.drop()
    this.#channels.clear()
  }

  #hear(data: RawData, isBinary: boolean): void {
    if (!this.#isOpen || this.#isTooFast()) return
    this.heardAt = performance.now()
    try {
      const frame = decodeFrame(this.#version, toBuffer(data), isBinary)
      if (frame.topic === 'phoenix') this.#beat(frame)
      else this.#enqueue(frame)
    } catch (error) {
      this.#refuse(INVALID_DATA, error instanceof BadFrame ? error.message : 'unreadable')
    }
  }

  // True once the client has sent more frames than its rate allows; heartbeats count too.
  #isTooFast(): boolean {
    if (this.#frames.take()) return false
    this.#refuse(TOO_MUCH, 'Too many messages per second')
    return true
  }

  #beat(frame: Frame): void {
    if (frame.event === 'heartbeat') this.#reply(frame, 'ok', {})
    else this.#reply(frame, 'error', { reason: 'unmatched topic' })
  }

  // Frames are handled one after another, so that a leave cannot overtake its join.
  #enqueue(frame: Frame): void {
    if (this.#pending >= this.#shared.limits.pendingFrames) {
      this.#refuse(TOO_MUCH, 'too many messages')
      return
    }
    this.#pending += 1
    this.#work = this.#work
      .then(() => this.#handle(frame))
      .catch((error: unknown) => {
        this.#shared.log.error({ err: error, event: frame.event }, 'realtime: a message could not be handled')
        this.close(INTERNAL_ERROR, 'internal error')
      })
      .finally(() => {
        this.#pending -= 1
      })
  }

  #refuse(code: number, reason: string): void {
    this.#shared.log.warn({ reason }, 'realtime: a socket was closed for what it sent')
    this.close(code, reason)
  }

  async #handle(frame: Frame): Promise<void> {
    if (!this.#isOpen) return
    if (frame.event === 'phx_join') return this.#join(frame)
    const channel = this.#channels.get(frame.topic)
    if (frame.event === 'phx_leave') {
      this.#reply(frame, 'ok', {})
      // A leave may be for an earlier join of the topic, whose channel is already closed.
      if (channel && isOf(channel, frame)) channel.close()
      return
    }
    if (!channel || !isOf(channel, frame)) return this.#reply(frame, 'error', { reason: 'unmatched topic' })
    if (frame.event === 'access_token') return channel.replaceToken(frame.payload.access_token)
    if (frame.event === 'broadcast') return this.#broadcast(channel, frame)
    this.#reply(frame, 'error', { reason: `${frame.event} is not offered here` })
  }

  async #join(frame: Frame): Promise<void> {
    try {
      if (!this.#joins.take()) throw new JoinRefused('ClientJoinRateLimitReached: Too many joins per second')
      const wish = readJoin(frame.payload)
      this.#channels.get(frame.topic)?.close()
      checkJoin(frame.topic, wish, [...this.#channels.values()], this.#shared.limits)
      await this.#open(frame, wish)
    } catch (error) {
      if (!(error instanceof JoinRefused)) throw error
      this.#reply(frame, 'error', { reason: error.message })
    }
  }

  async #open(frame: Frame, { config, access_token }: JoinPayload): Promise<void> {
    const credentials = (await readToken(this.#shared.tokens, access_token)) ?? this.#key
    const bindings = config?.postgres_changes ?? []
    const channel = new Channel(this.#shared, this, {
      topic: frame.topic,
      joinRef: frame.joinRef,
      credentials,
      bindings,
      ack: config?.broadcast?.ack ?? false,
      self: config?.broadcast?.self ?? false,
      isPrivate: config?.private ?? false,
    })
    this.#channels.set(frame.topic, channel)
    const wish = await channel.admit().catch((error: unknown) => {
      channel.drop()
      this.ended(channel)
      throw error
    })
    // The socket or the session may have ended meanwhile.
    if (!channel.isOpen) return
    this.#reply(frame, 'ok', { postgres_changes: channel.echo })
    channel.start(wish)
  }

  async #broadcast(channel: Channel, frame: Frame): Promise<void> {
    try {
      await channel.broadcast(readBroadcast(frame.payload))
      if (channel.config.ack) this.#reply(frame, 'ok', {})
    } catch (error) {
      if (!(error instanceof JoinRefused)) throw error
      this.#reply(frame, 'error', { reason: error.message })
    }
  }

  #reply(frame: Frame, status: 'ok' | 'error', response: object): void {
    const payload = JSON.stringify({ status, response })
    this.send({ joinRef: frame.joinRef, ref: frame.ref, topic: frame.topic, event: 'phx_reply', payload })
  }
}

function isOf({ config }: Channel, { joinRef }: Frame): boolean {
  return joinRef === null || joinRef === config.joinRef
}

function toBuffer(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data)
  return Buffer.isBuffer(data) ? data : Buffer.from(data)
}
