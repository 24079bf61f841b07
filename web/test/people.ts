// Accounts for the screen tests: a new one for each test, including staff.
import { addUser, type TestServer, type TestUser } from '@potluck/server/test/harness.ts'
import type { SupabaseClient } from '@supabase/supabase-js'
import { TOTP } from 'otpauth'
import { expect } from 'vitest'

let people = 0

/**
 * Creates a person of age with a unique name, who shares as a private person: `newPerson(server, 'ada')` is called ada7, with
 * the email address ada7@new.example.
 */
export async function newPerson(server: TestServer, name: string): Promise<TestUser> {
  people += 1
  const person = await addUser(server, `${name}${people}@new.example`)
  await server.db.query('insert into private.sellers (user_id, is_trader) values ($1, false)', [person.id])
  await server.db.query('update private.user_details set of_age_at = now() where user_id = $1', [person.id])
  return person
}

/** Returns a person's name: in these tests, the part of the email address before the @. */
export const nameOf = ({ email }: { email: string }): string => email.split('@')[0] ?? ''

/** Gives a person a role on the site, in place of an earlier one. */
export async function grant({ db }: TestServer, { id }: { id: string }, role: string): Promise<void> {
  await db.query(
    `insert into user_roles (user_id, role) values ($1, $2)
     on conflict (user_id) do update set role = excluded.role`,
    [id, role],
  )
}

/** Creates a person with a role on the site. */
export async function addStaff(server: TestServer, name: string, role: string): Promise<TestUser> {
  const person = await newPerson(server, name)
  await grant(server, person, role)
  return person
}

/** The link in a mail of the auth service: to a page of this site, with parameters behind the #. */
export const mailedLink = (text = ''): string => /https?:\/\/\S+\/auth-redirect#\S+/.exec(text)?.[0] ?? ''

/** The parameters of a mailed link. */
export const carriedBy = (link: string) => new URLSearchParams(new URL(link).hash.slice(1))

/** Adds an authenticator app, as the security settings do. */
export async function setUpApp({ auth: { mfa } }: SupabaseClient) {
  const { data } = await mfa.enroll({ factorType: 'totp', friendlyName: 'Authenticator app' })
  if (data?.type !== 'totp') throw new Error('No app was added')
  const code = new TOTP({ secret: data.totp.secret }).generate()
  expect((await mfa.challengeAndVerify({ factorId: data.id, code })).error).toBeNull()
}
