import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { refuse } from '../network.ts'
import { newPeople, type People, password } from '../sharing.ts'

const server = await testServer()
let count = 0
let people: People
let ada: TestUser
const sql = (text: string, ...values: string[]) => server.db.query(text, values)

beforeEach(async () => {
  for (const table of ['withdrawal_requests', 'coin_transactions', 'user_wallets'])
    await sql(`delete from public.${table} where true`)
  people = await newPeople(server)
  ada = await newStaff('admin')
})

async function newStaff(role: string): Promise<TestUser> {
  count += 1
  const person = await addUser(server, `${role}${count}@money.example`, { password })
  await sql('insert into public.user_roles (user_id, role) values ($1, $2)', person.id, role)
  return person
}
const open = async (address: string, who = ada) => ({
  ...(await openApp(server, address, { as: { email: who.email, password } })),
})
const move = (person: TestUser, type: string, amount: number, description = 'Moved') =>
  sql('select private.move_coins($1, $2, $3, $4)', person.id, type, String(amount), description)
/** Asks for coins as many minutes ago; gives the request's id. */
async function withdraw(person: TestUser, amount: number, minutesAgo = 0): Promise<string> {
  const [row] = await sql(
    `insert into public.withdrawal_requests (user_id, amount, requested_at)
     values ($1, $2, now() - make_interval(mins => $3)) returning id`,
    person.id,
    String(amount),
    String(minutesAgo),
  )
  return String(row?.id)
}
const rows = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent ?? '')
const figures = () =>
  Object.fromEntries(
    screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  )

describe('withdrawals', () => {
  const stored = async (id: string) =>
    (
      await sql(
        `select status, stripe_transfer_id as transfer, bank_account_last4 as last4, rejection_reason as reason,
           processed_at is not null as processed, completed_at is not null as completed
         from public.withdrawal_requests where id = $1`,
        id,
      )
    )[0]
  const dialog = async () => within(await screen.findByRole('dialog'))
  const buttons = () =>
    within(screen.getByRole('table', { name: 'Withdrawal Requests' }))
      .queryAllByRole('button')
      .map(({ textContent }) => textContent)

  it('shows the statistics and the requests, newest first, with who asked', async () => {
    await sql(`update public.user_profiles set full_name = 'Marc Moss' where user_id = $1`, people.marc.id)
    await move(people.olivia, 'earned', 100)
    await move(people.marc, 'earned', 100)
    await withdraw(people.olivia, 20.5, 30)
    await withdraw(people.marc, 40, 10)
    await withdraw(people.olivia, 30.25, 20)
    await open('/admin/withdrawals')
    await screen.findByRole('heading', { level: 1, name: 'Withdrawals' })
    await screen.findByRole('heading', { level: 2, name: 'Withdrawal Requests' })
    await screen.findByRole('table', { name: 'Withdrawal Requests' })
    const [marc, second, third] = rows('Withdrawal Requests')
    expect(marc).toMatch(/^\W*M?\w*marc\d+Marc Moss€40\.00Pending10 minutes ago/i)
    expect(second).toMatch(/olivia\d+€30\.25Pending20 minutes ago/)
    expect(third).toMatch(/olivia\d+€20\.50Pending30 minutes ago/)
    await waitFor(() =>
      expect(figures()).toEqual({
        Pending: '€90.753 requests',
        Processing: '€0.000 requests',
        Completed: '€0.000 requests',
        Rejected: '€0.000 requests',
      }),
    )
  })

  it('takes a withdrawal from pending to completed', async () => {
    await move(people.olivia, 'earned', 100)
    const id = await withdraw(people.olivia, 30)
    const { user } = await open('/admin/withdrawals')
    await user.click(await screen.findByRole('button', { name: /^Approve withdrawal of olivia/ }))
    expect(buttons()).toEqual(['Reject', 'Approve'])
    const approving = await dialog()
    const digits = approving.getByLabelText(/Last 4 digits/)
    await user.type(approving.getByLabelText(/Transfer ID/), 'tr_1')
    await user.type(digits, '424242')
    expect(digits).toHaveProperty('value', '4242')
    expect(digits.getAttribute('maxlength')).toBe('4')
    await user.click(approving.getByRole('button', { name: 'Approve and Start Processing' }))
    expect(await screen.findByText('Withdrawal request updated successfully')).toBeTruthy()
    expect(screen.getByText('Success')).toBeTruthy()
    await waitFor(() => expect(buttons()).toEqual(['Complete']))
    const noted = { transfer: 'tr_1', last4: '4242', reason: null, processed: true }
    expect(await stored(id)).toEqual({ ...noted, status: 'processing', completed: false })
    expect(rows('Withdrawal Requests')[0]).toMatch(
      /Processing.*Approved just now.*Transfer tr_1.*Account ending in 4242/,
    )

    await user.click(screen.getByRole('button', { name: /^Complete withdrawal of olivia/ }))
    const completing = await dialog()
    await user.click(completing.getByRole('button', { name: 'Mark as Completed' }))
    await waitFor(() => expect(buttons()).toEqual([]))
    expect(await screen.findAllByText('Withdrawal request updated successfully')).toHaveLength(2)
    expect(await stored(id)).toEqual({ ...noted, status: 'completed', completed: true })
    expect(await sql('select coin_balance, total_withdrawn from public.user_wallets')).toEqual([
      { coin_balance: '70.00', total_withdrawn: '30.00' },
    ])
    await waitFor(() => expect(figures()).toMatchObject({ Completed: '€30.001 request' }))
  })

  it('rejects with a reason, which the button waits for', async () => {
    await move(people.olivia, 'earned', 100)
    const id = await withdraw(people.olivia, 30)
    const { user } = await open('/admin/withdrawals')
    await user.click(await screen.findByRole('button', { name: /^Reject withdrawal of olivia/ }))
    const asked = await dialog()
    const reject = asked.getByRole('button', { name: 'Reject Withdrawal' })
    expect(reject).toHaveProperty('disabled', true)
    const reason = asked.getByLabelText(/Rejection reason/)
    await user.type(reason, '   ')
    expect(reject).toHaveProperty('disabled', true)
    await user.type(reason, 'Unknown account ')
    expect(reject).toHaveProperty('disabled', false)
    await user.click(reject)
    expect(await screen.findByText('Withdrawal request updated successfully')).toBeTruthy()
    await waitFor(() => expect(buttons()).toEqual([]))
    expect(await stored(id)).toEqual({
      status: 'rejected',
      transfer: null,
      last4: null,
      reason: 'Unknown account',
      processed: true,
      completed: false,
    })
    expect(rows('Withdrawal Requests')[0]).toMatch(/Rejected.*Reason: Unknown account/)
  })

  it('says why a decision was not taken, and follows what other admins decide', async () => {
    await move(people.olivia, 'earned', 100)
    const id = await withdraw(people.olivia, 30)
    const { user } = await open('/admin/withdrawals')
    await user.click(await screen.findByRole('button', { name: /^Approve withdrawal of olivia/ }))
    const other = await newStaff('super-admin')
    const approve = other.client.from('withdrawal_requests').update({ status: 'processing' }).eq('id', id)
    await approve.throwOnError()
    await screen.findByText('Processing', { selector: 'table *' })
    await user.click((await dialog()).getByRole('button', { name: 'Approve and Start Processing' }))
    expect(await screen.findByText('A processing withdrawal cannot become processing')).toBeTruthy()
    expect(screen.getByText('Error')).toBeTruthy()
    expect(screen.queryByText('Withdrawal request updated successfully')).toBeNull()
    await withdraw(people.olivia, 25)
    await waitFor(() => expect(rows('Withdrawal Requests')).toHaveLength(2), { timeout: 8000 })
  })

  it('leaves the own withdrawal of an admin to somebody else', async () => {
    await move(ada, 'earned', 50)
    await withdraw(ada, 30)
    await open('/admin/withdrawals')
    expect(await screen.findByText('Someone else decides about your own withdrawal')).toBeTruthy()
    expect(buttons()).toEqual([])
  })

  it('is refused to a moderator, and says when it cannot be loaded or is empty', async () => {
    await open('/admin/withdrawals', await newStaff('moderator'))
    expect(await screen.findByText('Your role does not include this page')).toBeTruthy()
    expect(screen.queryByText('Withdrawal Requests')).toBeNull()
    const broken = refuse('POST /rpc/list_withdrawals', 'XX000', 'broken', 500)
    const { user } = await open('/admin/withdrawals')
    expect(await screen.findByText('Failed to load withdrawals')).toBeTruthy()
    broken.heal()
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('No withdrawal requests yet')).toBeTruthy()
  })
})

describe('user wallets', () => {
  const name = (person: TestUser) => person.email.split('@')[0] ?? ''
  const dialog = async () => within(await screen.findByRole('dialog'))
  const openWallets = async () => {
    const opened = await open('/admin/financials?tab=wallets')
    await screen.findByRole('table', { name: 'User Wallets' })
    return opened
  }

  it('lists them with the highest balance first, and finds them by display name', async () => {
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
    const { user, at } = await open('/admin/financials')
    expect((await screen.findAllByRole('tab')).map(({ textContent }) => textContent)).toEqual([
      'Overview',
      'User Wallets',
      'Transactions',
    ])
    await user.click(screen.getByRole('tab', { name: 'User Wallets' }))
    await waitFor(() => expect(at()).toBe('/admin/financials?tab=wallets'))
    await screen.findByRole('table', { name: 'User Wallets' })
    const [first, second, third] = rows('User Wallets')
    expect(first).toMatch(new RegExp(`${name(people.marc)}€40\\.50€60\\.50€20\\.00Adjust$`))
    expect(second).toMatch(/Olivia_1€30\.00€30\.00€0\.00Adjust$/)
    expect(third).toMatch(/Olivia 1€9\.00/)
    await user.type(screen.getByRole('searchbox', { name: 'Search by name' }), 'OLIVIA_')
    await waitFor(() => expect(rows('User Wallets')).toHaveLength(1))
    expect(rows('User Wallets')[0]).toMatch(/Olivia_1/)
    await user.type(screen.getByRole('searchbox', { name: 'Search by name' }), 'nobody')
    expect(await screen.findByText('No wallets found')).toBeTruthy()
  })

  it('adjusts a wallet, after a look at the new balance', async () => {
    await move(people.olivia, 'earned', 10)
    const { user } = await openWallets()
    await user.click(await screen.findByRole('button', { name: `Adjust wallet of ${name(people.olivia)}` }))
    const form = await dialog()
    const amount = form.getByLabelText(/Adjustment amount/)
    const reason = form.getByLabelText(/Reason/)
    const apply = form.getByRole('button', { name: 'Apply Adjustment' })
    const preview = () => form.getByRole('status').textContent
    expect(preview()).toBe('New balance€10.00')
    expect(apply).toHaveProperty('disabled', true)
    await user.type(amount, '0')
    expect(apply).toHaveProperty('disabled', true)
    await user.type(reason, '   ')
    expect(apply).toHaveProperty('disabled', true)
    await user.type(reason, 'Counted twice  ')
    expect(apply).toHaveProperty('disabled', false)
    await user.click(apply)
    expect(await screen.findByText('Please enter a valid adjustment amount')).toBeTruthy()
    expect(screen.getByText('Invalid Amount')).toBeTruthy()
    await user.clear(amount)
    expect(apply).toHaveProperty('disabled', true)
    await user.type(amount, '1')
    await user.keyboard('{ArrowUp}')
    expect(preview()).toBe('New balance€11.01')
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(preview()).toBe('New balance€10.99')
    await user.clear(amount)
    await user.type(amount, '-2.345')
    expect(amount).toHaveProperty('value', '-2.34')
    expect(preview()).toBe('New balance€7.66')
    await user.click(apply)
    expect(await screen.findByText('Wallet adjusted successfully')).toBeTruthy()
    expect(screen.getByText('Success')).toBeTruthy()
    await waitFor(() => expect(rows('User Wallets')[0]).toMatch(/€7\.66€10\.00€0\.00Adjust$/))
    expect(
      await sql(
        `select transaction_type, amount, description from public.coin_transactions where description <> 'Moved'`,
      ),
    ).toEqual([{ transaction_type: 'spent', amount: '2.34', description: 'Admin adjustment: Counted twice' }])
  })

  it('does not go below zero, and says so before and after', async () => {
    await move(people.olivia, 'earned', 10)
    await move(ada, 'earned', 5)
    const { user } = await openWallets()
    expect(screen.queryByRole('button', { name: `Adjust wallet of ${name(ada)}` })).toBeNull()
    await user.click(screen.getByRole('button', { name: `Adjust wallet of ${name(people.olivia)}` }))
    const form = await dialog()
    await user.type(form.getByLabelText(/Adjustment amount/), '-10.01')
    await user.type(form.getByLabelText(/Reason/), 'Too much')
    expect(form.getByRole('status').textContent).toBe('New balance-€0.01')
    expect(form.getByText('The balance cannot go below zero')).toBeTruthy()
    await user.click(form.getByRole('button', { name: 'Apply Adjustment' }))
    await waitFor(() => expect(screen.getAllByText('The balance cannot go below zero')).toHaveLength(2))
    expect(screen.getByText('Error')).toBeTruthy()
    expect(
      await sql('select coin_balance from public.user_wallets where user_id = $1', people.olivia.id),
    ).toEqual([{ coin_balance: '10.00' }])
  })
})

describe('the figures', () => {
  it('are the real ones in EUR, and follow the wallets', async () => {
    await move(people.olivia, 'earned', 1060.3)
    await move(people.marc, 'earned', 9.7)
    await move(people.marc, 'spent', 4)
    await sql(
      `update public.coin_transactions set created_at = now() - interval '31 days' where amount > 1000`,
    )
    await move(people.olivia, 'withdrawn', 20)
    await move(people.olivia, 'refunded', 1)
    await open('/admin/financials')
    await waitFor(() =>
      expect(figures()).toEqual({
        'Coins in circulation': '€1,047.00in 2 wallets',
        'Total earned': '€1,070.00',
        'Total withdrawn': '€20.00',
        'Net flow': '€1,050.00earnings minus withdrawals',
        'Coins vs Withdrawals': '5,235.0%coins in circulation by coins withdrawn',
        'Average per user': '€523.50',
        'Transactions in 30 days': '4',
        'Earned in 30 days': '€9.70',
        'Withdrawn in 30 days': '€20.00',
        'Spent in 30 days': '€4.00',
        'Refunded in 30 days': '€1.00',
      }),
    )
    expect(screen.getByRole('heading', { level: 2, name: 'Recent activity' })).toBeTruthy()
    await move(people.marc, 'earned', 3)
    await waitFor(() => expect(figures()['Total earned']).toBe('€1,073.00'), { timeout: 9000 })
  })

  it('are refused to a moderator', async () => {
    await open('/admin/financials', await newStaff('moderator'))
    expect(await screen.findByText('Your role does not include this page')).toBeTruthy()
    expect(screen.queryByRole('tab')).toBeNull()
  })
})

describe('transactions', () => {
  const descriptions = async (expected: string[]) =>
    waitFor(() =>
      expect(
        screen.queryByRole('table', { name: 'Transactions' })
          ? rows('Transactions').map((row) => expected.find((one) => row.includes(one)) ?? row)
          : [],
      ).toEqual(expected),
    )
  beforeEach(async () => {
    await move(people.olivia, 'earned', 100, 'One: Netflix')
    await move(people.olivia, 'earned', 10, 'Two: Spotify 100%')
    await move(people.olivia, 'withdrawn', 20, 'Three: to the bank')
    await move(people.marc, 'earned', 3.5, 'Four: netflix')
    await move(people.marc, 'spent', 1, 'Five: a month')
    await move(people.marc, 'refunded', 0.5, 'Six: 1000 thanks')
    const ages: [string, number][] = [
      ['One', 24 * 40],
      ['Two', 24 * 20],
      ['Three', 24 * 6],
      ['Four', 23],
      ['Five', 2],
      ['Six', 1],
    ]
    for (const [start, hours] of ages)
      await sql(
        `update public.coin_transactions set created_at = now() - make_interval(hours => $2) where description like $1 || ':%'`,
        start,
        String(hours),
      )
  })

  it('are filtered by time, type and text, under their statistics', async () => {
    const { user, at } = await open('/admin/financials?tab=transactions')
    await screen.findByRole('table', { name: 'Transactions' })
    expect(screen.getByRole('radio', { name: '7 days' })).toHaveProperty('checked', true)
    expect(screen.getAllByRole('radio').map((radio) => radio.getAttribute('value'))).toEqual([
      '1d',
      '7d',
      '30d',
      'all',
    ])
    await descriptions(['Six', 'Five', 'Four', 'Three'])
    expect(rows('Transactions')[3]).toMatch(/olivia\d+Withdrawn−€20\.00Three: to the bank6 days ago$/)
    expect(rows('Transactions')[2]).toMatch(/marc\d+Earned\+€3\.50Four: netflix/)
    await waitFor(() =>
      expect(rows('Transaction statistics')).toEqual([
        '24 hours3€3.50€1.00€0.00€0.50',
        '7 days4€3.50€1.00€20.00€0.50',
        'All time6€113.50€1.00€20.00€0.50',
      ]),
    )
    await user.click(screen.getByRole('radio', { name: '24 hours' }))
    await descriptions(['Six', 'Five', 'Four'])
    await user.click(screen.getByRole('radio', { name: '30 days' }))
    await descriptions(['Six', 'Five', 'Four', 'Three', 'Two'])
    await user.click(screen.getByRole('radio', { name: 'All time' }))
    await descriptions(['Six', 'Five', 'Four', 'Three', 'Two', 'One'])

    const types = { Earned: ['Four', 'Two', 'One'], Spent: ['Five'], Withdrawn: ['Three'], Refunded: ['Six'] }
    const type = screen.getByRole('combobox', { name: 'Type' })
    await user.click(type)
    const choices = await screen.findAllByRole('option')
    expect(choices.map(({ textContent }) => textContent)).toEqual(['All types', ...Object.keys(types)])
    await user.keyboard('{Escape}')
    for (const [label, found] of Object.entries(types)) {
      await user.click(type)
      await user.click(await screen.findByRole('option', { name: label }))
      await descriptions(found)
    }
    await user.click(type)
    await user.click(await screen.findByRole('option', { name: 'All types' }))
    const text = screen.getByRole('searchbox', { name: 'Search descriptions' })
    await user.type(text, 'NETFLIX')
    await descriptions(['Four', 'One'])
    await user.clear(text)
    await user.type(text, '100%')
    await descriptions(['Two'])
    expect(at()).toBe('/admin/financials?tab=transactions&range=all&type=all&q=100%25')
    await user.type(text, 'x')
    expect(await screen.findByText('No transactions found')).toBeTruthy()
  })

  it('are at most the latest 100, and new ones come by themselves', async () => {
    await sql(
      `insert into public.coin_transactions (user_id, transaction_type, amount, description, created_at)
       select $1, 'earned', n, 'Number ' || n, now() - make_interval(secs => 200 - n) from generate_series(1, 120) as n`,
      people.olivia.id,
    )
    await open('/admin/financials?tab=transactions&range=all')
    await screen.findByRole('table', { name: 'Transactions' })
    expect(rows('Transactions')).toHaveLength(100)
    expect(rows('Transactions')[0]).toMatch(/Number 120/)
    expect(rows('Transactions')[99]).toMatch(/€21\.00Number 21/)
    await move(people.marc, 'spent', 0.25, 'The latest')
    await waitFor(() => expect(rows('Transactions')[0]).toMatch(/The latest/), { timeout: 9000 })
    expect(rows('Transactions')).toHaveLength(100)
  })
})
