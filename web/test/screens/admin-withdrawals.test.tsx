import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CoinType, forgetMoney, moveCoins } from '../../../supabase/tests/coins.ts'
import { openApp, toasted } from '../app.tsx'
import { refuse } from '../network.ts'
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

const open = (address: string, as = ada) => openApp(server, address, { as })
const move = (person: TestUser, type: CoinType, amount: number, description = 'Moved') =>
  moveCoins(server.db, person, type, amount, description)
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

describe('withdrawals', () => {
  const stored = async (id: string) =>
    (
      await sql(
        `select status, stripe_transfer_id as transfer, bank_account_last4 as last4, rejection_reason as reason
         from public.withdrawal_requests where id = $1`,
        id,
      )
    )[0]
  const buttons = () => [...document.querySelectorAll('tbody button')].map(({ textContent }) => textContent)
  const SAVED = ['success', 'Success', 'Withdrawal request updated successfully'] as const

  it('are counted and listed, newest first, with who asked; the own one is left to others', async () => {
    await sql(`update public.user_profiles set full_name = 'Marc Moss' where user_id = $1`, people.marc.id)
    for (const person of [people.olivia, people.marc, ada]) await move(person, 'earned', 100)
    await withdraw(people.olivia, 20.5, 30)
    await withdraw(people.marc, 40, 10)
    await withdraw(ada, 30.25, 20)
    await open('/admin/withdrawals')
    await screen.findByRole('heading', { level: 1, name: 'Withdrawals' })
    await screen.findByRole('heading', { level: 2, name: 'Withdrawal Requests' })
    await table('Withdrawal Requests')
    const [marc, own, olivia] = rows()
    expect(marc).toMatch(/marc\d+Marc Moss€40\.00Pending10 minutes agoWaits for a decisionRejectApprove$/i)
    expect(own).toMatch(
      /ada€30\.25Pending20 minutes agoWaits for a decision.*Someone else decides about your own withdrawal$/,
    )
    expect(olivia).toMatch(/olivia\d+€20\.50Pending30 minutes agoWaits for a decisionRejectApprove$/)
    await waitFor(() =>
      expect(figures()).toEqual({
        Pending: '€90.753 requests',
        Processing: '€0.000 requests',
        Completed: '€0.000 requests',
        Rejected: '€0.000 requests',
      }),
    )
    await screen.findByRole('img', { name: 'Paid out in 30 days: Withdrawn €0.00; at most €0.00 a day' })
  })

  it('are taken from pending to completed, or rejected with a reason, which the button waits for', async () => {
    await move(people.olivia, 'earned', 100)
    const rejected = await withdraw(people.olivia, 25, 5)
    const paid = await withdraw(people.olivia, 30)
    const { user } = await open('/admin/withdrawals')
    await waitFor(() => expect(buttons()).toEqual(['Reject', 'Approve', 'Reject', 'Approve']))
    await user.keyboard('ja')
    const approving = await dialog()
    const digits = approving.getByLabelText(/Last 4 digits/)
    await user.type(approving.getByLabelText(/Transfer ID/), 'tr_1')
    await user.type(digits, 'DE89370400440532013000')
    await user.click(approving.getByText('Approve and Start Processing'))
    await approving.findByText('Enter the last 4 digits, such as 3000')
    await user.clear(digits)
    await user.type(digits, '424242')
    expect(digits).toHaveProperty('value', '4242')
    expect(digits.getAttribute('maxlength')).toBe('4')
    await user.click(approving.getByText('Approve and Start Processing'))
    await toasted(...SAVED)
    await waitFor(() => expect(buttons()).toEqual(['Reject', 'Reject', 'Approve']))
    const noted = { transfer: 'tr_1', last4: '4242', reason: null }
    expect(await stored(paid)).toEqual({ ...noted, status: 'processing' })
    expect(rows()[0]).toMatch(/Processing.*Approved just now by ada.*Transfer tr_1.*Account ending in 4242/)

    const { user: other } = await open('/admin/withdrawals', sofia)
    await other.click(await screen.findByRole('button', { name: /^Complete withdrawal of olivia/ }))
    await other.click((await dialog()).getByText('Mark as Completed'))
    await waitFor(() => expect(buttons()).toEqual(['Reject', 'Approve']))
    expect(await stored(paid)).toEqual({ ...noted, status: 'completed' })
    await waitFor(() => expect(figures()).toMatchObject({ Completed: '€30.001 request' }))

    ;(
      screen.getByRole('button', { name: /^Reject withdrawal of olivia/ }).closest('tr') as HTMLElement
    ).focus()
    await other.keyboard('r')
    const asked = await dialog()
    const reject = asked.getByText('Reject Withdrawal', { selector: 'button *' }).closest('button')
    const reason = asked.getByLabelText(/Rejection reason/)
    expect(reject?.disabled).toBe(true)
    await other.type(reason, '   ')
    expect(reject?.disabled).toBe(true)
    await other.type(reason, 'Unknown account ')
    await other.click(reject as HTMLElement)
    await waitFor(() => expect(buttons()).toEqual([]))
    const told = { transfer: null, last4: null, reason: 'Unknown account' }
    expect(await stored(rejected)).toEqual({ ...told, status: 'rejected' })
    expect(rows()[1]).toMatch(/Rejected.*Reason: Unknown account/)
  })

  it('say when they cannot be loaded or are none, why a decision failed, and follow other admins', async () => {
    const broken = refuse('POST /rpc/list_withdrawals', 'XX000', 'broken', 500)
    const { user } = await open('/admin/withdrawals')
    await screen.findByText('Failed to load withdrawals')
    broken.heal()
    await user.click(screen.getByText('Retry'))
    await screen.findByText('No withdrawal requests yet')
    await move(people.olivia, 'earned', 100)
    const id = await withdraw(people.olivia, 30)
    await user.click(await screen.findByRole('button', { name: /^Approve withdrawal of olivia/ }))
    await sofia.client
      .from('withdrawal_requests')
      .update({ status: 'processing' })
      .eq('id', id)
      .throwOnError()
    await screen.findByText('Processing', { selector: 'table *' })
    await user.click((await dialog()).getByText('Approve and Start Processing'))
    await toasted('error', 'Error', 'A processing withdrawal cannot become processing')
  })
})
