import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { addBankAccount } from '../../../supabase/tests/bank-accounts.ts'
import { type CoinType, moveCoins } from '../../../supabase/tests/coins.ts'
import { openApp, toasted } from '../app.tsx'
import { failNetwork, refuse, silenceLive } from '../network.ts'
import { newPeople, type People, takePayments } from '../sharing.ts'

const server = await testServer()
await takePayments(server)
let people: People

beforeEach(async () => {
  people = await newPeople(server)
})
const open = (address: string, person: TestUser) => openApp(server, address, { as: person })
const move = (person: TestUser, type: CoinType, coins: number, description = 'A share') =>
  moveCoins(server.db, person, type, coins, description)
const withdraw = async (person: TestUser, amount: number) => {
  await addBankAccount(server.db, person, { last4: '4821' })
  const asked = person.client.from('withdrawal_requests').insert({ user_id: person.id, amount })
  return (await asked.select('id').single().throwOnError()).data.id
}
const withdrawalsOf = async (person: TestUser) =>
  (await person.client.from('withdrawal_requests').select('amount, status').throwOnError()).data
const region = async (name: string) => within(await screen.findByRole('region', { name }))
const figure = async (label: string) => {
  const card = await region('Your wallet')
  return (await card.findByText(label)).nextElementSibling?.textContent
}
const lines = (name: string) =>
  within(screen.getByRole('list', { name }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

describe('my savings', () => {
  it('speaks of no coins where members pay owners directly, until there are some', async () => {
    await server.db.query('delete from private.payment_provider')
    onTestFinished(() => takePayments(server))
    await open('/my-savings', people.marc)
    await screen.findByRole('heading', { level: 2, name: 'Members pay owners directly here' })
    for (const hidden of ['Your wallet', 'How coins work'])
      expect(screen.queryByRole('region', { name: hidden })).toBeNull()
    expect(screen.queryByRole('tab')).toBeNull()
    await move(people.marc, 'earned', 5)
    await open('/my-savings', people.marc)
    await region('How coins work')
    expect(await figure('Coin balance')).toBe('5.00 coins')
  })

  it('begins with a wallet of zeros, loaded again where it could not be', async () => {
    const { zoe } = people
    const failure = refuse('GET rest/v1/user_wallets', '42501', 'permission denied', 403)
    const { user, at } = await open('/my-savings', zoe)
    await screen.findByText('Failed to load wallet data')
    failure.heal()
    await user.click((await region('Your wallet')).getByText('Retry'))
    for (const label of ['Coin balance', 'Available balance', 'Total earned', 'Total withdrawn'])
      expect(await figure(label)).toBe('0.00 coins')
    expect(
      await server.db.query(
        `select coin_balance, total_earned, total_withdrawn from user_wallets where user_id = $1`,
        [zoe.id],
      ),
    ).toEqual([{ coin_balance: '0.00', total_earned: '0.00', total_withdrawn: '0.00' }])
    const tabs = screen.getAllByRole('tab')
    expect(tabs.map(({ textContent, ariaSelected }) => [textContent, ariaSelected])).toEqual([
      ['Overview', 'true'],
      ['Transactions', 'false'],
      ['Withdrawals', 'false'],
    ])
    expect(screen.getByRole('button', { name: 'Withdraw coins' })).toHaveProperty('disabled', true)
    const how = await region('How coins work')
    expect(how.getByText('1 coin is 1 euro')).toBeTruthy()
    expect(how.getByText('Withdrawals are processed manually in 1-3 business days.')).toBeTruthy()
    await user.click(screen.getByText('Transactions'))
    await (await region('Transaction history')).findByText('No transactions yet')
    expect(screen.queryByLabelText('Your wallet')).toBeNull()
    expect(screen.getByText('Share a plan').closest('a')?.getAttribute('href')).toBe('/create')
    await user.click(screen.getByText('Withdrawals'))
    await (await region('Withdrawal history')).findByText('No withdrawals yet')
    expect(at()).toBe('/my-savings?tab=withdrawals')
  })

  it('lists the last 50 movements of my own coins, newest first, and my own withdrawals, to an admin too', async () => {
    const { olivia, zoe } = people
    await server.db.query(`insert into user_roles (user_id, role) values ($1, 'admin')`, [olivia.id])
    for (let n = 1; n <= 47; n += 1) await moveCoins(server.db, olivia, 'earned', 1, `Share ${n}`)
    await move(olivia, 'earned', 1200.5, 'Netflix Premium: share for 2026-11')
    await move(olivia, 'spent', 3, 'A <b>treat</b>')
    await move(olivia, 'refunded', 1, 'Treat returned')
    await move(olivia, 'withdrawn', 20, 'Withdrawal to bank account')
    await move(zoe, 'earned', 27, 'Of somebody else')
    await withdraw(zoe, 20)
    await withdraw(olivia, 21)
    const { user } = await open('/my-savings?tab=transactions', olivia)
    const list = await screen.findByRole('list', { name: 'Transaction history' })
    const shown = lines('Transaction history')
    expect(shown).toHaveLength(50)
    expect(shown.slice(0, 5)).toEqual([
      'Withdrawal to bank accountWithdrawn · just now−20.00 coins',
      'Treat returnedRefunded · just now+1.00 coin',
      'A <b>treat</b>Spent · just now−3.00 coins',
      'Netflix Premium: share for 2026-11Earned · just now+1,200.50 coins',
      'Share 47Earned · just now+1.00 coin',
    ])
    // The first of 51 is one too many.
    expect(shown[49]).toMatch(/^Share 2Earned/)
    const area = list.closest('.mantine-ScrollArea-root')
    expect(area instanceof HTMLElement && area.style.height).toBe('400px')
    const viewport = screen.getByRole('group', { name: 'Transaction history' })
    expect(viewport.contains(list)).toBe(true)
    expect(viewport.tabIndex).toBe(0)
    await user.click(screen.getByRole('tab', { name: 'Withdrawals' }))
    await screen.findByRole('list', { name: 'Withdrawal history' })
    expect(lines('Withdrawal history')).toEqual([
      '21.00 coinsRequested just nowBank account ending in 4821Pending',
    ])
  })

  it('follows balance, movements and withdrawals live', async () => {
    const { olivia, zoe: ada, marc: anton } = people
    await server.db.query(`insert into user_roles (user_id, role) values ($1, 'admin'), ($2, 'admin')`, [
      ada.id,
      anton.id,
    ])
    await move(olivia, 'earned', 20)
    const { user, client } = await open('/my-savings', olivia)
    const pot = (name: string) => screen.findByRole('img', { name })
    await pot('A calm pot')
    await waitFor(() => expect(client.getChannels().some(({ state }) => state === 'joined')).toBe(true))
    const watched = client
      .getChannels()
      .flatMap(({ bindings }) => bindings.postgres_changes ?? [])
      .map(({ filter }) => filter)
    for (const table of ['user_wallets', 'coin_transactions', 'withdrawal_requests'])
      expect(watched).toContainEqual({
        event: '*',
        schema: 'public',
        table,
        filter: `user_id=eq.${olivia.id}`,
      })

    await move(olivia, 'earned', 30)
    await pot('An excited pot')
    expect(await figure('Coin balance')).toBe('50.00 coins')
    await move(olivia, 'earned', 70, 'A generous share')
    const sparkling = await pot('A sparkling pot')
    expect(sparkling.querySelector('[data-mood]')?.getAttribute('data-mood')).toBe('sparkling')
    await user.click(screen.getByRole('tab', { name: 'Transactions' }))
    await screen.findByText('A generous share')
    await move(olivia, 'spent', 10, 'Came while looking')
    await screen.findByText('Came while looking')

    const decide = (id: string, changes: object, by = ada) =>
      by.client.from('withdrawal_requests').update(changes).eq('id', id).throwOnError()
    await user.click(screen.getByRole('tab', { name: 'Withdrawals' }))
    await (await region('Withdrawal history')).findByText('No withdrawals yet')
    const first = await withdraw(olivia, 60)
    await screen.findByText('Pending')
    expect(lines('Withdrawal history')).toEqual([
      '60.00 coinsRequested just nowBank account ending in 4821Pending',
    ])
    await decide(first, { status: 'processing', bank_account_last4: '4821' })
    await screen.findByText('Processing')
    const second = await withdraw(olivia, 25)
    await screen.findByText('Pending')

    // 110 coins, of which 60 are processing and 25 pending.
    await user.click(screen.getByRole('tab', { name: 'Overview' }))
    await waitFor(async () => expect(await figure('Available balance')).toBe('25.00 coins'))
    expect(await figure('Coin balance')).toBe('110.00 coins')
    await decide(second, { status: 'rejected', rejection_reason: 'The account is not yours' })
    await waitFor(async () => expect(await figure('Available balance')).toBe('50.00 coins'))
    await decide(first, { status: 'completed' }, anton)
    await waitFor(async () => expect(await figure('Coin balance')).toBe('50.00 coins'))
    expect(await figure('Available balance')).toBe('50.00 coins')
    expect(await figure('Total withdrawn')).toBe('60.00 coins')
    expect(await figure('Total earned')).toBe('120.00 coins')
    await pot('An excited pot')
    await user.click(screen.getByRole('tab', { name: 'Withdrawals' }))
    await screen.findByRole('list', { name: 'Withdrawal history' })
    expect(lines('Withdrawal history')).toEqual([
      '25.00 coinsRequested just now, answered just nowBank account ending in 4821Reason: The account is not yoursRejected',
      '60.00 coinsRequested just now, paid out just nowBank account ending in 4821Completed',
    ])
  })
})

describe('asking for a withdrawal', () => {
  const openDialog = async (person: TestUser) => {
    const app = await open('/my-savings', person)
    await app.user.click(await screen.findByRole('button', { name: 'Withdraw coins' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Request Withdrawal' }))
    const amount = dialog.getByLabelText('Amount in coins')
    const fill = async (typed: string) => {
      await app.user.clear(amount)
      await app.user.type(amount, typed)
    }
    return {
      ...app,
      dialog,
      amount,
      fill,
      send: () => app.user.click(dialog.getByText('Request withdrawal')),
    }
  }

  it('takes a valid amount and says what is wrong with others', async () => {
    const { olivia } = people
    await move(olivia, 'earned', 65.5)
    await withdraw(olivia, 20)
    const { user, dialog, amount, fill, send } = await openDialog(olivia)
    expect(dialog.getByText('45.50 coins')).toBeTruthy()
    expect(dialog.getByText('Withdrawals are processed manually in 1-3 business days.')).toBeTruthy()
    const quick = within(dialog.getByRole('group', { name: 'Quick amounts' })).getAllByRole('button')
    expect(quick.map((button) => [button.textContent, button.hasAttribute('disabled')])).toEqual([
      ['25%11 coins', true],
      ['50%22 coins', false],
      ['75%34 coins', false],
      ['100%45.5 coins', false],
    ])
    await user.click(quick[3] as HTMLElement)
    expect(amount).toHaveProperty('value', '45.5')
    expect(dialog.getByText('€45.50')).toBeTruthy()
    await user.click(quick[1] as HTMLElement)
    expect(amount).toHaveProperty('value', '22')
    await fill('45.51')
    expect(amount.getAttribute('aria-invalid')).not.toBe('true')
    await send()
    expect(dialog.getByText('Maximum withdrawal amount is 45.50 coins')).toBeTruthy()
    expect(amount.getAttribute('aria-invalid')).toBe('true')
    expect(await withdrawalsOf(olivia)).toHaveLength(1)

    await fill('20.5')
    expect(dialog.getByText('€20.50')).toBeTruthy()
    await send()
    await toasted(
      'success',
      'Withdrawal Requested',
      '20.50 coins. Withdrawals are processed manually in 1-3 business days.',
    )
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await withdrawalsOf(olivia)).toMatchObject([{ amount: 20 }, { amount: 20.5, status: 'pending' }])
    await waitFor(async () => expect(await figure('Available balance')).toBe('25.00 coins'))
  })

  it('wants to know first where they go', async () => {
    const { olivia } = people
    await move(olivia, 'earned', 50)
    const { dialog, fill, send } = await openDialog(olivia)
    await dialog.findByText('Say where withdrawals go.')
    await fill('30')
    await send()
    const refusal = 'Add the bank account that your coins are to be paid to'
    expect(dialog.getByText(refusal)).toBeTruthy()
    const asked = olivia.client.from('withdrawal_requests').insert({ user_id: olivia.id, amount: 30 })
    expect((await asked).error).toMatchObject({ code: '23514', message: refusal })
    expect(await withdrawalsOf(olivia)).toEqual([])
  })

  it('says why it failed, in the words of the server where there are any, and keeps the amount', async () => {
    const { olivia } = people
    await move(olivia, 'earned', 50)
    await addBankAccount(server.db, olivia)
    // What happens to the coins meanwhile is not heard of on this page, neither live nor by loading again.
    silenceLive()
    const { amount, fill, send } = await openDialog(olivia)
    await fill('30')
    const hearing = failNetwork('GET rest/v1/')
    const storing = failNetwork('POST rest/v1/withdrawal_requests')
    await send()
    await toasted('error', 'Withdrawal Failed', 'Failed to process withdrawal')
    expect(amount).toHaveProperty('value', '30')
    storing.heal()
    await withdraw(olivia, 40)
    await waitFor(() => expect(document.querySelector('[role=dialog] [data-loading]')).toBeNull())
    await send()
    await toasted('error', 'Withdrawal Failed', 'Maximum withdrawal amount is 10.00 coins')
    hearing.heal()
    expect(await withdrawalsOf(olivia)).toEqual([{ amount: 40, status: 'pending' }])
  })
})
