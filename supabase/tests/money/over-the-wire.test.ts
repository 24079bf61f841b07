// Coins as browsers query them: supabase-js over the real server, with its joins, filters, orders and live changes.
// Proves WALLET 05 16 17, DATA 17-19, API 19 22-24 35 37 55
import { beforeAll, expect, test } from 'vitest'
import { eventually } from '../../../server/test/eventually.ts'
import type { TestUser } from '../../../server/test/harness.ts'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import { listen } from '../wire/listening.ts'
import { openSite } from '../wire/site.ts'

const { server, ada, mona, olivia, marc } = await openSite({
  ...{ ada: 'admin', mona: 'moderator', olivia: null, marc: null },
})
const move = async (
  person: TestUser,
  type: 'earned' | 'spent',
  amount: number,
  what: string,
  hoursAgo = 0,
) => {
  const id = await moveCoins(server.db, person, type, amount, what)
  const back = 'update coin_transactions set created_at = now() - make_interval(hours => $2) where id = $1'
  await server.db.query(back, [id, String(hoursAgo)])
}
const ask = ({ client, id: user_id }: TestUser, amount: number) =>
  client.from('withdrawal_requests').insert({ user_id, amount }).select('id').single()
beforeAll(async () => {
  await move(olivia, 'earned', 40, 'Netflix: a share', 30)
  await move(marc, 'earned', 60.5, 'Spotify: a share', 2)
  await move(marc, 'spent', 0.5, 'A netflix month', 1)
  for (const person of [olivia, marc]) await addBankAccount(server.db, person)
})
const MOMENT = expect.stringMatching(/^20\d\d-\d\d-\d\dT/)
const found = ({ data }: { data: { description: string }[] | null }) =>
  data?.map(({ description }) => description)

test('a wallet is opened; people read their own rows, admins those of everybody, with their types', async () => {
  const { data: opened } = await mona.client.rpc('open_own_wallet').throwOnError()
  const zeros = { coin_balance: 0, total_earned: 0, total_withdrawn: 0 }
  expect(opened).toEqual({ user_id: mona.id, ...zeros, created_at: MOMENT, updated_at: MOMENT })
  const { data: asked } = await ask(marc, 20.5).throwOnError()
  const of = ({ client }: TestUser, table: 'user_wallets' | 'coin_transactions' | 'withdrawal_requests') =>
    client.from(table).select('*').eq('user_id', marc.id)
  for (const reader of [marc, ada]) {
    expect((await of(reader, 'user_wallets')).data).toMatchObject([{ coin_balance: 60, total_earned: 60.5 }])
    const { data } = await of(reader, 'coin_transactions').order('created_at', { ascending: false }).limit(50)
    const row = { id: expect.any(String), user_id: marc.id, created_at: MOMENT, created_by: null }
    expect(data).toEqual([
      { ...row, transaction_type: 'spent', amount: 0.5, description: 'A netflix month' },
      { ...row, transaction_type: 'earned', amount: 60.5, description: 'Spotify: a share' },
    ])
    expect((await of(reader, 'withdrawal_requests')).data).toMatchObject([
      { id: asked.id, amount: 20.5, status: 'pending', requested_at: MOMENT, processed_at: null },
    ])
  }
  for (const stranger of [olivia, mona])
    for (const table of ['user_wallets', 'coin_transactions', 'withdrawal_requests'] as const)
      expect((await of(stranger, table)).data).toEqual([])
})

test('admins join profiles, order, filter, decide and adjust', async () => {
  await olivia.client.from('user_profiles').update({ full_name: 'Olivia Owner' }).eq('user_id', olivia.id)
  const { data: asked } = await ask(olivia, 20).throwOnError()
  const wallets = (name: string) =>
    ada.client
      .from('user_wallets')
      .select('coin_balance, profile:user_profiles!inner(display_name)')
      .ilike('profile.display_name', name)
      .order('coin_balance', { ascending: false })
  const richest = { coin_balance: 60, profile: { display_name: 'marc' } }
  const second = { coin_balance: 40, profile: { display_name: 'olivia' } }
  expect((await wallets('%')).data?.slice(0, 2)).toEqual([richest, second])
  expect((await wallets('%LIV%')).data).toEqual([second])

  const transactions = (hours: number) =>
    ada.client
      .from('coin_transactions')
      .select('description, amount, profile:user_profiles(display_name)')
      .gte('created_at', new Date(Date.now() - hours * 3_600_000).toISOString())
      .order('created_at', { ascending: false })
  const NETFLIX = ['A netflix month', 'Netflix: a share']
  expect(found(await transactions(48).ilike('description', '%netflix%'))).toEqual(NETFLIX)
  expect(found(await transactions(24).ilike('description', '%netflix%'))).toEqual(NETFLIX.slice(0, 1))
  expect((await transactions(24).eq('transaction_type', 'earned')).data).toMatchObject([
    { amount: 60.5, profile: { display_name: 'marc' } },
  ])

  const update = { status: 'processing', processed_at: new Date().toISOString(), stripe_transfer_id: 'tr_1' }
  expect(
    (await ada.client.from('withdrawal_requests').update(update).eq('id', asked.id).select('*')).data,
  ).toMatchObject([{ ...update, processed_at: MOMENT, processed_by: ada.id, completed_at: null }])
  const list = ada.client
    .from('withdrawal_requests')
    .select('amount, profile:user_profiles(display_name, full_name)')
  expect((await list.order('requested_at', { ascending: false })).data).toEqual([
    { amount: 20, profile: { display_name: 'olivia', full_name: 'Olivia Owner' } },
    { amount: 20.5, profile: { display_name: 'marc', full_name: null } },
  ])

  const adjustment = { p_user_id: marc.id, p_amount: -1.25, p_reason: 'Counted twice' }
  expect((await ada.client.rpc('adjust_wallet', adjustment)).data).toMatchObject({
    ...{ user_id: marc.id, transaction_type: 'spent', amount: 1.25 },
  })
})

test('every change reaches the one it is about, filtered by user', async () => {
  const tables = ({ id }: TestUser) =>
    ['user_wallets', 'coin_transactions', 'withdrawal_requests'].map((table) => ({
      ...{ table, filter: `user_id=eq.${id}` },
    }))
  const own = await listen(olivia, tables(olivia))
  // Ada may see everybody's coins, but only her own requests.
  const admins = await listen(ada, tables(ada))
  const strange = await listen(marc, tables(olivia))
  await move(ada, 'earned', 1, 'A start')
  await moveCoins(server.db, olivia, 'earned', 25, 'Third')
  const { data: asked } = await ask(olivia, 25).throwOnError()
  const rejected = { status: 'rejected', rejection_reason: 'Unknown account' } as const
  await ada.client.from('withdrawal_requests').update(rejected).eq('id', asked.id).throwOnError()
  await eventually(() =>
    expect(own.map(({ table, type }) => `${type} ${table}`).sort()).toEqual([
      'INSERT coin_transactions',
      'INSERT withdrawal_requests',
      'UPDATE user_wallets',
      'UPDATE withdrawal_requests',
    ]),
  )
  await moveCoins(server.db, ada, 'earned', 1, 'The end')
  await eventually(() => expect(admins.map(({ row }) => row.description)).toContain('The end'))
  for (const [heard, { id }] of [
    [own, olivia],
    [admins, ada],
  ] as const)
    expect(heard.filter(({ row }) => row.user_id !== id)).toEqual([])
  expect(strange).toEqual([])
})
