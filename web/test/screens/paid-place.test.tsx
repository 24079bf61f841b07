// A place that is paid through the site: cards and coins, access, problems, and leaving.
// Proves PAY 03 04, ACCESS 01 02 04 05 07 13 15
import { randomUUID } from 'node:crypto'
import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { fullDay } from '#domain/dates.ts'
import { buildChanged } from '../../../scripts/build.mjs'
import { moveCoins } from '../../../supabase/tests/coins.ts'
import { answer, changePlan, letPass, takePaymentsMeanwhile } from '../acting.ts'
import { announced, listening, openApp, toasted } from '../app.tsx'
import { intercept } from '../network.ts'
import { control, dialog, region, takeFiles } from '../parts.ts'
import { addStaff, nameOf, newPerson } from '../people.ts'
import {
  giveAccess,
  join,
  letIn,
  newPeople,
  type People,
  payByCard,
  payThroughSite,
  reportCharge,
  saveCard,
  saveLogin,
  sharePlan,
} from '../sharing.ts'

const server = await testServer()
await buildChanged(['supabase'])
const { db } = server
let people: People
let planId: string

beforeEach(async () => {
  await takePaymentsMeanwhile(server)
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
  await payThroughSite(server, planId)
})

/** Marc joins with a card; `further` says whether he then also pays and gets access. */
async function joined(...further: ('paid' | 'let in')[]) {
  await saveCard(server, people.marc)
  await join(people.olivia, people.marc, planId)
  if (further.includes('paid')) await payByCard(server, people.marc)
  if (further.includes('let in')) await giveAccess(people.olivia, people.marc, planId)
}
const open = (who: keyof People, address: string) => openApp(server, address, { as: people[who] })
const asMember = () => open('marc', `/manage-subscribed/${planId}`)
const asOwner = () => open('olivia', `/manage-shared/${planId}?section=money`)
const called = (who: keyof People) => nameOf(people[who])
const mySeat = async () => (await people.marc.client.rpc('my_seats').throwOnError()).data[0]

it('cards are known by brand, last digits and expiry, replaced and removed; the last one only after a warning', async () => {
  await db.query(`select private.report_payment_provider('stripe', 'test', 'pk_test_1')`)
  const zoe = await newPerson(server, 'zoe')
  const save = (brand: string, last4: string, ago: string) =>
    db.query(
      `insert into public.payment_methods (user_id, provider, reference, brand, last4, exp_month, exp_year, chosen_at)
       values ($1, 'stripe', gen_random_uuid(), $2, $3, 9, 2031, now() - $4::interval)`,
      [zoe.id, brand, last4, ago],
    )
  await join(people.olivia, zoe, planId)
  await save('visa', '4242', '1 hour')
  await save('mastercard', '4444', '2 hours')
  const cards = () => screen.queryAllByText(/ending \d{4}, until/).map(({ textContent }) => textContent)
  const [visa, mastercard] = ['visa ending 4242, until 09/2031', 'mastercard ending 4444, until 09/2031']
  const { user } = await openApp(server, '/cards', { as: zoe })
  await waitFor(() => expect(cards()).toEqual([visa, mastercard]))
  // Card numbers are entered only on a page of their own, with Stripe's form.
  expect((await control('Add a card')).getAttribute('href')).toBe('/cards/add')
  screen.getByText('You enter it in Stripe’s form. We only see its last four digits.')
  expect(within(screen.getByRole('main')).queryAllByRole('textbox')).toEqual([])
  expect(screen.queryByText('Simulation')).toBeNull()
  await user.click(await control('Make default'))
  await waitFor(() => expect(cards()).toEqual([mastercard, visa]))
  const remove = async (which: number, warning: RegExp) => {
    await user.click(screen.getAllByRole('button', { name: 'Remove' })[which] as HTMLElement)
    const sure = await dialog('Remove this card?')
    sure.getByText(warning)
    await user.click(sure.getByText('Remove card'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  await remove(1, /^We will no longer charge it\.$/)
  await waitFor(() => expect(cards()).toEqual([mastercard]))
  await remove(
    0,
    /^This is your only card\. Without one, you lose these places when they renew: Netflix Premium\.$/,
  )
  await screen.findByText('No cards yet.')
  expect((await zoe.client.from('payment_methods').select('id').throwOnError()).data).toEqual([])
})

it('coins pay instead of a card for whoever asks with enough of them, and first, or not, as a member likes', async () => {
  const { olivia, marc } = people
  await moveCoins(db, marc, 'earned', 5.2, 'A share')
  const { user, cache, router } = await open('marc', `/subscription/${planId}`)
  await user.click(await control(/^Request to join Netflix/))
  const form = await dialog('Request to join')
  await form.findByText('No card saved')
  await user.click(await form.findByLabelText(/^Use my coins first/))
  form.getByText('You have 5.20 coins. They cover €5.00 of the first month, and your card pays €0.50.')
  form.getByText('No card saved')
  await moveCoins(db, marc, 'earned', 3.8, 'A share')
  await cache.invalidateQueries()
  await form.findByText('You have 9.00 coins. They cover the whole first month.')
  expect(form.queryByText('No card saved')).toBeNull()
  // The request is not sent before the person has ticked the wish to begin immediately.
  await user.click(form.getByText('Ask to join; pay €5.50 when approved'))
  await user.click(form.getByLabelText(/^Please begin at once\./))
  expect((await marc.client.from('subscription_requests').select('id').throwOnError()).data).toEqual([])
  await user.click(form.getByText('Ask to join; pay €5.50 when approved'))
  await screen.findByText('Subscription Request Sent')
  const { data } = await marc.client.from('subscription_requests').select('id').single().throwOnError()
  await answer(olivia, 'approve', planId, data.id)
  await router.navigate({ href: `/manage-subscribed/${planId}` })
  const place = await region('Your place')
  for (const first of [false, true]) {
    await user.click(await place.findByLabelText(/^Use my coins first/))
    await waitFor(async () => expect((await mySeat())?.coins_first).toBe(first))
  }
  await db.query(`select lease_payment_jobs('simulated', 1)`)
  const payments = marc.client.from('member_payments').select('status, coins, card')
  expect((await payments.single().throwOnError()).data).toEqual({ status: 'paid', coins: 5.5, card: 0 })
  await place.findByText('Waiting for access')
})

it('a declined card says so where the payment is made again, and is charged only when somebody asks for that', async () => {
  const { marc } = people
  await joined()
  await db.query(`select record_card($1, $2, 'mastercard', '4444', 12, 2040, true)`, [
    `cus_${marc.id}`,
    `pm_2_${marc.id}`,
  ])
  const cards = (await marc.client.from('payment_methods').select('id, last4').throwOnError()).data
  const cardOf = (last4: string) => cards.find((card) => card.last4 === last4)?.id
  await marc.client.rpc('choose_card', { p_card_id: cardOf('4242') ?? '' }).throwOnError()
  const { data } = await marc.client.from('member_payments').select('id').single().throwOnError()
  await reportCharge(server, data.id, { status: 'failed', code: 'insufficient_funds', amount: 5.5 })

  const { user, cache } = await open('marc', `/pay/${data.id}`)
  const choices = () =>
    screen
      .getAllByRole<HTMLInputElement>('radio')
      .map(({ labels, checked }) => `${labels?.[0]?.textContent} ${checked}`)
  const failed = await screen.findByRole('alert')
  expect(failed.textContent).toBe('This card doesn’t have enough money.')
  const refused = screen.getByRole('radio', { name: /ending 4242/ })
  expect(refused.getAttribute('aria-describedby')).toContain(failed.parentElement?.id)
  expect(choices()).toEqual([
    'visa ending 4242, until 12/2040 false',
    'mastercard ending 4444, until 12/2040 true',
  ])
  const { sent } = intercept('POST /functions/v1/payments/pay', async () =>
    Response.json({ status: 'failed', code: 'insufficient_funds' }),
  )
  const charged = async (times: number) => {
    await waitFor(() => expect(sent).toHaveLength(times))
    return JSON.parse(sent.at(-1)?.body ?? '').card
  }
  await user.click(await control('Pay €5.50'))
  expect(await charged(1)).toBe(cardOf('4444'))
  await user.click(screen.getByRole('radio', { name: /ending 4242/ }))
  await user.click(await control('Pay €5.50'))
  expect(await charged(2)).toBe(cardOf('4242'))
  await marc.client.rpc('remove_card', { p_card_id: cardOf('4444') ?? '' }).throwOnError()
  await cache.invalidateQueries()
  await waitFor(async () => expect(await control('Pay €5.50')).toHaveProperty('disabled', true))
})

it('its receipt names whoever charged the fee', async () => {
  await db.query(
    `update operator set name = 'Ann Operator', street = '1 Road', town = 'Town', country = 'IE', vat_number = 'IE 1'`,
  )
  onTestFinished(async () => {
    await db.query(
      'update operator set name = null, street = null, town = null, country = null, vat_number = null',
    )
  })
  await joined('paid')
  const { data } = await people.marc.client.from('member_payments').select('id').single().throwOnError()
  await open('marc', `/payments/${data.id}`)
  const receipt = await screen.findByRole('article', { name: /^Receipt \d/ })
  expect(receipt.textContent).toContain('Fee charged byAnn Operator1 Road, Town, IETax number IE 1')
})

it('its fee has an invoice, taxed where the member says they live, once the operator makes them', async () => {
  const sofia = await addStaff(server, 'sofia', 'super-admin')
  onTestFinished(async () => void (await db.query(`update vat_settings set mode = 'off'`)))
  const admin = await openApp(server, '/admin?tab=settings', { as: sofia })
  await admin.user.click(await screen.findByLabelText('VAT of each member’s country (OSS)'))
  await screen.findByText('Invoices are made once your name, address and VAT or tax number are given above.')
  await admin.user.click(await control('Save invoices'))
  await toasted('success', 'Settings saved')
  for (const [label, text] of Object.entries({
    ...{ 'Your name or company': 'A', 'Street and number': '1', 'Postal code': '1', Town: 'W' },
    ...{ Email: 'a@potluck.example', 'VAT or tax number': 'ATU1' },
  }))
    await admin.user.type(screen.getByRole('textbox', { name: label }), text)
  await admin.user.click(screen.getByRole('combobox', { name: 'Country' }))
  await admin.user.click(await screen.findByText('Austria'))
  await admin.user.click(await control('Save operator'))
  await toasted('success', 'Settings saved')

  await joined('paid')
  const { user } = await open('marc', '/payments')
  const asks = await screen.findByText('For your invoices')
  await user.click(await screen.findByRole('combobox', { name: 'The country you live in' }))
  await user.click(await screen.findByText('Finland'))
  await waitFor(() => expect(asks.isConnected).toBe(false))
  await db.query('select private.seal_transfers()')
  await db.query('select private.make_invoices()')
  const file = takeFiles()
  await user.click(await control(/^Invoice INV-\d{4}-000001$/))
  expect(await file()).toMatch(/^%PDF-1\.7/)
  const { data } = await people.marc.client.from('fee_invoices').select('buyer_country, vat_rate').single()
  expect(data).toEqual({ buyer_country: 'FI', vat_rate: 0.255 })
  const table = takeFiles()
  const staff = await openApp(server, '/admin?tab=settings', { as: sofia })
  await staff.user.click(await control('Download as CSV'))
  expect(await table()).toMatch(/,FI,FI,,25\.5,/)
})

const problem = async () =>
  (await people.marc.client.from('seat_problems').select('*').single().throwOnError()).data
const report = async (reason: 'sign-in' | 'password' = 'password') => {
  const wrong = { p_seat_id: (await mySeat())?.id ?? '', p_reason: reason, p_note: 'It says wrong password.' }
  return (await people.marc.client.rpc('report_problem', wrong).throwOnError()).data
}
const timeline = async () =>
  within(await screen.findByRole('list', { name: 'Timeline' }))
    .getAllByRole('listitem')
    .map((item) => item.textContent?.replace(item.querySelector('time')?.textContent ?? '', ''))
/** The steps that the page shows as next: at most one. */
const nextSteps = () =>
  screen.queryAllByRole('region', { name: 'Next step' }).map(({ textContent }) => textContent)
const isNext = (about: RegExp) => waitFor(() => expect(nextSteps()).toEqual([expect.stringMatching(about)]))
const nothingIsNext = () => waitFor(() => expect(nextSteps()).toEqual([]))
const row = async () => within(await screen.findByRole('article', { name: `Payments of ${called('marc')}` }))

it('a paid place shows its login and waits for access with one clock for both, until the member says that it works; leaving says what it gives back', async () => {
  await changePlan(people.olivia, planId, { owner_max_members: 2 })
  const login = 'all-of-us@potluck.example'
  await saveLogin(people.olivia, planId, login)
  await joined()
  const member = await asMember()
  const leave = async (user: typeof member.user) => {
    await user.click(await control('Leave'))
    return dialog('Leave Subscription')
  }
  const wrong = async () => {
    await member.user.click((await screen.findAllByText('Something is wrong'))[0] as HTMLElement)
    return dialog('Something is wrong')
  }
  // Before the first payment there is nothing to report; the dialog explains what will happen.
  const unpaid = await wrong()
  unpaid.getByText(/^You get access once your first payment/)
  expect(unpaid.queryByRole('radio')).toBeNull()
  await member.user.click(unpaid.getByText('Got it'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const place = await region('Your place')
  place.getByText('Paying')
  expect(screen.queryByText(login)).toBeNull()
  await listening(`payments-${people.marc.id}`)
  await listening(`vault-${planId}`)
  await payByCard(server, people.marc)
  await place.findByText('Waiting for access')
  await screen.findByText(login)
  // No month begins before access is given, so the whole payment would be refunded.
  const early = await leave(member.user)
  early.getByText(/€5\.50 comes back within 14 days: .* That is all you paid\.$/)
  await member.user.click(early.getByText('Stay'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const clock = await region('Access is on its way')
  clock.getByText('48h left')
  const until = clock.getByText(
    / to give you access\. Otherwise you get a full refund automatically\.$/,
  ).textContent
  ;(await wrong()).getByText(/Otherwise you get a full refund automatically\./)

  const { user } = await asOwner()
  await isNext(/Give access to marc/)
  const task = await region(`Give access to ${called('marc')}`)
  task.getByText('48h left')
  const by = task
    .getByText(/has paid\. Without access/)
    .textContent?.match(/Without access by (.*?), they/)?.[1]
  expect(until).toContain(`${called('olivia')} has until ${by} to give you access`)
  ;(await row()).getByText('€5.00 held, €0.00 earned. You start earning when you give access.')
  await user.click(await control(`I’ve invited ${called('marc')}`))
  task.getByText('Invitation sent')
  const send = task.getByRole('button', { name: `Tell ${called('marc')}` })
  expect(send.hasAttribute('disabled')).toBe(true)
  await user.type(task.getByLabelText(/^Which email did you invite/), 'marc@mail.example')
  await user.click(send)
  await announced(`We’ve asked ${called('marc')} whether it works.`)
  await nothingIsNext()
  expect((await mySeat())?.invited_address).toBe('marc@mail.example')
  await (await row()).findByText(/^Paid until .*\. €5\.00 held, €0\.00 earned\. Next coins on .*\.$/)

  const again = await asMember()
  await isNext(/Does your access work\?/)
  const question = await region('Does your access work?')
  question.getByText(new RegExp(`${called('olivia')} sent the invitation to marc@mail.example`))
  await again.user.click(question.getByText('It works'))
  await region('Your access works')
  await nothingIsNext()
  expect(await mySeat()).toMatchObject({ access_works: true, access_due_at: null })
  const paidUntil = new Date((await mySeat())?.paid_until ?? '').toISOString()
  const form = await leave(again.user)
  const later = await form.findByLabelText(`On ${fullDay(paidUntil)}, at the end of the month`)
  expect(later).toHaveProperty('checked', true)
  form.getByText('You keep access until then, and can change your mind.')
  form.getByText(/^You lose access .* right away\. €5\.50 comes back within 14 days: /)
})

it('leaving now is the withdrawal, in two steps, the second of which says who withdraws from what, and what comes back', async () => {
  await joined('paid', 'let in')
  const { user, router } = await asMember()
  await user.click(await control('Leave'))
  const leaving = await dialog('Leave Subscription')
  expect(await leaving.findByLabelText(/, at the end of the month$/)).toHaveProperty('checked', true)
  leaving.getByText('Leave plan')
  await user.click(leaving.getByText('Now, and withdraw from the contract'))
  await leaving.findByText('Confirm withdrawal')
  await user.click(leaving.getByText('Stay'))
  await router.navigate({ href: '/payments' })
  await user.click(await control('Withdraw from contract: Netflix Premium'))
  const form = await dialog('Leave Subscription')
  await form.findByText(called('marc'))
  form.getByText(`A place in Netflix Premium, shared by ${called('olivia')}`)
  form.getByText(people.marc.email)
  form.getByText(
    /^You lose access to Netflix Premium right away\. €5\.50 comes back within 14 days: first to your card, .* You asked to begin at once, so you pay for the days you had access\.$/,
  )
  form.getByText(/^You can withdraw up to and including \d+ .*, without giving a reason\.$/)
  expect((await mySeat())?.ended_at).toBeNull()
  await user.click(form.getByText('Confirm withdrawal'))
  await toasted('success', 'You have withdrawn', 'We’ve emailed you the confirmation.')
  expect(await mySeat()).toMatchObject({ end_reason: 'withdrawn', withdraw_until: null })
  await waitFor(() => expect(screen.queryByText('Withdraw from contract')).toBeNull())
})

it('a debt to the site is named under My Payments, and paid with coins or by card; staff see it and what withdrawals cost', async () => {
  await joined('paid')
  const { user } = await open('marc', '/payments')
  await db.query(
    `insert into public.payment_disputes (id, payment_id, plan_name, member_id, owner_id, amount, charged, given_back, reason, status, closed_at, from_guarantee)
     select 'dp_' || id, id, plan_name, member_id, owner_id, 5.5, 5.5, 5.5, 'debit_not_authorized', 'lost', now(), 5.5
     from public.member_payments where member_id = $1`,
    [people.marc.id],
  )
  await db.query(`select private.note_debt(id) from public.payment_disputes where member_id = $1`, [
    people.marc.id,
  ])
  const card = await region('You owe us €5.50 for Netflix Premium')
  card.getByText(/^Your bank took back a debit that we had refunded\./)
  expect(card.getByText('Pay with a card').closest('a')?.getAttribute('href')).toMatch(/^\/pay\//)
  await user.click(card.getByText('Pay with coins'))
  await toasted('error', 'You don’t have enough coins for this')
  await moveCoins(db, people.marc, 'earned', 5)
  await user.click(card.getByText('Pay with coins'))
  await toasted('success', 'Thank you', 'Please pay the remaining €0.50 by card.')
  await user.click((await region('You owe us €0.50 for Netflix Premium')).getByText('Pay with a card'))
  await screen.findByText('Pay €0.50')

  await db.query(
    `update private.seats set ended_at = now(), end_reason = 'withdrawn', ended_by = member_id, next_at = null where member_id = $1`,
    [people.marc.id],
  )
  const ada = await addStaff(server, 'ada', 'admin')
  await openApp(server, '/admin/disputes', { as: ada })
  await (await region('Debts to the site')).findByText(called('marc'))
  const withdrawals = await region('Withdrawals from contracts')
  await withdrawals.findByText(called('marc'))
})

it('a problem is reported from the list, fixed, not fixed, fixed again; another, from the chat, is taken back', async () => {
  await joined('paid', 'let in')
  const { user, at } = await open('marc', '/my-subscriptions?tab=subscribed')
  await user.click(await control('Something is wrong'))
  const form = await dialog('Something is wrong')
  expect(form.getAllByRole<HTMLInputElement>('radio').map(({ labels }) => labels?.[0]?.textContent)).toEqual([
    'I can’t sign in',
    'The password doesn’t work',
    'The invitation is missing or doesn’t work',
    'All screens are in use',
    'I was removed from the plan',
    'I’m asked for a code',
    'It says I’m not in the household',
    'Something else',
  ])
  form.getByText(/has 24 hours to answer\. Otherwise .* what you paid for the rest of the month\.$/)
  await user.click(form.getByLabelText('The password doesn’t work'))
  await user.type(form.getByLabelText(/^Message to/), 'It says wrong password.')
  await user.click(form.getByText('Report problem'))
  await region(`Waiting for ${called('olivia')}`)
  const { id } = await problem()
  expect(at()).toBe(`/problems/${id}`)
  screen.getByText('24h left')
  await waitFor(async () =>
    expect(await timeline()).toEqual([
      `${called('marc')} paid €5.50`,
      `${called('olivia')} sent the invitation to ${people.marc.email}`,
      `${called('marc')} reported that something is wrongIt says wrong password.`,
    ]),
  )

  const owner = await asOwner()
  const notice = await region('The password doesn’t work')
  notice.getByText(/^Reported by .*Your turn to answer\. Without an answer by .* the place ends/)
  ;(await row()).getByText(/€5\.00 held, €0\.00 earned\. You earn nothing while the problem is open\.$/)
  await owner.user.click(notice.getByText('Answer'))
  const own = await region('Your turn to answer')
  await owner.user.type(own.getByLabelText(/^Message to marc/), 'I have set a new one.')
  own.getByText(`There was a problem and I solved it. ${called('marc')} checks.`)
  own.getByText('There was no problem. Our team decides.')
  await owner.user.click(own.getByText('Fixed'))
  await region(`${called('marc')} is checking the fix`)

  const back = await open('marc', `/problems/${id}`)
  const mine = await region('Is it fixed?')
  mine.getByText('48h left')
  await back.user.click(mine.getByText('No, still not working'))
  await region(`Waiting for ${called('olivia')}`)
  await listening(`problem-${id}`)
  await people.olivia.client.rpc('say_fixed', { p_problem_id: id }).throwOnError()
  await region('Is it fixed?')
  await back.user.click(await control('Yes, it works'))
  ;(await region('Closed')).getByText('Fixed. The time without access is refunded.')
  expect(await problem()).toMatchObject({ outcome: 'fixed', refusals: 1 })
  await waitFor(async () =>
    expect((await timeline()).slice(3)).toEqual([
      `${called('olivia')}: “Fixed”I have set a new one.`,
      `${called('marc')}: “No, still not working”`,
      `${called('olivia')}: “Fixed”`,
      `${called('marc')}: “Yes, it works”`,
    ]),
  )
  await back.user.click(await control('See the plan'))
  ;(await region('Earlier problems')).getByRole('link', { name: /^The password doesn’t work/ })

  await back.user.click(await control(`Chat with ${called('olivia')}`))
  const chat = await dialog(new RegExp(called('olivia')))
  await back.user.click(await chat.findByText('Something is wrong'))
  await dialog('Something is wrong')
  const again = await report('sign-in')
  await region('Signing in doesn’t work')
  // The button on the page and the one in the chat lead to the problem.
  await waitFor(() =>
    expect(
      screen.getAllByText('See the problem').map((link) => link.closest('a')?.getAttribute('href')),
    ).toEqual([`/problems/${again}`, `/problems/${again}`]),
  )
  await back.router.navigate({ href: `/problems/${again}` })
  await region(`Waiting for ${called('olivia')}`)
  await back.user.click(await control('Withdraw report'))
  const sure = await dialog('Withdraw this report?')
  await back.user.click(sure.getByRole('button', { name: 'Withdraw report' }))
  ;(await region('Closed')).getByText(/withdrew the report\.$/)
  await back.router.navigate({ href: `/problems/${randomUUID()}` })
  await screen.findByText('Problem not found', { selector: 'h1' })
})

it('an owner who is paid directly owes for the time without access until the two have settled it', async () => {
  planId = await sharePlan(people.olivia, 4, 'spotify-premium-family')
  await join(people.olivia, people.marc, planId)
  await letIn(server)
  const { data } = await people.marc.client.from('member_payments').select('id').single().throwOnError()
  await people.olivia.client.rpc('confirm_payment', { p_payment_id: data.id }).throwOnError()
  const id = await report()
  const [owner, member] = [called('olivia'), called('marc')]
  const paid = 'what was paid for the time since the report'
  const hers = await open('olivia', `/problems/${id}`)
  await screen.findByText(
    new RegExp(`^Without an answer by .*, the place ends and you owe ${member} ${paid}\\.$`),
  )
  await letPass(server, '24 hours')
  await screen.findByText(
    `${owner} didn’t answer in time, so you owe ${member} ${paid}. The place has ended.`,
  )
  const owed = (await mySeat())?.owed_back ?? 0
  expect(owed).toBeGreaterThan(1)
  await hers.router.navigate({ href: `/manage-shared/${planId}?section=money` })
  await (await row()).findByText(`You owe ${member} €${owed.toFixed(2)}`)

  const { user, router } = await open('marc', `/problems/${id}`)
  await screen.findByText(
    `${owner} didn’t answer in time, so ${owner} owes you ${paid}. The place has ended.`,
  )
  await router.navigate({ href: '/payments' })
  await screen.findByText(`${owner} owes you €${owed.toFixed(2)}`)
  await user.click(await control('Mark as paid back'))
  await toasted('success', 'Settled', 'We’ve told the owner.')
  await waitFor(() => expect(screen.queryByText(/ owes you /)).toBeNull())
  expect((await mySeat())?.owed_back).toBe(0)
})
