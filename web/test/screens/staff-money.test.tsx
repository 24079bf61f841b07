// Money in the administration: withdrawals, wallets, movements of coins, transfers, and the staff log.
// Proves WALLET 14, ADMIN 36-50, DATA 17 19, API 22-24 35 37, ERR 53 54, LIMIT 22, VALID 26-29, BOOKS 03-05
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { addBankAccount } from '../../../supabase/tests/bank-accounts.ts'
import { ageMoney, forgetMoney, moveCoins } from '../../../supabase/tests/coins.ts'
import { openApp, toasted } from '../app.tsx'
import { hold, refuse } from '../network.ts'
import { dialog, figures, rows, takeFiles } from '../parts.ts'
import { addStaff, nameOf } from '../people.ts'
import { newPeople, type People, password } from '../sharing.ts'

const server = await testServer()
const sql = (text: string, ...values: string[]) => server.db.query(text, values)
const ada = await addStaff(server, 'ada', 'admin')
const sofia = await addStaff(server, 'sofia', 'super-admin')
let people: People
beforeEach(async () => {
  await forgetMoney(server.db)
  people = await newPeople(server)
})

const open = (address: string, as = ada) => openApp(server, address, { as })
const move = (person: TestUser, type: Parameters<typeof moveCoins>[2], coins: number, text = 'Moved') =>
  moveCoins(server.db, person, type, coins, text)
const showsRows = (...wanted: RegExp[]) =>
  waitFor(() => expect(rows()).toEqual(wanted.map((row) => expect.stringMatching(row))))
const textOf = (selector: string) => [...document.querySelectorAll(selector)].map((one) => one.textContent)

/** Requests a withdrawal, dated some minutes ago; returns the request's id. */
async function withdraw(person: TestUser, amount: number, minutesAgo = 0): Promise<string> {
  const [row] = await sql(
    `insert into withdrawal_requests (user_id, amount, requested_at)
     values ($1, $2, now() - make_interval(mins => $3)) returning id`,
    person.id,
    String(amount),
    String(minutesAgo),
  )
  return String(row?.id)
}
const SAVED = ['success', 'Success', 'Withdrawal request updated successfully'] as const

it('withdrawals come live, are listed with who asks, approved, completed by another admin, or rejected with a reason', async () => {
  const { olivia, marc } = people
  const broken = refuse('POST /rpc/list_withdrawals', 'XX000', 'broken', 500)
  const { user } = await open('/admin/withdrawals')
  await screen.findByText('Failed to load withdrawals')
  broken.heal()
  await user.click(screen.getByText('Retry'))
  await screen.findByText('No withdrawal requests yet')
  await sql(`update user_profiles set full_name = 'Marc Moss' where user_id = $1`, marc.id)
  for (const person of [olivia, marc, ada]) await move(person, 'earned', 100)
  const paid = await withdraw(olivia, 20.5, 30)
  const own = await withdraw(ada, 30.25, 20)
  const rejected = await withdraw(marc, 40, 10)
  const stored = async (id: string) =>
    (
      await sql(
        `select status, stripe_transfer_id as transfer, bank_account_last4 as last4, rejection_reason as reason
         from withdrawal_requests where id = $1`,
        id,
      )
    )[0]
  await screen.findByRole('heading', { level: 1, name: 'Withdrawals' })
  await showsRows(
    /marc\d+Marc Moss€40\.00Pending10 minutes agoWaiting for a decisionRejectApprove$/,
    /ada\d+€30\.25Pending20 minutes ago.*Someone else decides on your own withdrawal$/,
    /olivia\d+€20\.50Pending30 minutes agoWaiting for a decisionRejectApprove$/,
  )
  expect(screen.getByText('Withdrawal Requests', { selector: 'h2' })).toBeTruthy()
  await waitFor(() =>
    expect(figures()).toEqual({
      Pending: '€90.753 requests',
      Processing: '€0.000 requests',
      Completed: '€0.000 requests',
      Rejected: '€0.000 requests',
    }),
  )
  await screen.findByLabelText('Paid out in 30 days: Withdrawn €0.00; at most €0.00 a day')

  await user.keyboard('jjja')
  const approving = await dialog(/^Approve/)
  approving.getByText(/Another admin then pays and completes it/)
  const approve = () => user.click(approving.getByText('Approve and Start Processing'))
  const digits = approving.getByLabelText(/Last 4 digits/)
  await user.type(approving.getByLabelText(/Transfer ID/), 'tr_1')
  await user.type(digits, 'DE89370400440532013000')
  await approve()
  await approving.findByText('Enter the last 4 digits, such as 3000')
  await user.clear(digits)
  await user.type(digits, '424242')
  expect([digits.getAttribute('maxlength'), (digits as HTMLInputElement).value]).toEqual(['4', '4242'])
  const refused = refuse('PATCH /rest/v1/withdrawal_requests', '23514', 'Someone was faster')
  await approve()
  await toasted('error', 'Error', 'Someone was faster')
  refused.heal()
  await approve()
  await toasted(...SAVED)
  const noted = { transfer: 'tr_1', last4: '4242', reason: null }
  expect(await stored(paid)).toEqual({ ...noted, status: 'processing' })
  // The admin who approved the withdrawal may still reject it, but another admin must complete it.
  await waitFor(() =>
    expect(rows()[2]).toMatch(
      /Processing.*Approved .+ by ada\d+.*Transfer tr_1.*Account ending in 4242Reject.*You approved this, so another admin completes it$/,
    ),
  )

  const { user: other } = await open('/admin/withdrawals', sofia)
  await other.click(await screen.findByLabelText(`Complete withdrawal of ${nameOf(olivia)}`))
  await other.click((await dialog(/^Complete/)).getByText('Mark as Completed'))
  // The response closes the dialog; the figures may arrive live before that.
  await waitFor(() => expect(document.querySelector('[role=dialog]')).toBeNull())
  await waitFor(() => expect(figures()).toMatchObject({ Completed: '€20.501 request' }))
  expect(await stored(paid)).toEqual({ ...noted, status: 'completed' })

  const reject = async (who: TestUser, reason: string) => {
    await other.click(screen.getByLabelText(`Reject withdrawal of ${nameOf(who)}`))
    const asked = await dialog(/^Reject/)
    const button = asked.getByText('Reject Withdrawal', { selector: 'button *' }).closest('button')
    expect(button?.disabled).toBe(true)
    await other.type(asked.getByLabelText(/Rejection reason/), '   ')
    expect(button?.disabled).toBe(true)
    await other.type(asked.getByLabelText(/Rejection reason/), reason)
    await other.click(button as HTMLElement)
    await waitFor(() => expect(screen.queryByText('Reject Withdrawal')).toBeNull())
  }
  await reject(marc, 'Unknown account ')
  const told = { transfer: null, last4: null, reason: 'Unknown account', status: 'rejected' }
  expect(await stored(rejected)).toEqual(told)
  // A withdrawal that is processing can be rejected too: the bank may return the money.
  await sofia.client.from('withdrawal_requests').update({ status: 'processing' }).eq('id', own).throwOnError()
  await waitFor(() => expect(rows()[1]).toMatch(/Processing/))
  await reject(ada, 'The bank sent it back')
  await showsRows(
    /Rejected.*Reason: Unknown account$/,
    /Rejected[^A]+ by sofia\d+.*Reason: The bank sent it back$/,
    /Completed.*Account ending in 4242/,
  )
})

it('a super-admin turns the second admin off, which takes a proof and a day, and cancels it; then one admin is enough', async () => {
  const { olivia } = people
  onTestFinished(async () => void (await sql('update app_settings set two_admins_until = null')))
  const selma = await addStaff(server, 'selma', 'super-admin')
  const { user, client } = await open('/admin?tab=settings', selma)
  await sql(
    `update auth.sessions set amr = (select jsonb_agg(shown || jsonb_build_object('timestamp', (shown ->> 'timestamp')::numeric - 900))
       from jsonb_array_elements(amr) as shown) where user_id = $1`,
    selma.id,
  )
  await client.auth.refreshSession()
  const twoAdmins = () =>
    screen.findByLabelText<HTMLInputElement>(/^Two admins per withdrawal/, { selector: 'input' })
  const ON =
    'One admin approves it, another completes it. Turning this off emails all super-admins and takes effect after 24 hours.'
  await screen.findByText(ON)
  await user.click(await twoAdmins())
  const proof = await dialog('Confirm it’s you')
  await user.type(await proof.findByLabelText('Password'), `${password}{Enter}`)
  await screen.findByText(/^Turns off on .+\. Turn it on to cancel\.$/)
  await waitFor(async () => expect((await twoAdmins()).checked).toBe(false))
  await user.click(await twoAdmins())
  await screen.findByText(ON)
  expect(await sql('select two_admins_until as until from app_settings')).toEqual([{ until: null }])

  await move(olivia, 'earned', 100)
  const paid = await withdraw(olivia, 20.5)
  await ada.client.from('withdrawal_requests').update({ status: 'processing' }).eq('id', paid).throwOnError()
  await open('/admin/withdrawals')
  await screen.findByText('You approved this, so another admin completes it')
  await sql('update app_settings set two_admins_until = now()')
  await open('/admin?tab=settings')
  await screen.findByText('Two admins per withdrawal: off')
  const { user: hers } = await open('/admin/withdrawals')
  await hers.click(await screen.findByLabelText(`Complete withdrawal of ${nameOf(olivia)}`))
  await hers.click((await dialog(/^Complete/)).getByText('Mark as Completed'))
  await waitFor(() => expect(figures()).toMatchObject({ Completed: '€20.501 request' }))
})

it('wallets are listed by balance and found by name; one of others is adjusted once, within its bounds', async () => {
  const { olivia, marc, zoe } = people
  await sql(
    `update user_profiles set display_name = case user_id when $1 then 'Olivia_1' else 'Olivia 1' end
     where user_id in ($1, $2)`,
    olivia.id,
    zoe.id,
  )
  for (const [person, coins] of [
    [olivia, 50],
    [marc, 60.5],
    [zoe, 9],
    [ada, 5],
  ] as const)
    await move(person, 'earned', coins)
  await move(marc, 'withdrawn', 5)
  await addBankAccount(server.db, olivia)
  await withdraw(olivia, 30)
  const { user, at, cache } = await open('/admin/financials')
  await screen.findByText('User Wallets')
  expect(textOf('[role=tab]')).toEqual(['Overview', 'User Wallets', 'Transactions'])
  await user.click(screen.getByText('User Wallets'))
  await waitFor(() => expect(at()).toBe('/admin/financials?tab=wallets'))
  await showsRows(
    /marc\d+€55\.50€60\.50€5\.00Adjust$/,
    /Olivia_1€50\.00€50\.00€0\.00Adjust$/,
    /Olivia 1€9\.00€9\.00€0\.00Adjust$/,
    /ada\d+€5\.00€5\.00€0\.00$/,
  )
  await user.type(screen.getByLabelText('Search by name'), 'OLIVIA_')
  await showsRows(/Olivia_1/)

  await user.click(screen.getByLabelText('Adjust wallet of Olivia_1'))
  const form = await dialog('Adjust wallet')
  await form.findByText(/are available/)
  expect(form.getByText(/in coins/).textContent).toBe(
    'Olivia_1 has €50.00 in coins, of which €20.00 are available and the rest is waiting to be paid out.',
  )
  const amount = form.getByLabelText(/Adjustment amount/)
  const reason = form.getByLabelText(/Reason/)
  const apply = form.getByText('Apply Adjustment').closest('button') as HTMLButtonElement
  const preview = () => form.getByRole('status').textContent
  const type = async (text: string) => {
    await user.clear(amount)
    await user.type(amount, text)
  }
  expect([preview(), apply.disabled]).toEqual(['New balance€50.00', true])
  await type('0')
  await user.type(reason, '   ')
  expect(apply.disabled).toBe(true)
  await user.type(reason, 'Counted twice  ')
  await user.click(apply)
  await toasted('error', 'Invalid Amount', 'Please enter a valid adjustment amount')
  await user.clear(amount)
  expect(apply.disabled).toBe(true)
  await type('1{ArrowUp}')
  expect(preview()).toBe('New balance€51.01')
  await type('-20.01')
  const refusal = 'Only 20.00 coins are available. The rest is waiting to be paid out.'
  expect([form.getByText(refusal).id, preview()]).toEqual([
    amount
      .getAttribute('aria-describedby')
      ?.split(' ')
      .find((id) => id.endsWith('error')),
    '',
  ])
  await user.click(apply)
  await toasted('error', 'Error', refusal)
  // An ambiguous number is not interpreted.
  await type('-2.345')
  await user.tab()
  expect(preview()).toBe('New balance€50.00')
  form.getByText('Is it -2.345 or -2345? Write thousands without a sign between them.')
  await type('-2,34')
  expect([(amount as HTMLInputElement).value, preview()]).toEqual(['-2,34', 'New balance€47.66'])

  await waitFor(() => expect(apply.hasAttribute('data-loading')).toBe(false))
  // Submitting the form several times quickly moves the coins only once.
  const adjusting = hold('POST /rest/v1/rpc/adjust_wallet')
  const submit = () => fireEvent.submit(amount.closest('form') as HTMLFormElement)
  submit()
  submit()
  await waitFor(() => expect(adjusting.sent).toHaveLength(1))
  submit()
  fireEvent.click(apply)
  expect(cache.getMutationCache().findAll({ status: 'pending' })).toHaveLength(1)
  adjusting.letGo()
  await toasted('success', 'Success', 'Wallet adjusted successfully')
  await showsRows(/€47\.66€50\.00€0\.00Adjust$/)
  expect(
    await sql(
      `select transaction_type, amount, description from coin_transactions where description <> 'Moved'`,
    ),
  ).toEqual([{ transaction_type: 'spent', amount: '2.34', description: 'Admin adjustment: Counted twice' }])
  await user.click(screen.getByText('Transactions'))
  await waitFor(() =>
    expect(rows('Transactions')[0]).toMatch(/Spent−€2\.34Admin adjustment: Counted twiceby ada\d+just now$/),
  )
})

it('the figures are the real ones in EUR; transactions are filtered by time, type and text, the latest 100', async () => {
  const { olivia, marc } = people
  for (const [person, type, amount, description, hoursAgo] of [
    [olivia, 'earned', 100, 'One: Netflix', 24 * 40],
    [olivia, 'earned', 10, 'Two: Spotify 100%', 24 * 20],
    [olivia, 'withdrawn', 20, 'Three: to the bank', 24 * 6],
    [marc, 'earned', 3.5, 'Four: netflix', 23],
    [marc, 'spent', 1, 'Five: a month', 2],
    [marc, 'refunded', 0.5, 'Six: 1000 thanks', 1],
  ] as const) {
    await move(person, type, amount, description)
    await sql(
      `update coin_transactions set created_at = now() - make_interval(hours => $2) where description = $1`,
      description,
      String(hoursAgo),
    )
  }
  const { user, at } = await open('/admin/financials')
  await waitFor(() =>
    expect(figures()).toEqual({
      'Total earned': '€113.50',
      'Total withdrawn': '€20.00',
      'Net flow': '€93.50earnings minus withdrawals',
      'Coins vs Withdrawals': '465.0%in circulation, compared with what was withdrawn',
      'Average per user': '€46.50in 2 wallets',
      Transactions: '5',
      Spent: '€1.00',
      Refunded: '€0.50',
    }),
  )
  expect(screen.getByText('Recent activity', { selector: 'h2' })).toBeTruthy()
  const chart = await screen.findByLabelText(
    'Day by day: Earned €13.50, Withdrawn €20.00; at most €20.00 a day',
  )
  const days = [...chart.querySelectorAll('g')]
  expect(days).toHaveLength(30)
  expect(days[9]?.querySelector('title')?.textContent).toMatch(/, Earned €10\.00, Withdrawn €0\.00$/)
  const heights = [...(days[9]?.querySelectorAll('rect') ?? [])].map((bar) => bar.getAttribute('height'))
  expect(heights).toEqual(['100', '50', '0'])

  await user.click(screen.getByText('Transactions', { selector: '[role=tab] *' }))
  const shown = () => rows('Transactions')
  const shows = (...names: string[]) =>
    waitFor(() =>
      expect(shown().map((row) => names.find((name) => row.includes(`${name}: `)) ?? row)).toEqual(names),
    )
  await shows('Six', 'Five', 'Four', 'Three')
  // The filters are loaded after the list.
  const ranges = () =>
    [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')].map(
      ({ value, checked }) => `${value} ${checked}`,
    )
  await waitFor(() => expect(ranges()).toEqual(['1d false', '7d true', '30d false', 'all false']))
  expect(shown()[3]).toMatch(/olivia\d+Withdrawn−€20\.00Three: to the bank6 days ago$/)
  expect(shown()[2]).toMatch(/marc\d+Earned\+€3\.50Four: netflix/)
  const sums = () => screen.getByLabelText('Transaction statistics').textContent
  await screen.findByLabelText('Transaction statistics')
  expect(sums()).toBe('4 transactionsEarned €3.50Spent €1.00Withdrawn €20.00Refunded €0.50')
  for (const [range, total, ...found] of [
    ['24 hours', /^3 .*Earned €3\.50.*Withdrawn €0\.00/, 'Six', 'Five', 'Four'],
    ['30 days', /^5 .*Earned €13\.50/, 'Six', 'Five', 'Four', 'Three', 'Two'],
    ['All time', /^6 .*Earned €113\.50/, 'Six', 'Five', 'Four', 'Three', 'Two', 'One'],
  ] as const) {
    await user.click(screen.getByLabelText(range))
    await shows(...found)
    expect(sums()).toMatch(total)
  }
  const choose = async (type: string) => {
    await user.click(screen.getByLabelText('Type', { selector: 'input' }))
    await user.click(await screen.findByText(type, { selector: '[role=option] *' }))
  }
  await choose('Earned')
  await shows('Four', 'Two', 'One')
  const types = [...document.querySelectorAll('[role=option]')].map(({ textContent }) => textContent)
  expect(types).toEqual(['All types', 'Earned', 'Spent', 'Withdrawn', 'Refunded'])
  const text = screen.getByLabelText('Search descriptions')
  await user.type(text, 'NETFLIX')
  await shows('Four', 'One')
  await choose('All types')
  await user.clear(text)
  await user.type(text, '100%')
  await shows('Two')
  expect(at()).toBe('/admin/financials?tab=transactions&range=all&type=all&q=100%25')
  await user.type(text, 'x')
  await screen.findByText('No transactions found')

  await sql(
    `insert into coin_transactions (user_id, transaction_type, amount, description, created_at)
     select $1, 'earned', n, 'Number: ' || n, now() - make_interval(secs => 200 - n) from generate_series(1, 101) as n`,
    olivia.id,
  )
  await user.clear(text)
  await user.type(text, 'Number')
  await waitFor(() => expect(shown()[99]).toMatch(/€2\.00Number: 2/))
  expect(shown()).toHaveLength(100)
})

it('each transfer has its cause, is found by person, kind and time, and saved; super-admins read what staff did', async () => {
  const { olivia, marc } = people
  await move(olivia, 'refunded', 30, 'Long ago')
  await ageMoney(server.db, '40 days')
  await move(marc, 'earned', 5, 'Of Marc')
  const adjusted = { p_user_id: olivia.id, p_amount: -2, p_reason: 'Counted twice' }
  await ada.client.rpc('adjust_wallet', adjusted).throwOnError()
  const shows = (...wanted: RegExp[]) =>
    waitFor(() => expect(rows('Transfers')).toEqual(wanted.map((cause) => expect.stringMatching(cause))))
  const { user, at, router } = await open('/admin/transfers')
  await shows(
    /Correction€2\.00Wallet → Correctionsolivia\d+.*Admin adjustment: Counted twiceby ada\d+$/,
    /Of Marc$/,
    /Long ago$/,
  )
  const ofMarc = screen.getByText(nameOf(marc)).closest('a')
  expect(ofMarc?.getAttribute('href')).toBe(`/admin/people/${marc.id}`)
  const day = new Date(Date.now() - 40 * 86_400_000).toLocaleDateString('sv-SE')
  await router.navigate({ href: `/admin/transfers?from=${day}&until=${day}` })
  await shows(/Long ago$/)
  await router.navigate({ href: '/admin/transfers?until=2020-01-01' })
  await screen.findByText('No transfers found')
  await router.navigate({ href: '/admin/transfers' })
  await user.type(await screen.findByLabelText('Person', { selector: 'input' }), nameOf(olivia))
  await user.click(await screen.findByRole('option', { name: new RegExp(nameOf(olivia)) }))
  await shows(/Counted twice/, /Long ago$/)
  expect(at()).toContain(`person=${olivia.id}`)
  await user.click(screen.getByLabelText('Kind', { selector: 'input' }))
  await user.click(await screen.findByText('Refunded', { selector: '[role=option] *' }))
  await shows(/Long ago$/)
  const nextFile = takeFiles()
  await user.click(screen.getByText('Save all as CSV'))
  const lines = (await nextFile()).split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toMatch(/,Refunded,30.00,Bank and provider,Wallet,olivia\d+,,Long ago,$/)

  await router.navigate({ href: '/admin/log' })
  await screen.findByText('Your role does not include this page')
  const { user: staff } = await open('/admin/log', sofia)
  const entries = () => textOf('ul[aria-label^="Staff log"] li')
  await waitFor(() =>
    expect(entries()[0]).toMatch(new RegExp(`^Wallet adjusted: ${nameOf(olivia)}.*ada\\d+$`)),
  )
  expect(entries().at(-1)).toMatch(/^Role given to ada\d+: Admin.*Potluck$/)
  await staff.click(screen.getByText(`Wallet adjusted: ${nameOf(olivia)}`))
  const entry = await dialog(`Wallet adjusted: ${nameOf(olivia)}`)
  expect(entry.getByText('Details').parentElement?.textContent).toMatch(
    /amount: -€2\.00.*reason: Admin adjustment: Counted twice.*Ids and hash.*hash [0-9a-f]{64}$/,
  )
})
