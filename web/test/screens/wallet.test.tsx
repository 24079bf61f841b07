import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { failNetwork, intercept, refuse } from '../network.ts'
import { newPeople, type People, password } from '../sharing.ts'

const server = await testServer()
let people: People

beforeEach(async () => {
  people = await newPeople(server)
})
const open = async (address: string, person: TestUser) => ({
  ...(await openApp(server, address, { as: { email: person.email, password } })),
})
const move = (person: TestUser, type: string, coins: number, description = 'A share') =>
  server.db.query('select private.move_coins($1, $2, $3, $4)', [person.id, type, String(coins), description])
const withdraw = async (person: TestUser, amount: number) => {
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
  it('begins with a wallet of zeros, at both addresses', async () => {
    const { olivia, zoe } = people
    await move(olivia, 'earned', 60, 'Of somebody else')
    await withdraw(olivia, 20)
    const wallets = () =>
      server.db.query(
        `select coin_balance, total_earned, total_withdrawn from user_wallets where user_id = $1`,
        [zoe.id],
      )
    expect(await wallets()).toEqual([])
    const { user, router, at } = await open('/savings', zoe)
    const seen = async () => {
      await screen.findByRole('heading', { level: 1, name: 'My Savings' })
      expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
        'Overview',
        'Transactions',
        'Withdrawals',
      ])
      expect(screen.getByRole('tab', { name: 'Overview' }).ariaSelected).toBe('true')
      expect(await figure('Coin balance')).toBe('0.00 coins')
      for (const label of ['Available balance', 'Total earned', 'Total withdrawn'])
        expect(await figure(label)).toBe('0.00 coins')
      expect(screen.getByRole('button', { name: 'Withdraw coins' })).toHaveProperty('disabled', true)
      const how = await region('How coins work')
      expect(how.getByText('1 coin is 1 euro')).toBeTruthy()
      expect(how.getByText('Withdrawals are processed manually in 1-3 business days.')).toBeTruthy()
      const overview = screen.getAllByRole('region').map(({ textContent }) => textContent)
      await user.click(screen.getByRole('tab', { name: 'Transactions' }))
      expect(await (await region('Transaction history')).findByText('No transactions yet')).toBeTruthy()
      expect(screen.queryByRole('region', { name: 'Your wallet' })).toBeNull()
      expect(screen.getByRole('link', { name: 'Share a plan' }).getAttribute('href')).toBe('/create')
      await user.click(screen.getByRole('tab', { name: 'Withdrawals' }))
      expect(await (await region('Withdrawal history')).findByText('No withdrawals yet')).toBeTruthy()
      return overview
    }
    const first = await seen()
    expect(at()).toBe('/savings?tab=withdrawals')
    expect(await wallets()).toEqual([{ coin_balance: '0.00', total_earned: '0.00', total_withdrawn: '0.00' }])
    await router.navigate({ href: '/my-savings' })
    await waitFor(() => expect(screen.getByRole('tab', { name: 'Overview' }).ariaSelected).toBe('true'))
    expect(await seen()).toEqual(first)
    expect(at()).toBe('/my-savings?tab=withdrawals')
  })

  it('lists the last 50 movements of my own coins, newest first', async () => {
    const { olivia, zoe } = people
    await server.db.query(`insert into user_roles (user_id, role) values ($1, 'admin')`, [olivia.id])
    await server.db.query(
      `select private.move_coins($1, 'earned', 1, 'Share ' || n) from generate_series(1, 47) as n`,
      [olivia.id],
    )
    await move(olivia, 'earned', 1200.5, 'Netflix Premium: share for 2026-11')
    await move(olivia, 'spent', 3, 'A <b>treat</b>')
    await move(olivia, 'refunded', 1, 'Treat returned')
    await move(olivia, 'withdrawn', 20, 'Withdrawal to bank account')
    await move(zoe, 'earned', 7, 'Of somebody else')
    await open('/my-savings?tab=transactions', olivia)
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
    expect(lines('Withdrawal history')).toEqual(['60.00 coinsRequested just nowPending'])
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
      '25.00 coinsRequested just now, answered just nowReason: The account is not yoursRejected',
      '60.00 coinsRequested just now, paid out just nowBank account ending in 4821Completed',
    ])
  })

  it('shows an admin their own coins only', async () => {
    const { olivia, zoe } = people
    await server.db.query(`insert into user_roles (user_id, role) values ($1, 'admin')`, [zoe.id])
    await move(olivia, 'earned', 60)
    await withdraw(olivia, 20)
    await move(zoe, 'earned', 30, 'My own')
    await withdraw(zoe, 21)
    const { user } = await open('/my-savings', zoe)
    await waitFor(async () => expect(await figure('Available balance')).toBe('9.00 coins'))
    await user.click(screen.getByRole('tab', { name: 'Transactions' }))
    await screen.findByRole('list', { name: 'Transaction history' })
    expect(lines('Transaction history')).toEqual(['My ownEarned · just now+30.00 coins'])
    await user.click(screen.getByRole('tab', { name: 'Withdrawals' }))
    await screen.findByRole('list', { name: 'Withdrawal history' })
    expect(lines('Withdrawal history')).toEqual(['21.00 coinsRequested just nowPending'])
  })
})

describe('asking for a withdrawal', () => {
  const openDialog = async (person: TestUser) => {
    const app = await open('/my-savings', person)
    await app.user.click(await screen.findByRole('button', { name: 'Withdraw coins' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Request Withdrawal' }))
    const amount = dialog.getByRole('textbox', { name: 'Amount in coins' })
    return {
      ...app,
      dialog,
      amount,
      send: () => app.user.click(dialog.getByRole('button', { name: 'Request withdrawal' })),
      fill: async (typed: string) => {
        await app.user.clear(amount)
        if (typed) await app.user.type(amount, typed)
      },
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
    expect(quick.map(({ ariaLabel }) => ariaLabel)).toEqual([
      '25 percent: 11 coins',
      '50 percent: 22 coins',
      '75 percent: 34 coins',
      '100 percent: 45 coins',
    ])
    for (const [place, coins] of ['11', '22', '34', '45'].entries()) {
      await user.click(quick[place] as HTMLElement)
      expect(amount).toHaveProperty('value', coins)
    }
    for (const [typed, problem] of [
      ['', 'Please enter a valid amount'],
      ['0', 'Please enter a valid amount'],
      ['-25', 'Please enter a valid amount'],
      ['20.001', 'Please enter a valid amount'],
      ['19.99', 'Minimum withdrawal amount is 20 coins'],
      ['45.51', 'Maximum withdrawal amount is 45.50 coins'],
    ] as const) {
      await fill(typed)
      expect(amount.getAttribute('aria-invalid')).not.toBe('true')
      await send()
      expect(dialog.getByText(problem)).toBeTruthy()
      expect(amount.getAttribute('aria-invalid')).toBe('true')
    }
    expect(await withdrawalsOf(olivia)).toHaveLength(1)

    await fill('20.5')
    expect(dialog.getByText('€20.50')).toBeTruthy()
    await send()
    expect(await screen.findByText('Withdrawal Requested')).toBeTruthy()
    expect(
      screen.getByText('20.50 coins. Withdrawals are processed manually in 1-3 business days.'),
    ).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await withdrawalsOf(olivia)).toEqual([
      { amount: 20, status: 'pending' },
      { amount: 20.5, status: 'pending' },
    ])
    await waitFor(async () => expect(await figure('Available balance')).toBe('25.00 coins'))
  })

  it('says why it failed, in the words of the server where there are any, and keeps the amount', async () => {
    const { olivia } = people
    await move(olivia, 'earned', 50)
    const { dialog, amount, fill, send } = await openDialog(olivia)
    await fill('30')
    // What happens to the coins meanwhile is not heard of on this page.
    const hearing = failNetwork('GET rest/v1/')
    const fails = async (reason: string, broken?: { heal: () => void }) => {
      await send()
      const toast = (await screen.findByText(reason)).closest('[data-kind]')
      expect(toast?.getAttribute('data-kind')).toBe('error')
      expect(toast?.textContent).toContain('Withdrawal Failed')
      expect(amount).toHaveProperty('value', '30')
      const button = dialog.getByRole('button', { name: 'Request withdrawal' })
      await waitFor(() => expect(button).toHaveProperty('disabled', false))
      broken?.heal()
    }
    const invalid = () => Promise.resolve(Response.json({ valid: false, error: null }))
    await fails('Validation failed', intercept('POST rpc/validate_withdrawal_request', invalid))
    const storing = 'POST rest/v1/withdrawal_requests'
    await fails('Failed to process withdrawal', failNetwork(storing))
    await fails('User not authenticated', refuse(storing, 'PGRST301', 'JWT expired', 401))
    await withdraw(olivia, 40)
    await fails('Maximum withdrawal amount is 10.00 coins')
    hearing.heal()
    expect(await withdrawalsOf(olivia)).toEqual([{ amount: 40, status: 'pending' }])
  })

  it('says that the wallet cannot be loaded, and loads it again', async () => {
    const { olivia } = people
    await move(olivia, 'earned', 50, 'A share')
    const { db } = server
    const tables = 'public.user_wallets, public.coin_transactions, public.withdrawal_requests'
    await db.query(`revoke select on ${tables} from authenticated`)
    try {
      const { user } = await open('/my-savings', olivia)
      const retry = async (card: string) => {
        expect(await (await region(card)).findByText('Failed to load wallet data')).toBeTruthy()
        await db.query(`grant select on ${tables} to authenticated`)
        await user.click((await region(card)).getByRole('button', { name: 'Retry' }))
      }
      await retry('Your wallet')
      await waitFor(async () => expect(await figure('Coin balance')).toBe('50.00 coins'))
    } finally {
      await db.query(`grant select on ${tables} to authenticated`)
    }
  })
})
