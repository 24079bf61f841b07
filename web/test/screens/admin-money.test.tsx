import { type SignedUpUser, signUpUser } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { bootServer, openApp } from '../app.tsx'
import { refuse } from '../connection.ts'
import { newPeople, type People, password } from '../sharing.ts'

const server = bootServer()
let count = 0
let people: People
let ada: SignedUpUser
const sql = (text: string, ...values: string[]) => server().db.query(text, values)

beforeEach(async () => {
  for (const table of ['withdrawal_requests', 'coin_transactions', 'user_wallets'])
    await sql(`delete from public.${table} where true`)
  people = await newPeople(server())
  ada = await newStaff('admin')
})

async function newStaff(role: string): Promise<SignedUpUser> {
  count += 1
  const person = await signUpUser(server(), `${role}${count}@money.example`, { password })
  await sql('insert into public.user_roles (user_id, role) values ($1, $2)', person.id, role)
  return person
}
const open = async (address: string, who = ada) => ({
  user: userEvent.setup(),
  ...(await openApp(server(), address, { as: { email: who.email, password } })),
})
const move = (person: SignedUpUser, type: string, amount: number, description = 'Moved') =>
  sql('select private.move_coins($1, $2, $3, $4)', person.id, type, String(amount), description)
/** Asks for coins as many minutes ago; gives the request's id. */
async function withdraw(person: SignedUpUser, amount: number, minutesAgo = 0): Promise<string> {
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

  it('ADMIN-36 API-22 DATA-19 shows the statistics and the requests, newest first, with who asked', async () => {
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

  it('ADMIN-37 ADMIN-38 ADMIN-40 ERR-53 VALID-27 API-35 WALLET-14 takes a withdrawal from pending to completed', async () => {
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

  it('ADMIN-39 ADMIN-40 VALID-26 rejects with a reason, which the button waits for', async () => {
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

  it('ERR-53 ADMIN-36 says why a decision was not taken, and follows what other admins decide', async () => {
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

  it('ADMIN-40 leaves the own withdrawal of an admin to somebody else', async () => {
    await move(ada, 'earned', 50)
    await withdraw(ada, 30)
    await open('/admin/withdrawals')
    expect(await screen.findByText('Someone else decides about your own withdrawal')).toBeTruthy()
    expect(buttons()).toEqual([])
  })

  it('ADMIN-04 ADMIN-36 is refused to a moderator, and says when it cannot be loaded or is empty', async () => {
    await open('/admin/withdrawals', await newStaff('moderator'))
    expect(await screen.findByText('Your role does not include this page')).toBeTruthy()
    expect(screen.queryByText('Withdrawal Requests')).toBeNull()
    const broken = refuse({ path: '/rpc/list_withdrawals', method: 'POST' }, 'XX000', 'broken', 500)
    const { user } = await open('/admin/withdrawals')
    expect(await screen.findByText('Failed to load withdrawals')).toBeTruthy()
    broken.heal()
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('No withdrawal requests yet')).toBeTruthy()
  })
})
