// The function `vault` with people who use it, and a dump of everything in the database.
import { randomBytes } from 'node:crypto'
import type { Database } from '@potluck/server/db/database.ts'
import { addAccount } from '../../../server/test/harness.ts'
import { readSiteKeys, type SiteKey } from '../../functions/vault/seal.ts'
import { columnOf, single } from '../answers.ts'
import { type Call, type Host, openHost, signedInBy } from './hosts.ts'

export const IBAN = 'DE89370400440532013000'

export interface Account {
  id: string
  accessToken: string
}

/** Calls a service of the function with this token. */
type Ask = (
  service: string,
  body: unknown,
  token: string,
) => Promise<{ status: number; body: Record<string, unknown> }>

export interface Vault extends Host {
  /** The site's keys in the environment; empty if the server generates its own. */
  siteKeys: SiteKey[]
  ask: Ask
  /** Creates a person who has just signed in with a password, with or without a role on the site. */
  addPerson(name: string, role?: string): Promise<Account>
  /** Shares a plan that is paid directly, with people who have a place in it; returns its id. */
  sharePlan(owner: Account, ...members: Account[]): Promise<string>
  enter(plan: string, member: Account): Promise<void>
  /** Returns the same person's token with an expired proof of identity. */
  grownOld(person: Account): Promise<string>
}

export const randomKey = (): string => randomBytes(32).toString('base64')

export async function openVault(host: string, env: Record<string, string> = {}): Promise<Vault> {
  const key = env.VAULT_KEY ?? randomKey()
  const opened = await openHost(host, 'vault', { VAULT_KEY: key, ...env })
  const { server, call } = opened
  const enter = async (plan: string, { id }: Account) =>
    void (await server.db.query('select private.add_member($1, $2, false)', [plan, id]))
  return {
    ...opened,
    siteKeys: key === '' ? [] : await readSiteKeys(key),
    ask: asking(call),
    addPerson: async (name, role) => {
      const email = `${name.toLowerCase()}.${randomBytes(4).toString('hex')}@potluck.example`
      const { id, accessToken } = await addAccount(server, email)
      if (role) await server.db.query('insert into user_roles (user_id, role) values ($1, $2)', [id, role])
      return { id, accessToken }
    },
    sharePlan: async (owner, ...members) => {
      const text = `insert into shared_subscriptions (owner_id, catalogue_plan_id, owner_max_members, next_payment, status)
         values ($1, 'spotify-premium-family', 6, current_date + 30, 'active') returning id`
      const plan = await single(server.db.query(text, [owner.id]))
      for (const member of members) await enter(plan, member)
      return plan
    },
    enter,
    grownOld: ({ accessToken }) => signedInBy(server, accessToken, 'password', 601),
  }
}

export const asking =
  (call: Call): Ask =>
  async (service, body, token) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const answer = await call({ path: `/${service}`, headers, body: JSON.stringify(body) })
    return { status: answer.status, body: await answer.json() }
  }

/** Returns every row of every table, as text. */
export async function dump(db: Database): Promise<string> {
  const tables = await columnOf(
    db.query(`select format('%I.%I', schemaname, tablename) from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`),
  )
  const rows = await Promise.all(tables.map((name) => columnOf(db.query(`select t::text from ${name} as t`))))
  return rows.flat().join('\n')
}

/** Returns a text unchanged, in base64 (at each of three offsets), and in hex. */
export function shapesOf(secret: string): string[] {
  const inBase64 = [0, 1, 2].map((before) =>
    Buffer.from(' '.repeat(before) + secret)
      .toString('base64')
      .slice(4, -4),
  )
  return [secret, ...inBase64, Buffer.from(secret).toString('hex')]
}
