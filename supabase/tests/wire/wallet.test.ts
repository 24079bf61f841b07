// Coins as a browser speaks of them: supabase-js over the real server.

import { expect, test } from 'vitest'
import { eventually } from '../../../server/test/eventually.ts'
import type { TestUser } from '../../../server/test/harness.ts'
import { addBankAccount } from '../bank-accounts.ts'
import { type CoinType, moveCoins } from '../coins.ts'
import { DENIED } from '../people.ts'
import { listen } from './listening.ts'
import { openSite } from './site.ts'

const { server, ada, olivia, zoe } = await openSite({ ada: 'admin', olivia: null, zoe: null })

const move = (person: TestUser, type: CoinType, coins: string, description: string) =>
  moveCoins(server.db, person, type, coins, description)
const ask = ({ client, id }: TestUser, amount: number, user_id = id) =>
  client.from('withdrawal_requests').insert({ user_id, amount }).select('id').single()
const MOMENT = expect.stringMatching(/^20\d\d-\d\d-\d\dT/)

test('are opened, read newest first and asked for', async () => {
  const { data: none } = await olivia.client.from('user_wallets').select('*').eq('user_id', olivia.id)
  expect(none).toEqual([])
  const zeros = { coin_balance: 0, total_earned: 0, total_withdrawn: 0 }
  const { data: opened } = await olivia.client.rpc('open_own_wallet').throwOnError()
  expect(opened).toEqual({ user_id: olivia.id, ...zeros, created_at: MOMENT, updated_at: MOMENT })
  await move(olivia, 'earned', '50.5', 'First')
  await move(olivia, 'spent', '0.5', 'Second')
  await move(ada, 'earned', '30', 'Of an admin')
  await addBankAccount(server.db, olivia)
  const { data: first } = await ask(olivia, 20.5).throwOnError()
  const { data: second } = await ask(olivia, 20).throwOnError()
  expect((await ask(zoe, 20, olivia.id)).error).toMatchObject(DENIED)

  for (const reader of [olivia, ada]) {
    const of = (table: 'user_wallets' | 'coin_transactions' | 'withdrawal_requests') =>
      reader.client.from(table).select('*').eq('user_id', olivia.id)
    const { data: wallet } = await of('user_wallets').single().throwOnError()
    expect(wallet).toEqual({ ...opened, coin_balance: 50, total_earned: 50.5, updated_at: MOMENT })
    const { data: moves } = await of('coin_transactions').order('created_at', { ascending: false }).limit(50)
    const of_olivia = { id: expect.any(String), user_id: olivia.id, created_at: MOMENT, created_by: null }
    expect(moves).toEqual([
      { ...of_olivia, transaction_type: 'spent', amount: 0.5, description: 'Second' },
      { ...of_olivia, transaction_type: 'earned', amount: 50.5, description: 'First' },
    ])
    const { data: asked } = await of('withdrawal_requests').order('requested_at', { ascending: false })
    const waiting = {
      ...{
        user_id: olivia.id,
        status: 'pending',
        requested_at: MOMENT,
        processed_at: null,
        completed_at: null,
      },
      ...{ rejection_reason: null, stripe_transfer_id: null, bank_account_last4: '3000' },
      ...{ processed_by: null, completed_by: null },
      ...{
        bank_account_id: expect.any(String),
        closes_account: false,
        returned_at: null,
        returned_by: null,
        return_reason: null,
      },
    }
    expect(asked).toEqual([
      { ...waiting, id: second.id, amount: 20 },
      { ...waiting, id: first.id, amount: 20.5 },
    ])
  }
  for (const table of ['user_wallets', 'coin_transactions', 'withdrawal_requests'] as const)
    expect((await zoe.client.from(table).select('*').eq('user_id', olivia.id)).data).toEqual([])
})

test('every change reaches the one it is about, filtered by user', async () => {
  const tables = (user: TestUser) =>
    ['user_wallets', 'coin_transactions', 'withdrawal_requests'].map((table) => ({
      table,
      filter: `user_id=eq.${user.id}`,
    }))
  const own = await listen(olivia, tables(olivia))
  // May see the coins of everybody, and asks for their own alone.
  const admins = await listen(ada, tables(ada))
  const strange = await listen(zoe, tables(olivia))
  await move(olivia, 'earned', '25', 'Third')
  const { data: asked } = await ask(olivia, 25).throwOnError()
  const rejected = { status: 'rejected', rejection_reason: 'Unknown account' } as const
  await ada.client.from('withdrawal_requests').update(rejected).eq('id', asked.id).throwOnError()
  const heard = () => own.map(({ table, type }) => `${type} ${table}`).sort()
  await eventually(() =>
    expect(heard()).toEqual([
      'INSERT coin_transactions',
      'INSERT withdrawal_requests',
      'UPDATE user_wallets',
      'UPDATE withdrawal_requests',
    ]),
  )
  expect(own.every(({ row }) => row.user_id === olivia.id)).toBe(true)
  await move(ada, 'earned', '1', 'The end')
  await eventually(() => expect(admins).toHaveLength(2))
  expect(admins.every(({ row }) => row.user_id === ada.id)).toBe(true)
  expect(strange).toEqual([])
})
