import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CoinType, forgetMoney, moveCoins } from '../../../supabase/tests/coins.ts'
import { openApp, toasted } from '../app.tsx'
import { newPeople, type People } from '../sharing.ts'

const server = await testServer()
let people: People
let ada: TestUser
let sofia: TestUser
const sql = (text: string, ...values: string[]) => server.db.query(text, values)

beforeAll(async () => {
  people = await newPeople(server)
  ada = await addUser(server, 'ada@money.example')
  sofia = await addUser(server, 'sofia@money.example')
  await sql(
    `insert into public.user_roles (user_id, role) values ($1, 'admin'), ($2, 'super-admin')`,
    ada.id,
    sofia.id,
  )
})
beforeEach(async () => {
  await forgetMoney(server.db)
})

const open = (address: string) => openApp(server, address, { as: ada })
const move = (person: TestUser, type: CoinType, amount: number, description = 'Moved') =>
  moveCoins(server.db, person, type, amount, description)
const table = (name: string) => screen.findByRole('table', { name })
const rows = () => [...document.querySelectorAll('tbody tr')].map((row) => row.textContent ?? '')
const figures = () =>
  Object.fromEntries(
    [...document.querySelectorAll('dt')].map((term) => [
      term.textContent,
      term.nextElementSibling?.textContent,
    ]),
  )
const dialog = async () => within(await screen.findByRole('dialog'))
const nameOf = (person: TestUser) => person.email.split('@')[0] ?? ''

describe('user wallets', () => {
  it('are listed with the highest balance first, found by display name, and not one’s own to adjust', async () => {
    await sql(
      `update public.user_profiles set display_name = case user_id when $1 then 'Olivia_1' else 'Olivia 1' end
       where user_id in ($1, $2)`,
      people.olivia.id,
      people.zoe.id,
    )
    await move(people.olivia, 'earned', 30)
    await move(people.marc, 'earned', 60.5)
    await move(people.marc, 'withdrawn', 20)
    await move(people.zoe, 'earned', 9)
    await move(ada, 'earned', 5)
    const { user, at } = await open('/admin/financials')
    const tabs = (await screen.findAllByRole('tab')).map(({ textContent }) => textContent)
    expect(tabs).toEqual(['Overview', 'User Wallets', 'Transactions'])
    await user.click(screen.getByText('User Wallets'))
    await waitFor(() => expect(at()).toBe('/admin/financials?tab=wallets'))
    await table('User Wallets')
    const [first, second, third, own] = rows()
    expect(first).toMatch(new RegExp(`${nameOf(people.marc)}€40\\.50€60\\.50€20\\.00Adjust$`))
    expect(second).toMatch(/Olivia_1€30\.00€30\.00€0\.00Adjust$/)
    expect(third).toMatch(/Olivia 1€9\.00/)
    expect(own).not.toMatch(/Adjust/)
    await user.type(screen.getByLabelText('Search by name'), 'OLIVIA_')
    await waitFor(() => expect(rows()).toEqual([expect.stringMatching(/Olivia_1/)]))
    await user.type(screen.getByLabelText('Search by name'), 'nobody')
    await screen.findByText('No wallets found')
  })

  it('are adjusted after a look at the new balance, and never below zero', async () => {
    await sql(`update public.user_profiles set display_name = 'Olivia' where user_id = $1`, people.olivia.id)
    await move(people.olivia, 'earned', 10)
    const { user } = await open('/admin/financials?tab=wallets')
    const adjust = () => screen.findByRole('button', { name: 'Adjust wallet of Olivia' })
    await user.click(await adjust())
    const form = await dialog()
    const amount = form.getByLabelText(/Adjustment amount/)
    const reason = form.getByLabelText(/Reason/)
    const apply = form.getByText('Apply Adjustment').closest('button') as HTMLButtonElement
    const preview = () => form.getByRole('status').textContent
    expect([preview(), apply.disabled]).toEqual(['New balance€10.00', true])
    await user.type(amount, '0')
    await user.type(reason, '   ')
    expect(apply.disabled).toBe(true)
    await user.type(reason, 'Counted twice  ')
    await user.click(apply)
    await toasted('error', 'Invalid Amount', 'Please enter a valid adjustment amount')
    await user.clear(amount)
    expect(apply.disabled).toBe(true)
    await user.type(amount, '1{ArrowUp}')
    expect(preview()).toBe('New balance€11.01')
    await user.clear(amount)
    await user.type(amount, '-10.01')
    expect(preview()).toBe('New balance-€0.01')
    expect(form.getByText('The balance cannot go below zero')).toBeTruthy()
    await user.click(apply)
    await toasted('error', 'Error', 'The balance cannot go below zero')
    await waitFor(() => expect(apply.hasAttribute('data-loading')).toBe(false))
    await user.clear(amount)
    await user.type(amount, '-2.345')
    expect(amount).toHaveProperty('value', '-2.34')
    expect(preview()).toBe('New balance€7.66')
    await user.click(apply)
    await toasted('success', 'Success', 'Wallet adjusted successfully')
    await waitFor(() => expect(rows()[0]).toMatch(/€7\.66€10\.00€0\.00Adjust$/))
    expect(
      await sql(
        `select transaction_type, amount, description from public.coin_transactions where description <> 'Moved'`,
      ),
    ).toEqual([{ transaction_type: 'spent', amount: '2.34', description: 'Admin adjustment: Counted twice' }])
  })
})

it('the figures are the real ones in EUR, and follow the wallets', async () => {
  await move(people.olivia, 'earned', 1060.3)
  await move(people.marc, 'earned', 9.7)
  await move(people.marc, 'spent', 4)
  await sql(`update public.coin_transactions set created_at = now() - interval '31 days' where amount > 1000`)
  await move(people.olivia, 'withdrawn', 20)
  await move(people.olivia, 'refunded', 1)
  await open('/admin/financials')
  await waitFor(() =>
    expect(figures()).toEqual({
      'Coins in circulation': '€1,047.00in 2 wallets',
      'Total earned': '€1,070.00',
      'Total withdrawn': '€20.00',
      'Net flow': '€1,050.00earnings minus withdrawals',
      'Coins vs Withdrawals':
        '5,235.0%€1,047.00 in circulation as a percentage of the €20.00 withdrawn so far',
      'Average per user': '€523.50',
      'Transactions in 30 days': '4',
      'Earned in 30 days': '€9.70',
      'Withdrawn in 30 days': '€20.00',
      'Spent in 30 days': '€4.00',
      'Refunded in 30 days': '€1.00',
    }),
  )
  expect(screen.getByRole('heading', { level: 2, name: 'Recent activity' })).toBeTruthy()
  const chart = await screen.findByRole('img', { name: /^Day by day/ })
  const summary = (earned: string) => `Day by day: Earned ${earned}, Withdrawn €20.00; at most €20.00 a day`
  expect(chart.getAttribute('aria-label')).toBe(summary('€9.70'))
  expect(chart.querySelectorAll('title')).toHaveLength(30)
  expect(chart.querySelector('g:last-child > title')?.textContent).toMatch(
    /, Earned €9\.70, Withdrawn €20\.00$/,
  )
  expect([...chart.querySelectorAll('g:last-child > rect')].map((bar) => bar.getAttribute('height'))).toEqual(
    [...['100', '48.5', '100']],
  )
  await move(people.marc, 'earned', 3)
  await waitFor(() => expect(figures()['Total earned']).toBe('€1,073.00'))
})

describe('transactions', () => {
  const shown = () => rows().filter((row) => /: /.test(row))
  const descriptions = (expected: string[]) =>
    waitFor(() =>
      expect(shown().map((row) => expected.find((one) => row.includes(`${one}: `)) ?? row)).toEqual(expected),
    )

  it('are filtered by time, type and text, under their statistics', async () => {
    for (const [person, type, amount, description, hoursAgo] of [
      [people.olivia, 'earned', 100, 'One: Netflix', 24 * 40],
      [people.olivia, 'earned', 10, 'Two: Spotify 100%', 24 * 20],
      [people.olivia, 'withdrawn', 20, 'Three: to the bank', 24 * 6],
      [people.marc, 'earned', 3.5, 'Four: netflix', 23],
      [people.marc, 'spent', 1, 'Five: a month', 2],
      [people.marc, 'refunded', 0.5, 'Six: 1000 thanks', 1],
    ] as const) {
      await move(person, type, amount, description)
      await sql(
        `update public.coin_transactions set created_at = now() - make_interval(hours => $2) where description = $1`,
        description,
        String(hoursAgo),
      )
    }
    const { user, at } = await open('/admin/financials?tab=transactions')
    await table('Transactions')
    const ranges = screen.getAllByRole<HTMLInputElement>('radio')
    expect(ranges.map(({ value, checked }) => [value, checked])).toEqual([
      ['1d', false],
      ['7d', true],
      ['30d', false],
      ['all', false],
    ])
    await descriptions(['Six', 'Five', 'Four', 'Three'])
    expect(shown()[3]).toMatch(/Olivia\w*Withdrawn−€20\.00Three: to the bank6 days ago$/i)
    expect(shown()[2]).toMatch(/marc\d+Earned\+€3\.50Four: netflix/)
    const statistics = within(await table('Transaction statistics'))
    await waitFor(() =>
      expect(statistics.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
        expect.anything(),
        '24 hours3€3.50€1.00€0.00€0.50',
        '7 days4€3.50€1.00€20.00€0.50',
        'All time6€113.50€1.00€20.00€0.50',
      ]),
    )
    for (const [range, found] of [
      ['24 hours', ['Six', 'Five', 'Four']],
      ['30 days', ['Six', 'Five', 'Four', 'Three', 'Two']],
      ['All time', ['Six', 'Five', 'Four', 'Three', 'Two', 'One']],
    ] as const) {
      await user.click(screen.getByLabelText(range))
      await descriptions([...found])
    }
    const type = screen.getByLabelText('Type', { selector: 'input' })
    for (const [label, found] of [
      ['Earned', ['Four', 'Two', 'One']],
      ['Spent', ['Five']],
      ['Withdrawn', ['Three']],
      ['Refunded', ['Six']],
      ['All types', ['Six', 'Five', 'Four', 'Three', 'Two', 'One']],
    ] as const) {
      await user.click(type)
      await user.click(await screen.findByRole('option', { name: label, hidden: false }))
      await descriptions([...found])
    }
    const text = screen.getByLabelText('Search descriptions')
    await user.type(text, 'NETFLIX')
    await descriptions(['Four', 'One'])
    await user.clear(text)
    await user.type(text, '100%')
    await descriptions(['Two'])
    expect(at()).toBe('/admin/financials?tab=transactions&range=all&type=all&q=100%25')
    await user.type(text, 'x')
    await screen.findByText('No transactions found')
  })

  it('are at most the latest 100, and new ones come by themselves', async () => {
    await sql(
      `insert into public.coin_transactions (user_id, transaction_type, amount, description, created_at)
       select $1, 'earned', n, 'Number: ' || n, now() - make_interval(secs => 200 - n) from generate_series(1, 120) as n`,
      people.olivia.id,
    )
    await open('/admin/financials?tab=transactions&range=all')
    await waitFor(() => expect(shown()).toHaveLength(100))
    expect(shown()[0]).toMatch(/Number: 120/)
    expect(shown()[99]).toMatch(/€21\.00Number: 21/)
    await move(people.marc, 'earned', 0.25, 'The: latest')
    await waitFor(() => expect(shown()[0]).toMatch(/The: latest/))
    expect(shown()).toHaveLength(100)
  })
})
