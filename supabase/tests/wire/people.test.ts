// Profiles and the members of a plan as a browser speaks of them: supabase-js over the real server.
import { describe, expect, test } from 'vitest'
import { newClient, type TestUser } from '../../../server/test/harness.ts'
import { DENIED } from '../people.ts'
import { join, openSite, share } from './site.ts'

const { server, olivia, marc, nina, zoe } = await openSite({
  olivia: null,
  marc: null,
  nina: null,
  zoe: null,
})

describe('profiles', () => {
  const forget = (person: TestUser) =>
    server.db.query('delete from public.user_profiles where user_id = $1', [person.id])
  const ownOf = (person: TestUser, id = person.id) =>
    person.client
      .from('user_profiles')
      .select('user_id, display_name, avatar_url, updated_at, ...user_details(full_name, phone_number)')
      .eq('user_id', id)
      .maybeSingle<Record<string, string | null>>()

  test('are read by a user_id or a list of them, name and picture', async () => {
    const look = () => zoe.client.from('user_profiles').select('avatar_url, display_name')
    const appears = (display_name: string) => ({ avatar_url: null, display_name })
    expect((await look().eq('user_id', marc.id).single()).data).toEqual(appears('marc'))
    const some = await look().in('user_id', [olivia.id, marc.id]).order('display_name')
    expect(some.data).toEqual([appears('marc'), appears('olivia')])
    const visitor = newClient(server).from('user_profiles').select('avatar_url, display_name')
    expect((await visitor.eq('user_id', marc.id)).error).toMatchObject(DENIED)
  })

  test('are inserted and updated by their person, in each of their columns', async () => {
    await forget(zoe)
    expect(await ownOf(zoe)).toMatchObject({ status: 200, data: null, error: null })
    const first = {
      user_id: zoe.id,
      display_name: 'Zoe',
      full_name: 'Zoe Day',
      avatar_url: '/avatars/avatar-1.png',
    }
    await zoe.client.from('user_profiles').insert(first).throwOnError()
    const whole = { updated_at: expect.any(String) }
    const { data: made } = await ownOf(zoe).throwOnError()
    expect(made).toEqual({ ...first, ...whole, phone_number: null })

    const change = {
      display_name: 'Zo',
      full_name: 'Zoe Dawn Day',
      phone_number: '+4930123456',
      avatar_url: '/avatars/avatar-3.png',
    }
    const update = (person: TestUser) =>
      person.client
        .from('user_profiles')
        .update({ ...change, updated_at: '2001-01-01T00:00:00Z' })
        .eq('user_id', zoe.id)
    expect(await update(marc).select('user_id')).toMatchObject({ status: 200, data: [] })
    expect((await ownOf(zoe).throwOnError()).data).toEqual(made)
    await update(zoe).throwOnError()
    const { data: changed } = await ownOf(zoe).throwOnError()
    expect(changed).toEqual({ ...made, ...change, updated_at: expect.any(String) })
    expect(Date.parse(changed?.updated_at ?? '')).toBeGreaterThan(Date.parse(made?.updated_at ?? ''))
    expect((await ownOf(marc, zoe.id)).data).toMatchObject({
      display_name: 'Zo',
      full_name: null,
      phone_number: null,
    })
  })

  test('are inserted for nobody else', async () => {
    await forget(zoe)
    const forged = { user_id: zoe.id, display_name: 'Mallory' }
    const { error } = await marc.client.from('user_profiles').insert(forged)
    expect(error).toMatchObject(DENIED)
    const anonymous = await newClient(server).from('user_profiles').insert(forged)
    expect(anonymous.error).toMatchObject(DENIED)
    expect((await ownOf(zoe)).data).toBeNull()
    await zoe.client.from('user_profiles').insert({ user_id: zoe.id, display_name: 'Zoe' }).throwOnError()
  })
})

describe('the members of a plan', () => {
  const seated = async (planId: string) => {
    const read = olivia.client.from('subscription_members').select('user_id, is_owner')
    return (await read.eq('subscription_id', planId).order('joined_at').throwOnError()).data
  }
  const remove = (who: Pick<TestUser, 'client'>, planId: string, member: TestUser) =>
    who.client
      .from('subscription_members')
      .delete()
      .eq('subscription_id', planId)
      .eq('user_id', member.id)
      .select('user_id')

  test('begin with the owner’s row, and go by subscription_id and user_id, leaving or removed', async () => {
    const planId = await share(olivia)
    const owner = { user_id: olivia.id, is_owner: true }
    expect(await seated(planId)).toEqual([owner])
    await join(olivia, marc, planId)
    await join(olivia, nina, planId)
    const member = ({ id }: TestUser) => ({ user_id: id, is_owner: false })
    expect(await seated(planId)).toEqual([owner, member(marc), member(nina)])

    for (const [person, other] of [
      [zoe, marc],
      [marc, nina],
      [marc, olivia],
      [olivia, olivia],
    ] as const)
      expect((await remove(person, planId, other)).data).toEqual([])
    expect((await remove({ client: newClient(server) }, planId, marc)).error).toMatchObject(DENIED)
    const forged = { subscription_id: planId, user_id: zoe.id, name: 'Zoe', email: zoe.email, is_owner: true }
    const { error } = await zoe.client.from('subscription_members').insert(forged)
    expect(error).toMatchObject(DENIED)
    expect(await seated(planId)).toHaveLength(3)

    expect((await remove(marc, planId, marc)).data).toEqual([{ user_id: marc.id }])
    expect(await seated(planId)).toEqual([owner, member(nina)])
    expect((await remove(olivia, planId, nina)).data).toEqual([{ user_id: nina.id }])
    expect(await seated(planId)).toEqual([owner])
  })
})
