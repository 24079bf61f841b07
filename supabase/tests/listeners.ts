// People who listen to every published table through supabase-js, as a browser would.
import { createTokens } from '@potluck/server/identity/tokens.ts'
import { expect } from 'vitest'
import { eventually } from '../../server/test/eventually.ts'
import { newClient, startTestServer, type TestServer } from '../../server/test/harness.ts'
import { columnOf } from './answers.ts'
import type { Person } from './people.ts'

const JWT_SECRET = 'a secret of the tests that listen, long enough'
const tokens = createTokens(JWT_SECRET)

/** A server whose tokens `listen` can sign. */
export const startServerToListenTo = () => startTestServer({ JWT_SECRET })

export interface Heard {
  table: string
  event: 'INSERT' | 'UPDATE' | 'DELETE'
  new: Record<string, unknown>
  old: Record<string, unknown>
}

export interface Listener {
  heard: Heard[]
  /** Forgets the events received so far. */
  forget(): void
  /** Waits until each of these tables has sent an event of this type. */
  hears(event: Heard['event'], tables: readonly string[]): Promise<void>
}

export const publishedTables = ({ db }: TestServer): Promise<string[]> =>
  columnOf(
    db.query(`select tablename from pg_publication_tables where pubname = 'supabase_realtime' order by 1`),
  )

async function signIn({ db }: TestServer, { id, caller }: Person): Promise<string> {
  const [session] = await db.query(
    `insert into auth.sessions (user_id, amr) values ($1, '[]') returning id as session_id`,
    [id],
  )
  return tokens.sign({ ...JSON.parse(caller.claims), ...session }, 3600)
}

/** Subscribes the person, or a visitor, to everything; resolves once subscribed. */
export async function listen(server: TestServer, person?: Person): Promise<Listener> {
  const token = person && (await signIn(server, person))
  const client = newClient(server, server.anonKey, token)
  await client.realtime.setAuth()
  const heard: Heard[] = []
  const channel = client.channel('everything')
  for (const table of await publishedTables(server)) {
    channel.on('postgres_changes', { event: '*', schema: 'public', table }, (change) => {
      heard.push({ table, event: change.eventType, new: change.new, old: change.old })
    })
  }
  await new Promise<void>((ready, fail) =>
    channel
      .on('system', {}, ({ status, message }) => (status === 'ok' ? ready() : fail(new Error(message))))
      .subscribe(),
  )
  return {
    heard,
    forget: () => {
      heard.length = 0
    },
    hears: (event, tables) =>
      eventually(() => {
        const told = new Set(heard.filter((one) => one.event === event).map(({ table }) => table))
        expect([...tables].filter((table) => !told.has(table))).toEqual([])
      }),
  }
}

/**
 * Notifies the person and waits until the notification arrives. A person receives changes in commit order, so all
 * earlier changes for them have arrived by then.
 */
export async function everythingCame(server: TestServer, listener: Listener, person: Person): Promise<void> {
  await server.db.query(
    `insert into user_notifications (user_id, type, title, message) values ($1, 'info', 'The last', 'word')`,
    [person.id],
  )
  await eventually(() => expect(listener.heard.map((one) => one.new.title)).toContain('The last'))
}
