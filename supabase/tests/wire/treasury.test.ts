// Everybody's coins as an admin's browser asks for them: supabase-js over the real server.

import { beforeAll, describe, expect, test } from 'vitest'
import type { TestUser } from '../../../server/test/harness.ts'
import { addBankAccount } from '../bank-accounts.ts'
import { type CoinType, moveCoins } from '../coins.ts'
import { denied } from '../people.ts'
import { openSite } from './site.ts'

const { server, ada, anton, mona, olivia, marc } = await openSite({
  ada: 'admin',
  anton: 'admin',
  mona: 'moderator',
  olivia: null,
  marc: null,
})
const move = (person: TestUser, type: CoinType, amount: number, description: string, hoursAgo = 0) =>
  moveCoins(server.db, person, type, amount, description).then((id) =>
    server.db.query(
      'update coin_transactions set created_at = now() - make_interval(hours => $2) where id = $1',
      [id, String(hoursAgo)],
    ),
  )
beforeAll(async () => {
  await move(olivia, 'earned', 40, 'Netflix: a share', 30)
  await move(marc, 'earned', 60.5, 'Spotify: a share', 2)
  await move(marc, 'spent', 0.5, 'A netflix month', 1)
  for (const person of [olivia, marc]) await addBankAccount(server.db, person, { last4: '4242' })
})

describe('withdrawal_requests', () => {
  test('are asked for by their owner, and read and updated by admins with the profile joined', async () => {
    const asked = olivia.client.from('withdrawal_requests').insert({ user_id: olivia.id, amount: 20.5 })
    const { data: request } = await asked.select('id').single().throwOnError()
    await marc.client.from('withdrawal_requests').insert({ user_id: marc.id, amount: 30 }).throwOnError()
    const update = (person: TestUser, change: object) =>
      person.client.from('withdrawal_requests').update(change).eq('id', request.id).select('*')
    const now = new Date().toISOString()
    const start = {
      status: 'processing',
      processed_at: now,
      stripe_transfer_id: 'tr_1',
      bank_account_last4: '4242',
    }
    expect((await update(mona, start)).data).toEqual([])
    expect((await update(ada, start)).data).toMatchObject([
      { ...start, processed_at: expect.any(String), completed_at: null, rejection_reason: null },
    ])
    const finish = { status: 'completed', completed_at: now }
    expect((await update(ada, finish)).error).toMatchObject(
      denied('Another admin completes what you approved'),
    )
    expect((await update(anton, finish)).data).toMatchObject([
      { status: 'completed', completed_at: expect.any(String), stripe_transfer_id: 'tr_1' },
    ])
    await olivia.client
      .from('user_profiles')
      .update({ full_name: 'Olivia Owner' })
      .eq('user_id', olivia.id)
      .throwOnError()
    const list = (person: TestUser) =>
      person.client
        .from('withdrawal_requests')
        .select('*, profile:user_profiles(display_name, ...user_details(full_name))')
        .order('requested_at', { ascending: false })
    expect((await list(ada)).data).toMatchObject([
      { user_id: marc.id, amount: 30, status: 'pending', profile: { display_name: 'marc', full_name: null } },
      {
        user_id: olivia.id,
        amount: 20.5,
        status: 'completed',
        profile: { display_name: 'olivia', full_name: 'Olivia Owner' },
      },
    ])
    expect((await list(mona)).data).toEqual([])
    const figures = await ada.client.from('withdrawal_requests').select('status, amount').order('amount')
    expect(figures.data).toEqual([
      { status: 'completed', amount: 20.5 },
      { status: 'pending', amount: 30 },
    ])
    const { data: pending } = await ada.client
      .from('withdrawal_requests')
      .update({ status: 'rejected', processed_at: now, rejection_reason: 'Unknown account' })
      .eq('user_id', marc.id)
      .select('status, rejection_reason')
    expect(pending).toEqual([{ status: 'rejected', rejection_reason: 'Unknown account' }])
  })
})

describe('user_wallets', () => {
  test('are read by admins with the profile joined, highest balance first, filtered by display name', async () => {
    const list = (person: TestUser, name = '%') =>
      person.client
        .from('user_wallets')
        .select('coin_balance, total_earned, total_withdrawn, profile:user_profiles!inner(display_name)')
        .ilike('profile.display_name', name)
        .order('coin_balance', { ascending: false })
    expect((await list(ada)).data).toMatchObject([
      { coin_balance: 60, profile: { display_name: 'marc' } },
      { coin_balance: 19.5, profile: { display_name: 'olivia' } },
    ])
    expect((await list(ada, '%LIV%')).data).toMatchObject([{ profile: { display_name: 'olivia' } }])
    expect((await list(mona)).data).toEqual([])
  })

  test('change by one function, while direct writes to both tables are refused', async () => {
    const direct = await ada.client.from('user_wallets').update({ coin_balance: 1 }).eq('user_id', marc.id)
    expect(direct.error?.code).toBe('42501')
    const inserted = await ada.client.from('coin_transactions').insert({
      user_id: marc.id,
      transaction_type: 'earned',
      amount: 5,
      description: 'Admin adjustment: a gift',
    })
    expect(inserted.error?.code).toBe('42501')
    const adjust = (person: TestUser) =>
      person.client.rpc('adjust_wallet', { p_user_id: marc.id, p_amount: -1.25, p_reason: 'Counted twice' })
    expect((await adjust(mona)).error).toMatchObject(denied('Only an admin can do this'))
    expect((await adjust(ada)).data).toMatchObject({
      user_id: marc.id,
      transaction_type: 'spent',
      amount: 1.25,
      description: 'Admin adjustment: Counted twice',
    })
    const { data } = await ada.client.from('user_wallets').select('coin_balance').eq('user_id', marc.id)
    expect(data).toEqual([{ coin_balance: 58.75 }])
  })
})

test('coin_transactions are read by admins with the profile joined, newest first, filtered by time, type and text', async () => {
  const list = (person: TestUser, hours: number) =>
    person.client
      .from('coin_transactions')
      .select('transaction_type, amount, created_at, description, profile:user_profiles(display_name)')
      .gte('created_at', new Date(Date.now() - hours * 3_600_000).toISOString())
      .order('created_at', { ascending: false })
      .limit(100)
  const found = (answer: { data: { description: string }[] | null }) =>
    answer.data?.map(({ description }) => description)
  expect(found(await list(ada, 48).ilike('description', '%netflix%'))).toEqual([
    'A netflix month',
    'Netflix: a share',
  ])
  expect(found(await list(ada, 24).ilike('description', '%netflix%'))).toEqual(['A netflix month'])
  expect((await list(ada, 48).eq('transaction_type', 'earned')).data).toMatchObject([
    { amount: 60.5, profile: { display_name: 'marc' } },
    { amount: 40, profile: { display_name: 'olivia' } },
  ])
  expect((await list(mona, 48)).data).toEqual([])
})
