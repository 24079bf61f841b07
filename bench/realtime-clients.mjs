// Sockets as the web app opens them for a person who reads a conversation: five channels with the app's own bindings.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ROOT } from '../scripts/install.mjs'
import { conversationId, personId, tokenOf } from './requests.mjs'

// The version of ws that the server uses; the version installed beside this file is older.
export const { WebSocket } = createRequire(join(ROOT, 'server/package.json'))('ws')
const BEAT_MS = 25_000

/**
 * Returns the id of the conversation that a person has open. Two neighbours have the same one open: that of the first
 * neighbour's first plan.
 */
export const openConversation = (person) => conversationId((person - 1 - ((person - 1) % 2)) * 10 + 1)

/** Returns the bindings of the person's screen, by channel; `*` stands for every event. */
export function watchesOf(person) {
  const own = ['user_id', personId(person)]
  return {
    'user-notifications': [
      watch('user_notifications', 'INSERT', own),
      watch('user_notifications', 'UPDATE', own),
    ],
    unread: [
      watch('chat_participants', 'UPDATE', own),
      watch('conversations', 'UPDATE', ['owner_id', personId(person)]),
      watch('conversations', 'UPDATE', ['member_id', personId(person)]),
      watch('conversations', 'DELETE'),
    ],
    'request-counts': ['INSERT', 'UPDATE'].map((event) =>
      watch('subscription_requests', event, ['owner_id', personId(person)]),
    ),
    'coin-balance': [watch('user_wallets', '*', own)],
    messages: [watch('messages', 'INSERT', ['conversation_id', openConversation(person)])],
  }
}

const watch = (table, event, equal) => ({ table, event, equal })

/** True if one of the person's bindings matches the change, regardless of permissions. */
export const isWatched = (watches, { table, type, record }) =>
  Object.values(watches)
    .flat()
    .some(
      (one) =>
        one.table === table &&
        (one.event === '*' || one.event === type) &&
        (!one.equal || record[one.equal[0]] === one.equal[1]),
    )

/** Calls `onChange(person, change)` for each change, and `onJoined(person, channel)` once a channel is joined. */
export class Client {
  isClosed = false
  #ref = 0
  #hopes = new Map()

  constructor(server, person, { onChange, onJoined = () => undefined }) {
    const { url, apikey, secret } = server
    this.person = person
    const address = `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${apikey}&vsn=2.0.0`
    this.token = tokenOf(this.person, secret)
    this.ws = new WebSocket(address, { perMessageDeflate: false })
    this.ws.on('message', (data) => {
      const [, , topic, event, payload] = JSON.parse(data.toString())
      if (event === 'postgres_changes') onChange(this.person, payload.data)
      else if (event === 'phx_error' || event === 'phx_close') this.failed = topic
      else if (event === 'system' && payload.status === 'ok') {
        onJoined(this.person, topic.replace('realtime:', ''))
        this.#hopes.get(topic)?.()
      }
    })
    this.ws.on('error', () => undefined)
    this.closed = new Promise((done) => {
      this.ws.once('close', () => {
        this.isClosed = true
        clearInterval(this.beat)
        done()
      })
    })
  }

  /** Resolves when all channels are joined. */
  async join() {
    await new Promise((open, fail) => {
      this.ws.once('open', open)
      this.ws.once('close', () => fail(new Error(`The socket of person ${this.person} was refused`)))
    })
    this.beat = setInterval(() => this.#send('phoenix', 'heartbeat', {}), BEAT_MS)
    await Promise.all(
      Object.entries(watchesOf(this.person)).map(([name, watches]) => {
        const topic = `realtime:${name}`
        const heard = new Promise((done) => this.#hopes.set(topic, done))
        const changes = watches.map(({ table, event, equal }) => ({
          ...{ event, schema: 'public', table },
          ...(equal && { filter: `${equal[0]}=eq.${equal[1]}` }),
        }))
        this.#send(topic, 'phx_join', { config: { postgres_changes: changes }, access_token: this.token })
        return heard
      }),
    )
  }

  #send(topic, event, payload) {
    this.#ref += 1
    this.ws.send(JSON.stringify([String(this.#ref), String(this.#ref), topic, event, payload]))
  }

  leave() {
    this.ws.terminate()
  }
}
