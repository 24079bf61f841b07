// Accounts for the screens: a new one for each test, and staff among them.
import { addUser, type TestServer, type TestUser } from '@potluck/server/test/harness.ts'

let people = 0

/** Somebody nobody else is, who shares as a private person: `newPerson(server, 'ada')` is called ada7, at ada7@new.example. */
export async function newPerson(server: TestServer, name: string): Promise<TestUser> {
  people += 1
  const person = await addUser(server, `${name}${people}@new.example`)
  await server.db.query('insert into private.sellers (user_id, is_trader) values ($1, false)', [person.id])
  return person
}

/** What somebody is called: addresses give people their names here. */
export const nameOf = ({ email }: { email: string }): string => email.split('@')[0] ?? ''

/** Gives somebody a role on the site, in place of the one they had. */
export async function grant({ db }: TestServer, { id }: { id: string }, role: string): Promise<void> {
  await db.query(
    `insert into user_roles (user_id, role) values ($1, $2)
     on conflict (user_id) do update set role = excluded.role`,
    [id, role],
  )
}

/** Somebody new who works for the site. */
export async function addStaff(server: TestServer, name: string, role: string): Promise<TestUser> {
  const person = await newPerson(server, name)
  await grant(server, person, role)
  return person
}

/** The link of a mail of the auth service: a page of ours, with what it needs behind the #. */
export const mailedLink = (text = ''): string => /https?:\/\/\S+\/auth-redirect#\S+/.exec(text)?.[0] ?? ''

/** The fields of such a link. */
export const carriedBy = (link: string) => new URLSearchParams(new URL(link).hash.slice(1))
