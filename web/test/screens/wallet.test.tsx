// A person's money: the wallet and its history, withdrawals, the monthly statement, and savings; and the site's public
// books.
// Proves NAV 15, WALLET 01-05 09-17, SAVE 01-09, API 19 35 55, ERR 47, LIMIT 22, VALID 21 22, PAY 17, BOOKS
// 01 02, PAYOUT 01
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { monthInWords, monthOf, shiftMonth } from '#domain/months.ts'
import { addBankAccount } from '../../../supabase/tests/bank-accounts.ts'
import { ageMoney, moveCoins } from '../../../supabase/tests/coins.ts'
import { openApp, toasted } from '../app.tsx'
import { failNetwork, refuse, silenceLive } from '../network.ts'
import { dialog, figures, region, rows, takeFiles } from '../parts.ts'
import { addStaff, newPerson } from '../people.ts'
import { join, newPeople, payOwner, payThroughSite, sharePlan, takePayments } from '../sharing.ts'

const server = await testServer()
const { db } = server
let olivia: TestUser
beforeEach(async () => {
  olivia = await newPerson(server, 'olivia')
  await takePayments(server)
})
const withoutPayments = () => db.query('delete from private.payment_provider')
const open = (address = '/my-savings') => openApp(server, address, { as: olivia })
const move = (type: Parameters<typeof moveCoins>[2], coins: number, text = 'A share', person = olivia) =>
  moveCoins(db, person, type, coins, text)
const withdraw = async (amount: number, person = olivia) => {
  await addBankAccount(db, person, { last4: '4821' })
  const asked = person.client.from('withdrawal_requests').insert({ user_id: person.id, amount })
  return (await asked.select('id').single().throwOnError()).data.id
}
const withdrawals = () =>
  db.query('select amount, status from withdrawal_requests where user_id = $1 order by requested_at', [
    olivia.id,
  ])
const figure = async (label: string) =>
  (await (await region('Your wallet')).findByText(label)).nextElementSibling?.textContent
/** The entries of the history that is shown. */
const lines = () => [...document.querySelectorAll('main section li')].map(({ textContent }) => textContent)
const tabs = () => [...document.querySelectorAll('[role=tab]')].map(({ textContent }) => textContent)
const tab = (name: string) => screen.getByText(name, { selector: '[role=tab] *' })

it('the wallet begins with zeros, and hides where members pay owners directly until there are coins', async () => {
  await withoutPayments()
  onTestFinished(() => takePayments(server))
  await open()
  await screen.findByText('Your members pay you directly, so there are no coins to earn.')
  expect([screen.queryByText('How coins work'), tabs()]).toEqual([null, []])
  await takePayments(server)
  const failure = refuse('GET rest/v1/user_wallets', '42501', 'permission denied', 403)
  const { user, at, cache } = await open('/savings')
  await screen.findByText('Failed to load wallet data')
  failure.heal()
  await user.click((await region('Your wallet')).getByText('Retry'))
  for (const label of ['Coin balance', 'Total earned', 'Total withdrawn'])
    expect(await figure(label)).toBe('0.00 coins')
  const zero = { coin_balance: '0.00', total_earned: '0.00', total_withdrawn: '0.00' }
  expect(
    await db.query(
      'select coin_balance, total_earned, total_withdrawn from user_wallets where user_id = $1',
      [olivia.id],
    ),
  ).toEqual([zero])
  expect(tabs()).toEqual(['Overview', 'Transactions', 'Withdrawals'])
  await screen.findByText('Add a bank account')
  // Without coins set aside, the available balance is the balance above.
  expect([screen.queryByText('Available balance'), screen.queryByText('Withdraw coins')]).toEqual([
    null,
    null,
  ])
  const how = await region('How coins work')
  expect(how.getByText(/^1 coin is 1 euro\./)).toBeTruthy()
  expect(how.getByText('Withdrawals are processed manually in 1-3 business days.')).toBeTruthy()
  await user.click(tab('Transactions'))
  await screen.findByText('No transactions yet')
  expect(screen.queryByLabelText('Your wallet')).toBeNull()
  expect(screen.getByText('Share a plan').closest('a')?.getAttribute('href')).toBe('/create')
  await user.click(tab('Withdrawals'))
  await screen.findByText('No withdrawals yet')
  expect(at()).toContain('tab=withdrawals')
  await withoutPayments()
  await move('earned', 5)
  await cache.invalidateQueries()
  await user.click(tab('Overview'))
  await waitFor(async () => expect(await figure('Coin balance')).toBe('5.00 coins'))
})

it('the history has the last 50 movements of one’s own coins, newest first, and one’s own withdrawals, to an admin too', async () => {
  await db.query(`insert into user_roles (user_id, role) values ($1, 'admin')`, [olivia.id])
  const zoe = await newPerson(server, 'zoe')
  await move('earned', 27, 'Of someone else', zoe)
  await withdraw(20, zoe)
  await db.query(
    `insert into coin_transactions (user_id, transaction_type, amount, description)
     select $1, 'earned', 1, 'Share ' || n from generate_series(1, 47) as n`,
    [olivia.id],
  )
  await move('earned', 1200.5, 'Netflix Premium: share for 2026-11')
  await move('spent', 3, 'A <b>treat</b>')
  await move('refunded', 1, 'Treat returned')
  await move('withdrawn', 20, 'Withdrawal to bank account')
  const { user } = await open('/my-savings?tab=transactions')
  await waitFor(() => expect(lines()).toHaveLength(50))
  const shown = lines()
  expect(shown.slice(0, 5)).toEqual([
    'Withdrawal to bank accountWithdrawn · just now−20.00 coins',
    'Treat returnedRefunded · just now+1.00 coin',
    'A <b>treat</b>Spent · just now−3.00 coins',
    'Netflix Premium: share for 2026-11Earned · just now+1,200.50 coins',
    'Share 47Earned · just now+1.00 coin',
  ])
  // The list shows 50 entries; the oldest of the 51 is left out.
  expect(shown[49]).toMatch(/^Share 2Earned/)
  const viewport = screen.getByRole('group', { name: 'Transaction history' })
  const area = viewport.closest<HTMLElement>('.mantine-ScrollArea-root')
  expect([area?.style.height, viewport.tabIndex]).toEqual(['400px', 0])
  expect(viewport.querySelectorAll('li')).toHaveLength(50)
  await user.click(tab('Withdrawals'))
  await screen.findByText('No withdrawals yet')
})

it('follows balance, movements and withdrawals live, with the mood of the pot', async () => {
  const [ada, anton] = [await addStaff(server, 'ada', 'admin'), await addStaff(server, 'anton', 'admin')]
  await move('earned', 20)
  const { user, client } = await open()
  const pot = (name: string) => screen.findByLabelText(name, { selector: '[role=img]' })
  await pot('A calm pot')
  await waitFor(() => expect(client.getChannels().some(({ state }) => state === 'joined')).toBe(true))
  const watched = client.getChannels().flatMap(({ bindings }) => bindings.postgres_changes ?? [])
  for (const table of ['user_wallets', 'coin_transactions', 'withdrawal_requests'])
    expect(watched.map(({ filter }) => filter)).toContainEqual({
      event: '*',
      schema: 'public',
      table,
      filter: `user_id=eq.${olivia.id}`,
    })
  await move('earned', 30)
  await pot('An excited pot')
  expect(await figure('Coin balance')).toBe('50.00 coins')
  await move('earned', 70)
  const sparkling = await pot('A sparkling pot')
  expect(sparkling.querySelector('[data-mood]')?.getAttribute('data-mood')).toBe('sparkling')
  await user.click(tab('Transactions'))
  await waitFor(() => expect(lines()).toHaveLength(3))
  await move('spent', 10, 'Came while looking')
  await screen.findByText('Came while looking')
  await user.click(tab('Withdrawals'))
  await screen.findByText('No withdrawals yet')
  const decide = (id: string, changes: object, by = ada) =>
    by.client.from('withdrawal_requests').update(changes).eq('id', id).throwOnError()
  const shows = (...wanted: string[]) => waitFor(() => expect(lines()).toEqual(wanted))
  const first = await withdraw(60)
  await shows('60.00 coinsjust nowPending')
  await decide(first, { status: 'processing', bank_account_last4: '4821' })
  await screen.findByText('Processing')
  const second = await withdraw(25)
  await screen.findByText('Pending')
  // 110 coins, of which 60 are processing and 25 pending.
  await user.click(tab('Overview'))
  await waitFor(async () => expect(await figure('Available balance')).toBe('25.00 coins'))
  expect(await figure('Coin balance')).toBe('110.00 coins')
  await decide(second, { status: 'rejected', rejection_reason: 'The account is not yours' })
  await waitFor(async () => expect(await figure('Available balance')).toBe('50.00 coins'))
  await decide(first, { status: 'completed' }, anton)
  await waitFor(async () => expect(await figure('Coin balance')).toBe('50.00 coins'))
  expect([await figure('Total withdrawn'), await figure('Total earned')]).toEqual([
    '60.00 coins',
    '120.00 coins',
  ])
  await pot('An excited pot')
  await user.click(tab('Withdrawals'))
  await shows('25.00 coinsjust now · The account is not yoursRejected', '60.00 coinsjust nowCompleted')
  await user.click(screen.getByText('Completed'))
  const details = (await dialog('60.00 coins')).getByText('Bank account').closest('dl')
  expect(details?.textContent).toBe(
    'Amount60.00 coinsRequestedjust nowStateCompletedPaid outjust nowBank accountending in 4821',
  )
})

it('a withdrawal takes a bank account and an amount that is there; what failed is told, and the amount kept', async () => {
  await move('earned', 65.5)
  // This page receives no live updates about the coins.
  silenceLive()
  const { user, cache } = await open()
  const begin = async () => {
    await user.click(await screen.findByText('Withdraw coins'))
    const form = await dialog('Request Withdrawal')
    const amount = form.getByLabelText<HTMLInputElement>('Amount in coins')
    const fill = async (typed: string) => {
      await user.clear(amount)
      await user.type(amount, typed)
    }
    const send = async () => {
      await waitFor(() => expect(document.querySelector('[role=dialog] [data-loading]')).toBeNull())
      await user.click(form.getByText('Request withdrawal'))
    }
    return { form, amount, fill, send }
  }
  await user.click(await screen.findByText('Add a bank account'))
  await dialog('Your bank account')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  await withdraw(20)
  await cache.invalidateQueries()
  await waitFor(async () => expect(await figure('Available balance')).toBe('45.50 coins'))
  const { form, amount, fill, send } = await begin()
  expect(form.getByText('45.50 coins')).toBeTruthy()
  expect(form.getByText('Withdrawals are processed manually in 1-3 business days.')).toBeTruthy()
  const quick = [...screen.getByLabelText('Quick amounts').querySelectorAll('button')]
  expect(quick.map(({ textContent, disabled }) => `${textContent} ${disabled}`)).toEqual([
    '25%11 coins true',
    '50%22 coins false',
    '75%34 coins false',
    '100%45.5 coins false',
  ])
  await user.click(quick[1] as HTMLElement)
  expect(amount.value).toBe('22')
  await user.click(quick[3] as HTMLElement)
  expect([amount.value, form.getByText('€45.50') !== null]).toEqual(['45.5', true])
  await fill('45.51')
  expect(amount.getAttribute('aria-invalid')).not.toBe('true')
  await send()
  expect(form.getByText('Maximum withdrawal amount is 45.50 coins')).toBeTruthy()
  expect(amount.getAttribute('aria-invalid')).toBe('true')
  await fill('30')
  const storing = failNetwork('POST rest/v1/withdrawal_requests')
  const hearing = failNetwork('GET rest/v1/')
  await send()
  await toasted('error', 'Withdrawal Failed', 'Failed to process withdrawal')
  expect(amount.value).toBe('30')
  storing.heal()
  await withdraw(25)
  await send()
  await toasted('error', 'Withdrawal Failed', 'Maximum withdrawal amount is 20.50 coins')
  hearing.heal()
  await fill('20,50 €')
  await send()
  await toasted(
    'success',
    'Withdrawal Requested',
    '20.50 coins. Withdrawals are processed manually in 1-3 business days.',
  )
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect((await withdrawals()).map(({ amount, status }) => `${Number(amount)} ${status}`)).toEqual([
    '20 pending',
    '25 pending',
    '20.5 pending',
  ])
})

it('the statement shows a month, goes to the one before and no further, and is saved and printed', async () => {
  const THIS = monthOf(new Date())
  const LAST = shiftMonth(THIS, -1)
  const heading = (month: string) => screen.findByText(monthInWords(month), { selector: 'h1, h2' })
  const balances = () =>
    ['Opening balance', 'Closing balance'].map(
      (label) => screen.getByText(label).nextElementSibling?.textContent,
    )
  const { user, at, router, cache } = await open('/my-savings/statement?month=nonsense')
  await screen.findByText(`No transactions in ${monthInWords(THIS)}.`)
  await move('earned', 30, 'Old share')
  await ageMoney(db, `${(Date.now() - new Date(`${LAST}-15T12:00`).getTime()) / 1000} seconds`)
  await move('earned', 4.4, '=HYPERLINK("x")')
  const ada = await addStaff(server, 'ada', 'admin')
  const correction = { p_user_id: olivia.id, p_amount: -2.3, p_reason: 'Counted twice' }
  await ada.client.rpc('adjust_wallet', correction).throwOnError()
  await router.navigate({ href: '/my-savings?tab=transactions' })
  cache.removeQueries({ type: 'inactive' })
  await user.click(await screen.findByText('Statement'))
  await heading(THIS)
  expect(at()).toBe('/my-savings/statement')
  await screen.findByText('Opening balance')
  expect(balances()).toEqual(['€30.00', '€32.10'])
  expect(rows(`Movements in ${monthInWords(THIS)}`)).toEqual([
    expect.stringContaining('Correction=HYPERLINK("x")+€4.40€34.40'),
    expect.stringMatching(/CorrectionAdmin adjustment: Counted twiceby .+−€2.30€32.10/),
  ])
  const nextFile = takeFiles()
  const print = vi.spyOn(window, 'print').mockReturnValue()
  await user.click(screen.getByText('Save as CSV'))
  const csv = (await nextFile()).split('\r\n')
  expect(csv.slice(1, 5)).toEqual([
    ',Opening balance,,,,30.00',
    expect.stringMatching(/,Correction,"'=HYPERLINK\(""x""\)",,4.40,34.40$/),
    expect.stringContaining('Correction'),
    ',Closing balance,,,,32.10',
  ])
  // The page loads the year by itself.
  await waitFor(() =>
    expect(rows(`Wallet in ${THIS.slice(0, 4)}`).join()).toMatch(/Correction[+−]€\d+\.\d\d/),
  )
  const yearFile = takeFiles()
  await user.click(screen.getByText(`Save ${THIS.slice(0, 4)} as CSV`))
  expect((await yearFile()).split('\r\n').join('\n')).toMatch(
    /,Wallet,Correction,"'=HYPERLINK\(""x""\)",4\.40\n/,
  )
  await user.click(screen.getByText('Print'))
  expect(print).toHaveBeenCalledOnce()
  expect(screen.getByLabelText('Later month')).toHaveProperty('disabled', true)
  await user.click(screen.getByLabelText('Earlier month'))
  await heading(LAST)
  await waitFor(() => expect(rows(`Movements in ${monthInWords(LAST)}`).join()).toContain('Old share'))
  expect(balances()).toEqual(['€0.00', '€30.00'])
  expect(screen.getByLabelText('Earlier month')).toHaveProperty('disabled', true)
  expect(at()).toBe(`/my-savings/statement?month=${LAST}`)
})

it('savings insights show what joined plans save, on the way and one by one; and celebrate a milestone', async () => {
  const { olivia: owner, marc, zoe } = await newPeople(server)
  const [netflix, microsoft] = [await sharePlan(owner), await sharePlan(owner, 6, 'microsoft-365-family')]
  for (const planId of [netflix, microsoft]) {
    await join(owner, marc, planId)
    await payThroughSite(server, planId)
  }
  // A plan that a person shares themselves adds nothing to these savings.
  await sharePlan(marc, 6, 'spotify-premium-family')
  const part = async (name: string) =>
    (await screen.findByLabelText(name, { selector: 'section, ol' })).textContent
  const panel = () => document.querySelector('[role=tabpanel]:not([style*="display: none"])') as HTMLElement
  const milestones = () =>
    [...screen.getByLabelText('Milestones', { selector: 'ol' }).children].map(
      ({ textContent }) => textContent,
    )
  const refused = refuse('GET /rest/v1/subscription_members', '42501')
  const { user, at, cache } = await openApp(server, '/savings-insights', { as: marc })
  await screen.findByText('Failed to load subscribed plans')
  expect(screen.queryByText('Total saved')).toBeNull()
  refused.heal()
  await user.click(screen.getByText('Retry'))
  await screen.findByText('Savings Insights', { selector: 'h1' })
  expect(tabs()).toEqual(['Overview', 'Calculator', 'Milestones', 'Comparisons'])
  // Netflix: 19.99 less 5.50; Microsoft, a year's price: 10.75 less 1.97.
  expect(await part('Monthly savings')).toContain('€23.27')
  expect(await part('Total saved')).toBe('Total saved€139.62Six-month estimate')
  // The home page shows the same amounts.
  const ofNetflix = marc.client.from('member_payments').select('id').eq('subscription_id', netflix)
  const { data } = await ofNetflix.single().throwOnError()
  await owner.client.rpc('confirm_payment', { p_payment_id: data.id }).throwOnError()
  await cache.invalidateQueries()
  await waitFor(async () =>
    expect(await part('Saved this year')).toBe('Saved this year€14.99€14.99 saved on plans you joined'),
  )
  await waitFor(async () => expect(await part('Shared plans')).toBe('Shared plans32 joined, 1 shared by you'))
  expect(await part('Before and after')).toBe(
    'Before and afterBefore, alone€30.74 / monthAfter, shared€7.47 / month',
  )
  await user.click(tab('Milestones'))
  await waitFor(() => expect(at()).toBe('/savings-insights?tab=milestones'))
  expect(milestones()).toEqual([
    'First StepsReachedAt €50.00 saved',
    'Getting StartedReachedAt €100.00 saved',
    'Savings Pro€110.38 to goAt €250.00 saved',
    'Master Saver€360.38 to goAt €500.00 saved',
    'Savings Legend€860.38 to goAt €1,000.00 saved',
  ])
  expect(screen.getByText(/^Total saved, a six-month estimate/).textContent).toContain('€139.62')
  await user.click(tab('Comparisons'))
  await waitFor(() => expect(panel().querySelectorAll('article')).toHaveLength(2))
  expect([...panel().querySelectorAll('article')].map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining(
      'Before, alone€10.75 / monthAfter, shared€1.97 / monthYou save €8.78 / monthBilled yearly, shown per month',
    ),
    expect.stringMatching(/€19\.99 \/ monthAfter, shared€5\.50 \/ monthYou save €14\.49 \/ month$/),
  ])
  expect(
    [...panel().querySelectorAll('a')].map((link) => `${link.textContent} ${link.getAttribute('href')}`),
  ).toEqual([
    `Microsoft 365 Family (annual) /manage-subscribed/${microsoft}`,
    `Netflix Premium /manage-subscribed/${netflix}`,
  ])
  await user.click(tab('Calculator'))
  await part('A plan for up to 6')
  const examples = [...panel().querySelectorAll('section')]
  const sliders = examples.map((example) => example.querySelector<HTMLElement>('[role=slider]'))
  const bounds = ['aria-valuemin', 'aria-valuenow', 'aria-valuemax']
  expect(sliders.map((slider) => bounds.map((name) => slider?.getAttribute(name)).join())).toEqual([
    '2,6,6',
    '2,4,4',
  ])
  expect(examples[0]?.textContent).toContain('Base price €15.99 / monthShared by 6 members')
  sliders[1]?.focus()
  // A step beyond the slider's lowest value keeps that value.
  await user.keyboard('{Home}{ArrowLeft}')
  expect(examples[1]?.textContent).toBe(
    'A plan for up to 4ExampleBase price €12.99 / monthShared by 2 members234Before, alone€12.99 / month' +
      'After, shared€7.15 / monthEach member saves €5.84 / month',
  )

  const { user: hers } = await openApp(server, '/savings-insights', { as: zoe })
  await screen.findByText('Nothing saved yet')
  expect(screen.queryByText('Total saved')).toBeNull()
  const way = await within(panel()).findByText('Find a Plan to Join')
  expect(way.closest('a')?.getAttribute('href')).toBe('/available-subscriptions')
  await hers.click(tab('Milestones'))
  await waitFor(() => expect(screen.queryByLabelText('Milestones', { selector: 'ol' })).not.toBeNull())
  expect(milestones()[0]).toBe('First Steps€50.00 to goAt €50.00 saved')
  expect(screen.queryByText('Milestone reached')).toBeNull()
  await payOwner(server, netflix)
  await join(owner, zoe, netflix)
  const popup = await screen.findByText('Milestone reached')
  expect(popup.closest('[role="status"]')?.textContent).toContain('First Steps€50.00')
})

it('the books of the day before are open to a visitor, with few of anything unnamed, and hide no fault', async () => {
  const kept = await db.query('select to_jsonb(b) as day from private.daily_books as b')
  onTestFinished(async () => {
    await db.query('delete from private.daily_books')
    for (const { day } of kept)
      await db.query(
        'insert into private.daily_books select * from jsonb_populate_record(null::private.daily_books, $1)',
        [JSON.stringify(day)],
      )
  })
  await db.query('delete from private.daily_books')
  const { user, cache } = await openApp(server, '/about')
  await user.click(await screen.findByText('Open Books'))
  await screen.findByText('No figures yet')
  await db.query(
    `insert into private.daily_books (day, held, owed, going_back, fees, corrections, outside, given_back, seats, wallets,
       problems, fixed, paid_back, unfounded, hours_to_money, checked_at, faults)
     values (current_date - 1, 8, 35, 2, 3.5, 1.5, -50, 11, 4, 5, 4, 1, 2, 1, null, now(), 0)`,
  )
  const lines = () => [...document.querySelectorAll('tr')].map(({ textContent }) => textContent)
  await cache.invalidateQueries()
  await screen.findByText('The books balance')
  expect(figures()).toEqual({
    'Held for members': '€8.00paid for access not yet earned, in fewer than 5 places',
    'Owed to owners': '€35.00coins in 5 wallets',
    'Fees earned': '€3.50since we started',
    Refunded: '€11.00to members, since we started',
  })
  expect(lines()).toContain('At the bank and the payment provider-€50.00')
  expect(lines().at(-1)).toBe('Sum€0.00')
  expect(lines()).toContain('Problems reportedfewer than 5')
  expect(lines().join()).not.toContain('Median hours')
  expect(screen.getByText(/Checked on/)).toBeTruthy()
  await db.query(
    'update private.daily_books set problems = 20, fixed = 9, paid_back = 8, unfounded = 3, hours_to_money = 25.5, faults = 1',
  )
  await cache.invalidateQueries()
  await screen.findByText('The books do not balance')
  for (const line of [
    'Problems reported20',
    'Fixed by the owner9',
    'Refunded8',
    'Withdrawn, or decided for the ownerfewer than 5',
    'Median hours from report to refund25.5',
  ])
    expect(lines()).toContain(line)
})
