// People who write in chats and listen, through two servers at once. Each message is sent once and carries an id, so that
// lost, doubled and unheard ones can be counted.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { newClient } from '../../../server/test/harness.ts'
import type { World } from '../kills/world.ts'

type Place = World['places'][number]
const PAUSE_MS = 250
/** A client gives a request up after this time; a server answers each within ten seconds. */
const PATIENCE_MS = 20_000

interface Answer {
  sentAt: number
  at: number
  server: number
  isOk: boolean
  /** The status and, unless it is 201 or 503, the body; "none" without an answer. */
  said: string
}

export async function openChats(places: readonly Place[], urls: readonly string[], key: string) {
  const acknowledged: { id: string; chat: string }[] = []
  const sent = new Set<string>()
  let answers: Answer[] = []
  let [isOver, isResting, round] = [false, false, 0]
  let writing = 0

  const post = (url: string, path: string, token: string, body: unknown) =>
    fetch(`${url}/rest/v1/${path}`, {
      method: 'POST',
      headers: { apikey: key, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
  const chats = await Promise.all(
    places.map(async ({ plan, owner, member }) => {
      const names = { p_subscription_id: plan, p_owner_id: owner.id, p_member_id: member.id }
      const answer = await post(urls[0] ?? '', 'rpc/find_or_create_conversation', member.accessToken, names)
      return { id: (await answer.json()) as string, people: [owner, member] }
    }),
  )

  async function write(chat: string, { id: sender_id, accessToken }: Place['owner'], turn: number) {
    const id = randomUUID()
    const server = turn % urls.length
    const sentAt = performance.now()
    sent.add(id)
    const row = { conversation_id: chat, sender_id, content: `${round}: ${id}` }
    const answer = await post(urls[server] ?? '', 'messages', accessToken, row).catch(() => undefined)
    const body = await answer?.text().catch(() => undefined)
    const isOk = answer?.status === 201
    const said = !answer
      ? 'none'
      : isOk || answer.status === 503
        ? `${answer.status}`
        : `${answer.status} ${body}`
    answers.push({ sentAt, at: performance.now(), server, isOk, said })
    if (isOk) acknowledged.push({ id, chat })
  }
  const writers = chats.flatMap(({ id, people }) =>
    people.map(async (person, first) => {
      for (let turn = first; !isOver; turn += 1) {
        writing += 1
        if (!isResting) await write(id, person, turn)
        writing -= 1
        await pause(PAUSE_MS)
      }
    }),
  )

  /** Listens as the app does: once joined, and each time it has joined again, it loads what there is. */
  function listen(url: string, chat: string, token: string) {
    const heard = new Set<string>()
    let joins = 0
    const client = newClient({ url, anonKey: key }, key, token)
    const hear = (content: string) => heard.add(content.replace(/^\d+: /, ''))
    const load = async (): Promise<void> => {
      // Lists have a limit, so only the messages of this round and the last one are loaded.
      const { data } = await client
        .from('messages')
        .select('content')
        .eq('conversation_id', chat)
        .or(`content.like.${round}:*,content.like.${round - 1}:*`)
      if (data) for (const { content } of data) hear(content)
      else if (!isOver) await pause(200).then(load)
    }
    const joined = new Promise<void>((done) => {
      client
        .channel(`chat ${chat}`)
        .on(
          'postgres_changes',
          { event: 'INSERT', schema: 'public', table: 'messages', filter: `conversation_id=eq.${chat}` },
          ({ new: row }) => hear(String(row.content)),
        )
        .subscribe(async (status) => {
          if (status !== 'SUBSCRIBED') return
          joins += 1
          await load()
          done()
        })
    })
    return { chat, heard, joined, joins: () => joins, leave: () => client.removeAllChannels() }
  }
  const listeners = chats.flatMap(({ id, people }) =>
    people.map(({ accessToken }, n) => listen(urls[n % urls.length] ?? '', id, accessToken)),
  )
  await Promise.all(listeners.map(({ joined }) => joined))

  return {
    sent,
    acknowledged,
    /** Begins a round; returns how its writes went so far. */
    nextRound: () => {
      answers = []
      round += 1
      return () => answers
    },
    /** The number of acknowledged messages that a listener of their chat has not received, and of joins. */
    heard: () => ({
      missed: listeners.flatMap(({ chat, heard }) =>
        acknowledged.filter((message) => message.chat === chat && !heard.has(message.id)),
      ).length,
      joins: listeners.reduce((total, { joins }) => total + joins(), 0),
      listeners: listeners.length,
    }),
    /** Stops writing until the returned function is called. */
    rest: async () => {
      isResting = true
      while (writing > 0) await pause(20)
      return () => {
        isResting = false
      }
    },
    end: async () => {
      isOver = true
      await Promise.all(writers)
    },
    leave: () => Promise.all(listeners.map(({ leave }) => leave())),
  }
}
