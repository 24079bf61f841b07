// What counts as having just shown who one is, for accounts with different means to do so.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { moveCoins } from '../coins.ts'
import { hostedDatabase } from '../hosted/database.ts'
import { addPerson, calling, ownDatabase, type Person, refusalOf, signedInWith } from '../people.ts'

describe.each([
  ['ours', ownDatabase],
  ['of a hosted project', hostedDatabase],
])('in an auth schema that is %s', async (_whose, open) => {
  const { db, sql } = await open()

  const MEANS = {
    password: (id: string) => sql`update auth.users set encrypted_password = 'hash' where id = ${id}`,
    totp: (
      id: string,
    ) => sql`insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
    values (${randomUUID()}, ${id}, 'Phone', 'totp', 'verified', now(), now())`,
    'unverified totp': (id: string) =>
      sql`insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
    values (${randomUUID()}, ${id}, 'Begun', 'totp', 'unverified', now(), now())`,
    passkey: (id: string) => sql`insert into auth.webauthn_credentials (user_id, credential_id, public_key)
    values (${id}, ${randomUUID()}, 'key')`,
  }
  type Means = keyof typeof MEANS

  async function personWith(means: readonly Means[]): Promise<Person> {
    const person = await addPerson(db, 'Olivia')
    for (const one of means) await MEANS[one](person.id)
    return person
  }

  const UNPROVEN = { code: 'PT403', message: 'Please confirm that it is you.' }
  /** Ending the account asks for it first of all. */
  const end = (person: Person, methods: readonly string[], ago = 0) =>
    signedInWith(db, person, methods, ago).sql`select delete_own_account(true)`

  describe('who has just shown who they are', () => {
    const STRONG = ['totp', 'mfa/recovery_code', 'passkey', 'mfa/webauthn']
    const MAILED = ['otp', 'magiclink', 'recovery']
    test.each<[means: Means[], methods: string[], accepted: string[]]>([
      [[], ['email'], [...STRONG, 'password', ...MAILED]],
      [['password'], ['password'], [...STRONG, 'password']],
      [['unverified totp', 'password'], ['password'], [...STRONG, 'password']],
      [['totp'], ['totp'], STRONG],
      [['password', 'passkey'], ['passkey'], STRONG],
      [['password', 'passkey', 'totp'], ['passkey', 'totp'], STRONG],
    ])('with %j is asked for %j', async (means, methods, accepted) => {
      const person = await personWith(means)
      expect(await person.sql`select to_json(proof_methods()) as methods`).toEqual([{ methods }])
      // Coins keep the account where it is, so that whoever is let in is told of them.
      await moveCoins(db, person, 'earned', 25)
      const found: string[] = []
      for (const method of [...STRONG, 'password', ...MAILED, 'oauth', 'anonymous', 'sso/saml']) {
        const refusal = await refusalOf(end(person, [method]))
        if (refusal.code === '23514') found.push(method)
        else expect(refusal).toEqual(UNPROVEN)
      }
      expect(found).toEqual(accepted)
    })

    test('is who did so in the last ten minutes, not longer ago and not in time to come', async () => {
      const person = await personWith(['totp'])
      for (const ago of [605, 86_400, -60])
        expect(await refusalOf(end(person, ['totp'], ago))).toEqual(UNPROVEN)
      // An older one beside it, and the password that came before, change nothing.
      for (const strange of [
        [],
        'totp',
        { method: 'totp' },
        [{ method: 'totp', timestamp: 'now' }],
        [null, 7],
      ]) {
        const claims = { ...JSON.parse(person.caller.claims), amr: strange }
        const { code } = await refusalOf(
          calling(db, { ...person.caller, claims: JSON.stringify(claims) })
            .sql`select delete_own_account(true)`,
        )
        expect([strange, code]).toEqual([strange, 'PT403'])
      }
      expect(await sql`select id from auth.users where id = ${person.id}`).toHaveLength(1)
      await end(person, ['totp', 'password'], 590)
      expect(await sql`select id from auth.users where id = ${person.id}`).toEqual([])
    })
  })
})
