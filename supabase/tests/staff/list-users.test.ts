// Proves ADMIN 04 25 26, API 21
import { describe, expect, test } from 'vitest'
import { denied, expectRefusal, single } from '../answers.ts'
import { type Asker, addPerson, addStaff, ownDatabase, type Person } from '../people.ts'

interface Listed extends Record<string, unknown> {
  id: string
  display_name: string
  created_at: string
}

const { db, sql } = await ownDatabase()
const sofia = await addStaff(db, 'Sofia', 'super-admin')
const ada = await addStaff(db, 'Ada', 'admin')
const mona = await addStaff(db, 'Mona', 'moderator')
const zoe = await addPerson(db, 'Zoe')

const list = (person: Asker, args = '', values: unknown[] = []) =>
  person.run<Listed>(`select *, created_at::text from list_users(${args})`, values as string[])
const find = async (search: string) => (await list(sofia, '$1', [search])).map((user) => user.display_name)
/** Returns the name in the list, which must equal the name on the person's page. */
const nameOf = async (id: string) => {
  const listed = (await list(sofia)).find((user) => user.id === id)?.display_name
  expect(await single(mona.sql`select get_staff_person(${id}) ->> 'name'`)).toBe(listed)
  return listed
}

describe('list_users', () => {
  test('gives accounts, roles and profiles as one list, newest first', async () => {
    await sql`update user_profiles set avatar_url = '/avatars/pot.svg' where user_id = ${zoe.id}`
    await sql`update auth.users set created_at = '2026-03-02T10:00:00Z' where id = ${zoe.id}`
    await sql`update auth.users set created_at = '2026-03-04T10:00:00Z' where id = ${mona.id}`
    const listed = (
      { id, name: display_name, email }: Person,
      role: string | null,
      avatar_url: string | null,
    ) => ({
      ...{ id, display_name, email, role, avatar_url },
    })
    const mine = (await list(sofia)).filter(({ id }) => [zoe.id, mona.id].includes(id))
    expect(mine).toMatchObject([listed(mona, 'moderator', null), listed(zoe, null, '/avatars/pot.svg')])
    expect(mine.map(({ created_at }) => new Date(created_at).toISOString())).toEqual([
      '2026-03-04T10:00:00.000Z',
      '2026-03-02T10:00:00.000Z',
    ])
  })

  test('keeps the addresses from moderators', async () => {
    const addresses = async (person: Person) => (await list(person)).map(({ email }) => email)
    expect(await addresses(mona)).toEqual((await list(mona)).map(() => null))
    expect(await addresses(ada)).toContain(zoe.email)
    expect(await addresses(sofia)).toContain(zoe.email)
    await expectRefusal(list(zoe), denied('Only staff sees who has an account'))
  })

  test('falls back, with or without a profile, to the part of the address before the at-sign, then to "Unknown"', async () => {
    const lea = await addPerson(db, 'Lea')
    const beforeTheAt = lea.email.split('@')[0]
    await sql`update user_profiles set display_name = null where user_id = ${lea.id}`
    expect(await nameOf(lea.id)).toBe(beforeTheAt)
    await sql`delete from user_profiles where user_id = ${lea.id}`
    expect(await nameOf(lea.id)).toBe(beforeTheAt)
    await sql`update auth.users set email = null where id = ${lea.id}`
    expect(await nameOf(lea.id)).toBe('Unknown')
    expect(await find('unknown')).toEqual(['Unknown'])
  })

  test('finds people by a part of the name, in any case, and by nothing else', async () => {
    await addPerson(db, 'Ümit Öz_100%')
    for (const part of [' öz_1 ', '%', '_']) expect(await find(part)).toEqual(['Ümit Öz_100%'])
    for (const other of ['potluck.example', 'super-admin']) expect(await find(other)).toEqual([])
    expect((await list(sofia, 'null')).length).toBe((await list(sofia)).length)
  })

  test('leaves out accounts that have ended', async () => {
    const gone = await addPerson(db, 'Gone Girl')
    expect(await find('gone')).toEqual(['Gone Girl'])
    await sql`update auth.users set deleted_at = now() where id = ${gone.id}`
    expect(await find('gone')).toEqual([])
  })

  test('goes on where a page ended, without a gap or a repetition, 100 at most', async () => {
    await sql`insert into auth.users (email, raw_user_meta_data, created_at)
       select 'many' || n || '@potluck.example', jsonb_build_object('name', 'Many ' || n),
         '2025-01-01'::timestamptz + make_interval(hours => n / 3)
       from generate_series(1, 130) as n`
    const seen: string[] = []
    for (let page = await list(sofia, `'many'`); page.length > 0; ) {
      expect(page.length).toBeLessThanOrEqual(25)
      seen.push(...page.map(({ id }) => id))
      const last = page.at(-1)
      page = await list(sofia, `'many', 25, $1, $2`, [last?.created_at, last?.id])
    }
    expect(seen).toHaveLength(130)
    expect(new Set(seen).size).toBe(130)
    expect(await list(sofia, `'many', 500`)).toHaveLength(100)
    expect(await list(sofia, `'many', -1`)).toHaveLength(1)
  })
})
