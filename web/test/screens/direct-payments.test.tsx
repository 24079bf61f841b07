// Member and owner pay each other directly: what each of them sees and does, and that the other side sees it
// immediately.
// Proves PAY 13 14 22, DIRECT 01-04 06, ACCESS 13
import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { fullDay } from '#domain/dates.ts'
import { monthInWords, monthOf, shiftMonth } from '#domain/months.ts'
import { leavePlan, letPass, takePaymentsMeanwhile } from '../acting.ts'
import { announced, listening, openApp, toasted } from '../app.tsx'
import { beAway, intercept } from '../network.ts'
import { control, dialog, figures, region } from '../parts.ts'
import { addStaff, nameOf } from '../people.ts'
import { holdPhone } from '../phone.ts'
import { scan } from '../scan.ts'
import { join, letIn, newPeople, type People, sharePlan } from '../sharing.ts'

const server = await testServer()
const { db } = server
// If no member of staff could decide, a dispute would be closed immediately.
const ada = await addStaff(server, 'ada', 'admin')
const IBAN = 'DE89370400440532013000'
let people: People
let planId: string

beforeEach(async () => {
  people = await newPeople(server)
  await joinPlan()
  await wishes().insert({ kind: 'text', note: 'Cash' }).throwOnError()
})

/** Gives Marc a place with access in a new plan of Olivia's, and sets `planId` to that plan. */
async function joinPlan(cataloguePlanId?: string) {
  planId = await sharePlan(people.olivia, 4, cataloguePlanId)
  await join(people.olivia, people.marc, planId)
  await letIn(server)
}

const open = (who: keyof People, address: string) => openApp(server, address, { as: people[who] })
const asMember = () => open('marc', `/manage-subscribed/${planId}`)
const asOwner = () => open('olivia', `/manage-shared/${planId}?section=money`)
const wishes = () => people.olivia.client.from('payment_wishes')
const payCard = () => region(/^(Pay|Your payment to) olivia/)
const seatOf = () => screen.findByRole('article', { name: /^Payments of marc/ })
const payment = async (number = 1) => {
  const payments = people.marc.client.from('member_payments').select('*')
  return (await payments.match({ subscription_id: planId, number }).single().throwOnError()).data
}
const act = (who: keyof People, what: string, args: object) =>
  people[who].client.rpc(what, args).throwOnError()
const mySeats = async () => (await people.marc.client.rpc('my_seats').throwOnError()).data

it('an owner says how they are paid: an account, a link or words; a wrong checksum is refused, and each can be taken back', async () => {
  await wishes().delete().eq('user_id', people.olivia.id).throwOnError()
  const { user } = await open('olivia', '/account-settings/money')
  const card = await region('How you are paid')
  await user.click(await card.findByText('Add payment details'))
  let form = await dialog('How you are paid')
  const save = () => user.click(form.getByText('Save'))
  await user.type(await form.findByLabelText('IBAN'), 'DE88 3704 0044 0532 0130 00')
  await user.type(form.getByLabelText('Name on the account'), 'Olivia Brandt')
  await save()
  await form.findByText('This IBAN is not valid. Please check each digit.')
  await user.clear(form.getByLabelText('IBAN'))
  await user.type(form.getByLabelText('IBAN'), 'de89 3704 0044 0532 0130 00')
  await save()
  await card.findByText('Olivia Brandt, DE89 3704 0044 0532 0130 00')
  const stored = async () => (await wishes().select('kind, iban, holder, link, note')).data
  const nothing = { iban: null, holder: null, link: null, note: null }
  expect(await stored()).toEqual([{ ...nothing, kind: 'iban', iban: IBAN, holder: 'Olivia Brandt' }])

  await user.click(card.getByText('Change'))
  form = await dialog('How you are paid')
  await user.click(await form.findByLabelText('Payment link'))
  await user.type(form.getByLabelText('Address of the page'), 'javascript:alert(1)')
  await save()
  await form.findByText('Please enter a link that starts with https://')
  await user.click(form.getByLabelText('In your own words'))
  await user.type(form.getByLabelText('How to pay you'), 'Cash at dinner.')
  await save()
  await waitFor(async () =>
    expect(await stored()).toEqual([{ ...nothing, kind: 'text', note: 'Cash at dinner.' }]),
  )
  await card.findByText('Cash at dinner.')
  await user.click(await card.findByRole('button', { name: 'Remove' }))
  await toasted('success', 'Removed', 'Nobody sees how to pay you any more.')
  await card.findByText('Add payment details')
  expect(await stored()).toEqual([])
})

it('a member sees amount, due date, reference and a code that bank apps read, or a link, or words, says it is paid, leaves and stays', async () => {
  await wishes().delete().eq('user_id', people.olivia.id).throwOnError()
  const { user, cache } = await asMember()
  const card = await region(/^Nothing to pay yet to olivia/)
  await card.findByText(/^We’ve asked olivia\d+ how to be paid\./)
  expect(card.queryAllByRole('button')).toEqual([])
  const says = async (wish: object) => {
    await wishes().delete().eq('user_id', people.olivia.id).throwOnError()
    await wishes().insert(wish).throwOnError()
    await cache.invalidateQueries()
  }
  await says({ kind: 'text', note: 'Cash at dinner.' })
  await card.findByText('Cash at dinner.')
  expect(card.queryByRole('img')).toBeNull()
  await says({ kind: 'link', link: 'https://pay.example/olivia' })
  const link = await control('Open payment page')
  expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([
    'https://pay.example/olivia',
    expect.stringContaining('noopener'),
  ])
  await says({ kind: 'iban', iban: IBAN, holder: 'Olivia Brandt' })
  await card.findByText('DE89 3704 0044 0532 0130 00')
  const { id, reference } = await payment()
  expect(reference).toMatch(/^PL-[0-9A-F]{8}-1$/)
  const copied = vi.spyOn(window.navigator.clipboard, 'writeText')
  expect(screen.getByRole('region', { name: /^Pay olivia/ }).textContent).toMatch(
    /^Pay olivia\d+For .* to .*\./,
  )
  for (const [field, value] of [
    ['name', 'Olivia Brandt'],
    ['IBAN', IBAN],
    ['amount', '5.00'],
    ['reference', reference],
  ]) {
    await user.click(card.getByLabelText(`Copy ${field}`))
    expect(copied).toHaveBeenLastCalledWith(value)
  }
  const code = card.getByRole('img', { name: 'QR code for a transfer with your bank’s app' })
  expect(scan(code)).toBe(`BCD\n002\n1\nSCT\n\nOlivia Brandt\n${IBAN}\nEUR5.00\n\n\n${reference}`)

  expect((await screen.findByRole('region', { name: 'Next step' })).textContent).toMatch(/Pay olivia/)
  await user.click((await payCard()).getByText('I’ve paid'))
  await announced(`${nameOf(people.olivia)} confirms it when it arrives.`)
  // The payment card stays in place when the member has nothing more to do.
  await (await payCard()).findByText(/You said you paid/)
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Next step' })).toBeNull())
  // QR code and IBAN are folded, so that the member does not pay twice.
  const folded = (await payCard()).getByText('How to pay').closest('details')
  expect([folded?.open, folded?.textContent]).toEqual([false, expect.stringContaining('IBAN')])
  await screen.findByText(`Sent, waiting for ${nameOf(people.olivia)}`)
  await listening(`payments-${people.marc.id}`)
  await act('olivia', 'deny_payment', { p_payment_id: id, p_note: 'Still nothing.' })
  await (await payCard()).findByText('Still nothing.')
  await act('olivia', 'confirm_payment', { p_payment_id: id })
  await waitFor(() =>
    expect(screen.queryByRole('region', { name: /^(Pay|Your payment to) olivia/ })).toBeNull(),
  )
  await screen.findByText(/^Paid until \d+ \w+$/)
  expect(screen.queryByText('Your place')).toBeNull()

  // Leaving is scheduled for the end of the month unless the member chooses now; until then the member can undo it.
  await user.click(await control('Leave'))
  const leaving = await dialog('Leave Subscription')
  const choices = await leaving.findAllByRole<HTMLInputElement>('radio')
  expect(choices.map(({ value, checked }) => [value, checked])).toEqual([
    ['later', true],
    ['now', false],
  ])
  expect(leaving.getByRole('radiogroup').textContent).toMatch(
    /On \d+ \w+ \d+, at the end of the monthYou keep access until then.*NowYou lose access to Netflix Premium right away\. You get no refund for the rest of the month\.$/,
  )
  await user.click(leaving.getByText('Leave plan'))
  const place = await region('Your place')
  await place.findByText(/^Your place ends on \d+ \w+ \d+\./)
  place.getByText('Leaving')
  await user.click(place.getByText('Keep my place'))
  await waitFor(() => expect(screen.queryByText('Your place')).toBeNull())
})

it('“I’ve paid” without a connection waits, also for the next visit, goes out once, and not if the payment has changed', async () => {
  // The site itself responds, so the browser is not offline.
  intercept('HEAD /config.json', () => Promise.resolve(new Response()))
  const away = () => beAway('POST /rest/v1/rpc/say_paid')
  const status = async () => (await payment()).status
  const sayAway = async () => {
    const lost = away()
    const { user } = await asMember()
    await user.click(await (await payCard()).findByText('I’ve paid'))
    await toasted(
      'info',
      'Waiting for a connection',
      `We’ll tell ${nameOf(people.olivia)} once you’re online.`,
    )
    await (await payCard()).findByText(/is sent once you’re online/)
    return { user, ...lost }
  }
  const first = await sayAway()
  // Sending the claim begins with a load of the payment's status, which this holds back.
  let goOn = () => {}
  const going = new Promise<void>((resolve) => {
    goOn = resolve
  })
  let heard = 0
  const asked = intercept('GET /rest/v1/member_payments', async (ask) => {
    await going
    const answer = await ask()
    heard += 1
    return answer
  })
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(asked.sent.length).toBeGreaterThan(0))
  await first.user.click(await control('Undo'))
  await control('I’ve paid')
  first.heal()
  const taken = intercept('POST /rest/v1/rpc/say_paid')
  goOn()
  await waitFor(() => expect(heard).toBe(asked.sent.length))
  expect([await status(), await status(), taken.sent]).toEqual(['due', 'due', []])
  for (const { heal } of [asked, taken]) heal()

  const second = await sayAway()
  await asMember()
  await (await payCard()).findByText(/is sent once you’re online/)
  expect(await status()).toBe('due')
  second.heal()
  const sent = intercept('POST /rest/v1/rpc/say_paid')
  for (const _twice of [1, 2]) window.dispatchEvent(new Event('online'))
  await (await payCard()).findByText(/You said you paid/)
  await waitFor(() => expect(window.localStorage.getItem('said-paid')).toBeNull())
  expect(await status()).toBe('claimed')

  // Joins another plan, to have a first payment for it.
  await joinPlan('spotify-premium-family')
  const { id } = await payment()
  const third = await sayAway()
  third.heal()
  await act('marc', 'say_paid', { p_payment_id: id })
  await act('olivia', 'deny_payment', { p_payment_id: id, p_note: 'Not here.' })
  const before = sent.sent.length
  window.dispatchEvent(new Event('online'))
  await toasted(
    'warning',
    '“I’ve paid” was not sent',
    `${nameOf(people.olivia)} says the payment hasn’t arrived. Please check it.`,
  )
  expect([await status(), sent.sent.length - before]).toEqual(['due', 0])

  // The details of how and when the member paid are stored with the waiting request.
  const fourth = away()
  const { user } = await asMember()
  await user.click(await (await payCard()).findByText('I’ve paid'))
  const form = await dialog('I’ve paid')
  await user.type(form.getByLabelText(/^How and when/), 'In cash')
  await user.click(form.getByText('Send to our team'))
  await (await payCard()).findByText(/is sent once you’re online/)
  fourth.heal()
  window.dispatchEvent(new Event('online'))
  await (await payCard()).findByText(/Our team decides by /)
  expect(await status()).toBe('disputed')
})

it('an owner sees at once what is said to be paid, denies it with a sentence, and receives it; both read the receipt', async () => {
  const { user, router } = await asOwner()
  await control(/^Received/)
  await listening(`payments-${people.olivia.id}`)
  const { id, reference } = await payment()
  await act('marc', 'say_paid', { p_payment_id: id })
  await region(/^Has €5\.00 from marc\d+ arrived\?$/)
  await within(await seatOf()).findByText('Sent, waiting for you €5.00')
  expect(screen.queryByText('Remind')).toBeNull()
  await user.click(await control(/^Not received/))
  const denial = await dialog('Payment not received')
  await user.type(denial.getByLabelText(/^What is missing/), 'Nothing on my account yet.')
  await user.click(denial.getByRole('button', { name: 'Report as missing' }))
  await within(await seatOf()).findByText('Due again €5.00')
  expect(await payment()).toMatchObject({ status: 'due', note: 'Nothing on my account yet.' })
  // The owner can confirm the payment before the member has reported it.
  await user.click(await control(/^Received/))
  await announced(`${nameOf(people.marc)} now has a receipt.`)
  await screen.findByText(/^Paid until/)
  await user.click(await control('All payments'))
  const table = await screen.findByRole('table', { name: 'Payments of members' })
  expect(table.textContent).toMatch(/marc\d+.*€5\.00PaidD\d{4}-\d{6}/)
  const { receipt_number: number } = await payment()
  const receipt = new RegExp(
    [
      '€5\\.00Paid on .*Receipt .*Frommarc\\d+Toolivia\\d+ForA place in Netflix PremiumPeriod.* to .*',
      `Payment methodDirectly to olivia\\d+Reference${reference}`,
      'Share, to olivia\\d+€5\\.00Fee, to this site€0\\.00Paid€5\\.00',
    ].join(''),
  )
  const reads = async (name: string, whose: RegExp) => {
    const payments = await screen.findByRole('table', { name })
    expect(payments.textContent).toMatch(whose)
    const link = await control(String(number))
    expect(link.getAttribute('href')).toBe(`/payments/${id}`)
    await user.click(link)
    expect((await screen.findByRole('article', { name: `Receipt ${number}` })).textContent).toMatch(receipt)
  }
  await router.navigate({ href: '/payments?tab=received' })
  await reads('What you are paid', /marc\d+/)
  await open('marc', '/payments')
  await reads('What you pay', /Netflix Premium/)
})

it('on a phone a payment is a line with what to do about it, and the rest behind it; above stands what it comes to', async () => {
  holdPhone()
  const lines = () => [...document.querySelectorAll('main li')].map(({ textContent }) => textContent)
  // Before the owner has stored a payment wish, nothing is due, late or requested.
  await wishes().delete().eq('user_id', people.olivia.id).throwOnError()
  await db.query(
    `update public.member_payments set due_at = now() - interval '9 days' where subscription_id = $1`,
    [planId],
  )
  await open('marc', '/payments')
  const waiting = `Waiting for ${nameOf(people.olivia)}’s payment details`
  await waitFor(() => expect(lines()).toEqual([`Netflix Premium${waiting}€5.00`]))
  const asked = await open('olivia', '/payments?tab=received')
  await asked.user.click(await control('Add payment details for members'))
  const form = await dialog('How you are paid')
  await asked.user.click(await form.findByLabelText('In your own words'))
  await asked.user.type(form.getByLabelText('How to pay you'), 'Cash')
  await asked.user.click(form.getByText('Save'))
  await waitFor(() => expect(lines()).toEqual([expect.not.stringContaining('Waiting')]))
  // Screens use the viewer's clock, which advances once a minute.
  await db.query(
    `update public.member_payments set due_at = now() - interval '2 minutes' where subscription_id = $1`,
    [planId],
  )

  const { router } = await open('marc', '/payments')
  const all = { 'To pay now': '€5.00', 'Paid so far': '€0.00' }
  await waitFor(() =>
    expect([figures(), lines()]).toEqual([
      all,
      [expect.stringMatching(/^Netflix PremiumDue (today|since .+)€5\.00Pay$/)],
    ]),
  )
  const pay = await control('Pay €5.00 for Netflix Premium')
  expect(pay.getAttribute('href')).toBe(`/manage-subscribed/${planId}`)
  // My Savings says the same, with the same button.
  const [said] = lines()
  await router.navigate({ href: '/my-savings' })
  expect((await screen.findByLabelText('To pay now', { selector: 'ul' })).textContent).toBe(said)
  await router.navigate({ href: '/payments' })
  await waitFor(() => expect(lines()).toEqual([said]))
  await listening(`payments-${people.marc.id}`)
  await act('marc', 'say_paid', { p_payment_id: (await payment()).id })
  await waitFor(() =>
    expect(lines()).toEqual([expect.stringMatching(/^Netflix PremiumSent, waiting for olivia\d+€5\.00$/)]),
  )
  const { user } = await open('olivia', `/manage-shared/${planId}/payments`)
  await user.click(await control(/^Received €5\.00 from marc/))
  await waitFor(() => expect(figures()).toMatchObject({ 'Due to you': '€0.00', 'Received so far': '€5.00' }))
  const name = nameOf(people.marc)
  // The year above the list names the members too.
  await user.click(screen.getAllByText(name).at(-1) as HTMLElement)
  const details = await dialog(name)
  await user.click(details.getByText(/^D\d{4}-\d{6}$/))
  await screen.findByRole('article', { name: /^Receipt/ })
})

it('a payment that is missing is asked for once a day, is late after three, and ends the seat after 14', async () => {
  await letPass(server, '2 days')
  const { user, cache } = await asOwner()
  const remind = await control('Remind')
  await user.click(remind)
  expect(screen.queryByText('End place')).toBeNull()
  await toasted('success', 'Reminder Sent', `You can remind ${nameOf(people.marc)} again tomorrow.`)
  await within(await seatOf()).findByText(/^Reminded /)
  expect(screen.queryByText('Remind')).toBeNull()
  await letPass(server, '12 days')
  // Screens use the viewer's clock, which advances once a minute.
  const past = `update public.member_payments set due_at = now() - interval '14 days 2 minutes' where subscription_id = $1`
  await db.query(past, [planId])
  await cache.invalidateQueries()
  await within(await seatOf()).findByText(/^Late since \d+ \w+ €5\.00$/)
  await user.click(await control('End place'))
  const sure = await dialog(/^End the place of marc/)
  await user.click(sure.getByRole('button', { name: 'End place' }))
  await toasted('success', 'Place Free Again', `${nameOf(people.marc)} is no longer on this plan.`)
  const { data } = await people.olivia.client.from('subscription_members').select('user_id')
  expect(data).toEqual([{ user_id: people.olivia.id }])
})

it('a calendar marks the days on which one pays and is paid, by more than colour, and lists a day or the month', async () => {
  const { user } = await open('marc', '/payments?tab=calendar')
  const today = fullDay(new Date().toISOString())
  const marks = (day: string) =>
    screen.getByLabelText(new RegExp(`^${day}(,|$)`)).querySelectorAll('[class*=mark]:not([class*=marks])')
  const due = await control(`${today}, you pay €5.00`)
  expect([...marks(today)].map((mark) => mark.hasAttribute('data-receives'))).toEqual([false])
  due.focus()
  await user.keyboard('{Enter}')
  const list = await region(today)
  list.getByText(/^Due today · to olivia\d+$/)
  expect(list.getByRole('link').getAttribute('href')).toBe(`/manage-subscribed/${planId}`)
  await user.keyboard('{ArrowRight}')
  await user.click(list.getByText('Whole month'))
  await region(monthInWords(monthOf(new Date())))
  for (const _month of [1, 2, 3]) await user.click(screen.getByLabelText('Next month'))
  const later = monthInWords(shiftMonth(monthOf(new Date()), 3))
  ;(await region(later)).getByText(`Nothing is due in ${later}.`)
  await open('olivia', '/payments?tab=calendar')
  await control(`${today}, you receive €5.00`)
  expect([...marks(today)].map((mark) => mark.hasAttribute('data-receives'))).toEqual([true])

  // A member whose place has ended no longer sees the plan.
  await letPass(server, '25 hours')
  await leavePlan(planId, people.marc)
  await open('marc', '/payments?tab=calendar')
  await control(`${today}, you pay €5.00`)
  await waitFor(async () =>
    expect((await region(monthInWords(monthOf(new Date())))).getByRole('link').getAttribute('href')).toBe(
      '/payments',
    ),
  )
})

it('all periods of a plan are taken along as a table, of who has left too', async () => {
  const { olivia, zoe } = people
  await join(olivia, zoe, planId)
  await letIn(server)
  const first = await payment()
  await act('olivia', 'confirm_payment', { p_payment_id: first.id })
  await leavePlan(planId, zoe)
  await letPass(server, '32 days')
  const second = await payment(2)
  await act('marc', 'say_paid', { p_payment_id: second.id })
  await act('olivia', 'deny_payment', { p_payment_id: second.id, p_note: '-5 is missing' })

  const saved = vi.fn((_file: Blob) => 'blob:payments')
  Object.assign(URL, { createObjectURL: saved, revokeObjectURL: vi.fn() })
  const { user } = await open('olivia', `/manage-shared/${planId}/payments`)
  await user.click(await control('Download as CSV'))
  await waitFor(() => expect(saved).toHaveBeenCalledOnce())
  const file = saved.mock.calls[0]?.[0]
  expect(file?.type).toBe('text/csv;charset=utf-8')
  const [head, ...lines] = (await file?.text())?.trim().split('\r\n') ?? []
  expect(head).toContain('Member,Number,From,Until,Due,Share EUR,Fee EUR,Amount EUR,State')
  expect(lines).toEqual([
    expect.stringMatching(new RegExp(`^marc\\d+,1,.*,5.00,0.00,5.00,Paid,.*,${first.reference},$`)),
    expect.stringMatching(/^zoe\d+,1,.*,5\.00,0\.00,5\.00,Cancelled,/),
    expect.stringMatching(
      new RegExp(`^marc\\d+,2,.*,5.00,0.00,5.00,Due,.*,${second.reference},"'-5 is missing"$`),
    ),
  ])
})

const DIRECT = 'a month, paid directly, no fee'
const OTHERS = 'They apply to new members. We’ve asked 1 current member.'
const noticed = () => region('New terms proposed')
const notNoticed = () => expect(screen.queryByRole('region', { name: 'New terms proposed' })).toBeNull()
const propose = async () => {
  const { user } = await asOwner()
  await user.click(await control('Propose new terms'))
  return { user, form: await dialog('Propose new terms') }
}

it('an owner proposes another way of paying to each member, who is told at once and accepts from the next month on', async () => {
  await takePaymentsMeanwhile(server)
  const { user, form } = await propose()
  screen.getByText(`A place costs €5.00 ${DIRECT}.`)
  await form.findByText('Netflix Premium still costs €19.99.')
  const send = form.getByRole('button', { name: 'Propose terms' })
  expect(send.hasAttribute('disabled')).toBe(true)
  form.getByText('These are the current terms.')
  await user.click(form.getByLabelText('Through Potluck'))
  form.getByText('€5.50 a month through Potluck, fee included')
  form.getByText(/^They apply to new members\. We ask each current member\./)
  await user.click(send)
  await toasted('success', 'Terms changed', OTHERS)
  await screen.findByText('A place costs €5.50 a month through Potluck, fee included.')
  await waitFor(async () =>
    expect((await seatOf()).textContent).toContain(
      `Old terms: €5.00 ${DIRECT}. Asked just now, no answer yet.`,
    ),
  )
  await listening(`payments-${people.olivia.id}`)
  const { data } = await people.marc.client.from('term_proposals').select('id').single()
  await act('marc', 'answer_terms', { p_proposal_id: data?.id, p_accept: true, p_begin_at_once: true })
  await screen.findByText('Has agreed to the terms of the plan.')
  expect(screen.queryByText('End place after this month')).toBeNull()
  expect(await mySeats()).toMatchObject([{ settlement: 'potluck', share: 5 }])

  const member = await asMember()
  await region('Your place')
  notNoticed()
  await listening(`payments-${people.marc.id}`)
  await act('olivia', 'propose_terms', { p_subscription_id: planId, p_settlement: 'direct' })
  const notice = await noticed()
  notice.getByText(
    /^olivia\d+ proposes new terms\. You now pay €5\.50 a month through Potluck, fee included\./,
  )
  await member.user.click(await notice.findByText(/^Accept and pay olivia\d+ €5\.00 a month$/))
  await toasted('success', 'Thank you', 'The new terms apply from your next month.')
  await waitFor(notNoticed)
  expect(await mySeats()).toMatchObject([{ settlement: 'direct', share: 5 }])
})

it('terms go by the price of today; who keeps the old ones keeps them, until the owner ends the place with its period', async () => {
  // The plan was shared when the provider's price was lower.
  await db.query('update public.shared_subscriptions set total_price = 16, member_price = 4 where id = $1', [
    planId,
  ])
  await db.query('update private.seats set share = 4 where subscription_id = $1', [planId])
  await act('olivia', 'propose_terms', { p_subscription_id: planId, p_settlement: 'direct' })
  const member = await asMember()
  await member.user.click((await noticed()).getByText('Keep old terms'))
  await toasted('success', 'Old terms kept', 'Nothing changes. We’ve told the owner.')
  expect(await mySeats()).toMatchObject([{ settlement: 'direct', share: 4 }])

  // The price is now also higher than in the agreed terms.
  await db.query('update public.shared_subscriptions set total_price = 18 where id = $1', [planId])
  const { user } = await asOwner()
  await screen.findByText(`Old terms: €4.00 ${DIRECT}. Declined new terms.`)
  await user.click(await control('End place after this month'))
  const sure = await dialog(/^End the place of marc\d+ after this month\?$/)
  await user.click(sure.getByText('End place'))
  await screen.findByText(/Leaves on \d+ \w+ \d+\./)
  await waitFor(() => expect(screen.queryByText('End place after this month')).toBeNull())
  await user.click(await control('Propose new terms'))
  const form = await dialog('Propose new terms')
  await form.findByText(/^Netflix Premium now costs €19\.99 instead of €18\.00\./)
})

const denied = async () => {
  const { id } = await payment()
  await act('marc', 'say_paid', { p_payment_id: id })
  await act('olivia', 'deny_payment', { p_payment_id: id, p_note: 'Nothing came.' })
  return id
}
const removeMarc = () =>
  people.olivia.client.from('subscription_members').delete().eq('user_id', people.marc.id).throwOnError()

it('who says again that they have paid says how and when, and both read until when our team decides', async () => {
  const id = await denied()
  const { user } = await asMember()
  await listening(`payments-${people.marc.id}`)
  await user.click(await (await payCard()).findByText('I’ve paid'))
  const form = await dialog('I’ve paid')
  await user.type(form.getByLabelText(/^How and when/), 'By transfer on the first')
  await user.click(form.getByText('Send to our team'))
  await (await payCard()).findByText(/^You disagree about this payment\. Our team decides by /)
  expect(await payment()).toMatchObject({ status: 'disputed' })
  // The owner can still say that the payment has arrived.
  const owner = await asOwner()
  const row = within(await seatOf())
  await row.findByText(/^You disagree about this payment/)
  row.getByText('Sent, our team decides €5.00')
  expect(row.queryByText('Let it go')).toBeNull()
  await owner.user.click(row.getByText('Received'))
  await waitFor(async () => expect(await payment()).toMatchObject({ status: 'paid', received_by: 'owner' }))
  expect((await payment()).id).toBe(id)
})

it('an owner takes “Received” back, once, in the list of payments or beside the member’s place', async () => {
  await act('olivia', 'confirm_payment', { p_payment_id: (await payment()).id })
  const { user, router } = await open('olivia', `/manage-shared/${planId}/payments`)
  await control(/^Take back/)
  await router.navigate({ href: `/manage-shared/${planId}?section=money` })
  const row = within(await seatOf())
  await row.findByText('You received €5.00.')
  await user.click(await row.findByText('Take back'))
  await toasted('success', 'Taken back', `${nameOf(people.marc)} sees it now.`)
  expect(await payment()).toMatchObject({ status: 'due', unconfirmed_at: expect.any(String) })
  await waitFor(() => expect(row.queryByText('Take back')).toBeNull())
  await row.findByText('Received')
})

it('who leaves a place with a payment due reads what they still owe', async () => {
  const leaving = async () => {
    const { user } = await asMember()
    await payCard()
    await user.click(await control('Leave'))
    const form = await dialog('Leave Subscription')
    await form.findAllByRole('radio')
    return form
  }
  await (await leaving()).findByText('You lose access to Netflix Premium right away. You owe nothing.')
  // Screens use the viewer's clock.
  await db.query(
    `update public.member_payments set starts_at = starts_at - interval '25 hours' where subscription_id = $1`,
    [planId],
  )
  await (await leaving()).findByText(
    new RegExp(
      `^You lose access to Netflix Premium right away\\. You still owe ${nameOf(people.olivia)} €5\\.00\\.$`,
    ),
  )
})

it('what a member left unpaid is paid or let go, though the place is gone', async () => {
  await letPass(server, '25 hours')
  await leavePlan(planId, people.marc)
  expect(await payment()).toMatchObject({ status: 'due', left_unpaid_at: expect.any(String) })
  const { user } = await open('marc', '/payments')
  const card = await payCard()
  await card.findByText(
    /^You used Netflix Premium and left this unpaid\. Until it’s paid you can’t join plans of olivia\d+\.$/,
  )
  await card.findByText('Cash')
  await listening(`payments-${people.marc.id}`)
  await user.click(card.getByText('I’ve paid'))
  await (await payCard()).findByText(/Without an answer by .* it counts as received\.$/)

  // Olivia pays nothing, so that she sees first what she is paid.
  const owner = await open('olivia', '/payments')
  const asked = await region(/^Has €5\.00 from marc\d+ arrived\?$/)
  await owner.user.click(asked.getByText('Not received'))
  const denial = await dialog('Payment not received')
  await owner.user.type(denial.getByLabelText(/^What is missing/), 'Nothing.')
  await owner.user.click(denial.getByText('Report as missing'))
  const left = await region(/^marc\d+ left €5\.00 unpaid$/)
  await owner.user.click(left.getByText('Let it go'))
  const sure = await dialog('Let €5.00 go?')
  await owner.user.click(sure.getByRole('button', { name: 'Let it go' }))
  await toasted('success', 'Payment let go', `${nameOf(people.marc)} sees it now.`)
  await screen.findByText('Cancelled')
  expect(await payment()).toMatchObject({ status: 'cancelled' })
})

it('what an owner owes is paid where the member says, denied, and settled', async () => {
  const { id } = await payment()
  await act('olivia', 'confirm_payment', { p_payment_id: id })
  await letPass(server, '1 day')
  await removeMarc()
  const { user } = await open('olivia', '/payments?tab=received')
  const owed = await region(/^Owed to marc/)
  await owed.findByText(/^We’ve asked marc\d+ where to pay it\.$/)
  const member = people.marc.client.from('payment_wishes')
  await member.insert({ kind: 'text', note: 'Cash at dinner' }).throwOnError()
  await user.click(owed.getByText('I’ve paid it back'))
  await owed.findByText(/^You said you paid it back/)

  const other = await open('marc', '/payments')
  await other.user.click(await control('Not received'))
  const denial = await dialog('Payment not received')
  await other.user.type(denial.getByLabelText(/^What is missing/), 'No cash yet.')
  await other.user.click(denial.getByText('Report as missing'))
  await toasted('success', 'Reported as missing', `We’ve told ${nameOf(people.olivia)}.`)
  await control('Mark as paid back')
  expect(screen.queryByText('Say where to pay it')).toBeNull()

  const again = await open('olivia', `/manage-shared/${planId}?section=money`)
  const row = within(await seatOf())
  await row.findByText('No cash yet.')
  await row.findByText('Cash at dinner')
  await again.user.click(row.getByText('I’ve paid it back'))
  const how = await dialog('I’ve paid')
  await again.user.type(how.getByLabelText(/^How and when/), 'In cash on Friday')
  await again.user.click(how.getByText('Send to our team'))
  await row.findByText(/^You disagree about this payment/)
  await listening(`payments-${people.olivia.id}`)
  const { seat_id: seat } = await payment()
  await act('marc', 'settle_owed', { p_seat_id: seat })
  await waitFor(() => expect(screen.queryByText(/^You disagree about this payment/)).toBeNull())
})

it('the link of a mail asks without a sign-in, answers only by a button, and once', async () => {
  const { id } = await payment()
  const mailed = async () => {
    const [mail] = await db.query<{ path: string }>(
      `select path from private.outgoing_mail where event = 'member-says-paid' and reader_id = $1
       order by created_at desc limit 1`,
      [people.olivia.id],
    )
    return mail?.path ?? ''
  }
  await act('marc', 'say_paid', { p_payment_id: id })
  const { user, router } = await openApp(server, await mailed())
  await screen.findByRole('heading', { name: /^Has €5\.00 from marc\d+ arrived\?$/ })
  screen.getByText(
    /they’ve paid €5\.00 for Netflix Premium\. Without an answer by .* it counts as received\.$/,
  )
  expect((await payment()).status).toBe('claimed')
  await user.click(await control('Not received'))
  const denial = await dialog('Payment not received')
  expect(denial.getByRole('button', { name: 'Report as missing' }).hasAttribute('disabled')).toBe(true)
  await user.type(denial.getByLabelText(/^What is missing/), 'Nothing on my account.')
  await user.click(denial.getByText('Report as missing'))
  await screen.findByRole('heading', { name: 'You said it hasn’t arrived' })
  expect(await payment()).toMatchObject({ status: 'due', note: 'Nothing on my account.' })
  await router.navigate({ href: '/answer/no-such-link' })
  await screen.findByText('This link doesn’t work')
})

it('staff decides with both statements before them, in two clicks and a reason', async () => {
  await denied()
  await act('marc', 'say_paid', { p_payment_id: (await payment()).id, p_note: 'By transfer on the first' })
  const { user } = await openApp(server, '/admin/problems', { as: ada })
  const dispute = await region('Payment disputes')
  await dispute.findByText('By transfer on the first')
  dispute.getByText('Nothing came.')
  await user.click(dispute.getByText('It was paid'))
  const reason = await dialog('It was paid')
  await user.type(reason.getByLabelText(/^Reason/), 'The slip shows it')
  await user.click(reason.getByText('Decide'))
  await toasted('success', 'Decided', 'We’ve told both sides.')
  await (await region('Closed payment disputes')).findByText('The slip shows it')
  expect(await payment()).toMatchObject({ status: 'paid', received_by: 'staff' })
})

it('staff closes what an owner owes, with a reason that both read', async () => {
  await act('olivia', 'confirm_payment', { p_payment_id: (await payment()).id })
  await letPass(server, '1 day')
  await removeMarc()
  const { user } = await openApp(server, `/admin/people/${people.olivia.id}`, { as: ada })
  await user.click(await control(/^Close refund: €\d\.\d\d to marc/))
  const reason = await dialog('Close refund')
  await user.type(reason.getByLabelText(/^Reason/), 'Settled in cash')
  await user.click(reason.getByRole('button', { name: 'Close refund' }))
  await toasted('success', 'Refund closed', 'We’ve told both sides.')
  await waitFor(() => expect(screen.queryByText('Refunds they owe')).toBeNull())
  expect(await payment()).toMatchObject({ debt_closed_at: expect.any(String) })
})
