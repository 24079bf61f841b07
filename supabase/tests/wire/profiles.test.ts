// Profiles as the web app and people's programs read and write them: a person's own in full, those of others without
// the private part.
// Proves PROFILE 02, DATA 08, API 13 34
import { expect, test } from 'vitest'
import { newClient, type TestUser } from '../../../server/test/harness.ts'
import { openSite, share } from './site.ts'

const { server, olivia, marc, zoe, ada, mona } = await openSite({
  ...{ olivia: null, marc: null, zoe: null },
  ...{ ada: 'admin', mona: 'moderator' },
})
const MOMENT = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/)
const COLUMNS = 'user_id, display_name, full_name, phone_number, avatar_url, updated_at'
type Profile = Record<string, string | null>
/** Returns Zoe's profile, as this person reads it. */
const readBy = async ({ client }: Pick<TestUser, 'client'>, columns = '*') => {
  const asked = client.from('user_profiles').select(columns).eq('user_id', zoe.id)
  return (await asked.maybeSingle<Profile>().throwOnError()).data
}

test('profiles are read by a user_id or a list of them, name and picture', async () => {
  const look = () => zoe.client.from('user_profiles').select('avatar_url, display_name')
  const appears = (display_name: string) => ({ avatar_url: null, display_name })
  expect((await look().eq('user_id', marc.id).single()).data).toEqual(appears('marc'))
  const some = await look().in('user_id', [olivia.id, marc.id]).order('display_name')
  expect(some.data).toEqual([appears('marc'), appears('olivia')])
})

test('profiles are inserted and updated by their person, in each of their columns', async () => {
  await server.db.query('delete from private.user_profiles where user_id = $1', [zoe.id])
  expect(await readBy(zoe)).toBeNull()
  const first = {
    ...{ user_id: zoe.id, display_name: 'Zoe', full_name: 'Zoe Day' },
    avatar_url: '/avatars/avatar-1.png',
  }
  const inserted = await zoe.client.from('user_profiles').insert(first).select().single<Profile>()
  const dated = { created_at: MOMENT, updated_at: MOMENT }
  const unset = { phone_number: null, language: null, name_unconfirmed: false, is_guest: false }
  expect(inserted.data).toEqual({ ...first, ...unset, ...dated })
  expect(await readBy(zoe)).toEqual(inserted.data)
  expect((await zoe.client.from('user_profiles').insert(first)).error?.code).toBe('23505')

  const change = {
    ...{ display_name: 'Zo', full_name: 'Zoe Dawn Day', phone_number: '030 123456, evenings' },
    avatar_url: '/avatars/avatar-3.png',
  }
  const update = (person: TestUser, columns: Record<string, string>) =>
    person.client.from('user_profiles').update(columns).eq('user_id', zoe.id)
  const sent = { ...change, updated_at: '2001-01-01T00:00:00Z' }
  expect(await update(marc, sent).select('user_id')).toMatchObject({ status: 200, data: [] })
  const answer = await update(zoe, sent).select(COLUMNS).single<Profile>()
  const own = { user_id: zoe.id, ...change, updated_at: MOMENT }
  expect(answer.data).toEqual(own)
  expect(Date.parse(answer.data?.updated_at ?? '')).toBeGreaterThan(
    Date.parse(inserted.data?.updated_at ?? ''),
  )
  // An update of one column leaves the others unchanged.
  await update(zoe, { language: 'de' }).throwOnError()
  expect(await readBy(zoe, COLUMNS)).toEqual(own)
  expect(await readBy(zoe)).toEqual({
    ...own,
    ...dated,
    language: 'de',
    name_unconfirmed: false,
    is_guest: false,
  })
})

test('profiles show others what everybody sees, and null for the rest, however they ask', async () => {
  const secret = { full_name: 'Zoe Dawn Day', phone_number: '+4930123456', language: 'de' }
  await zoe.client
    .from('user_profiles')
    .update({ ...secret, display_name: 'Zo' })
    .eq('user_id', zoe.id)
    .throwOnError()
  const hidden = { full_name: null, phone_number: null, language: null, name_unconfirmed: null }
  const always = { created_at: MOMENT, updated_at: MOMENT, is_guest: false }
  const shown = { user_id: zoe.id, display_name: 'Zo', avatar_url: '/avatars/avatar-3.png' }
  // Ada, an admin, reads details of people she pays; Zoe has never asked for a payout.
  for (const other of [marc, mona, ada]) {
    expect(await readBy(other)).toEqual({ ...shown, ...hidden, ...always })
    expect(await readBy(other, COLUMNS)).toMatchObject({ ...shown, full_name: null, phone_number: null })
    for (const [column, value] of Object.entries(secret)) {
      const found = other.client.from('user_profiles').select('user_id').eq('user_id', zoe.id)
      expect((await found.eq(column, value)).data).toEqual([])
    }
  }
  expect((await newClient(server).from('user_profiles').select('user_id')).error?.code).toBe('42501')
  expect(await readBy({ client: newClient(server, server.serviceKey) })).toMatchObject({
    ...shown,
    ...secret,
  })
})

test('profiles are embedded by the name of a foreign key, by its column or alone, and embed in turn', async () => {
  const planId = await share(zoe)
  const plans = ({ client }: TestUser) =>
    client
      .from('shared_subscriptions')
      .select(
        `named:user_profiles!shared_subscriptions_owner_id_fkey(display_name, full_name, wish:payment_wishes(user_id)),
         of:user_profiles!owner_id(phone_number)`,
      )
      .eq('id', planId)
      .single()
      .throwOnError()
  const of = { phone_number: '+4930123456' }
  const named = { display_name: 'Zo', full_name: 'Zoe Dawn Day', wish: null }
  expect((await plans(zoe)).data).toEqual({ named, of })
  expect((await plans(marc)).data).toEqual({
    ...{ named: { ...named, full_name: null }, of: { phone_number: null } },
  })
  const members = zoe.client
    .from('subscription_members')
    .select('is_owner, profile:user_profiles!inner(display_name)')
    .eq('subscription_id', planId)
    .ilike('profile.display_name', 'zO')
  expect((await members.throwOnError()).data).toEqual([{ is_owner: true, profile: { display_name: 'Zo' } }])
})
