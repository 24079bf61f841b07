// Cases that staff handle: problems with places, chargebacks, unknown provider events, and reports about people.
// Proves PAY 18, ACCESS 09
import { testServer } from '@potluck/server/test/harness.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, it, onTestFinished } from 'vitest'
import { addPerson } from '../../../supabase/tests/people.ts'
import { listening, openApp, toasted } from '../app.tsx'
import { card, dialog, rows } from '../parts.ts'
import { addStaff, nameOf } from '../people.ts'
import { join, newPeople, sharePlan } from '../sharing.ts'
import { borrowTill } from '../till.ts'

const server = await testServer()
const { db } = server
const till = await borrowTill(server)
const ada = await addStaff(server, 'ada', 'admin')
const mona = await addStaff(server, 'mona', 'moderator')

/** Olivia shares a plan that Mia and Leo pay for. */
async function paidPlan() {
  const olivia = await addPerson(db, 'Olivia')
  const plan = await till.share(olivia)
  const [mia, leo] = [await till.payer('Mia'), await till.payer('Leo')]
  for (const person of [mia, leo]) await till.enter(person, plan)
  await till.work()
  return { olivia, mia, leo }
}
const articles = async (count: number) => {
  await waitFor(() => expect(document.querySelectorAll('article')).toHaveLength(count))
  return within(document.querySelector('article') as HTMLElement)
}

it('admins decide problems that wait, with the time left and a timeline, for a reason that both sides read', async () => {
  await db.query('delete from seat_problems')
  const { olivia, mia, leo } = await paidPlan()
  for (const person of [mia, leo]) {
    await person.sql`select report_problem((select id from my_seats()), 'password', ${`Wrong, says ${person.id}`})`
    await olivia.sql`select contest_problem(id, 'It opens here') from seat_problems where member_id = ${person.id}`
  }
  const { user, at, router } = await openApp(server, '/admin', { as: ada })
  await user.click(await screen.findByText('Problems', { selector: 'nav *' }))
  await screen.findAllByText('72h left')
  const one = await articles(2)
  await one.findByText('Olivia: “It works”')
  one.getByText('Mia paid €5.50')
  one.getByText('It opens here')
  await user.keyboard('j{Enter}')
  await waitFor(() => expect(at()).toMatch(/^\/problems\//))
  await router.navigate({ href: '/admin/problems' })
  await articles(2)
  await user.keyboard('jm')
  const forMia = await dialog('Decide for Mia')
  const confirm = forMia.getByText('Decide for the member').closest('button') as HTMLButtonElement
  expect(confirm.disabled).toBe(true)
  await user.type(forMia.getByLabelText(/^Reason/), 'The screenshots show a wrong password.')
  await user.click(confirm)
  await toasted('success', 'Decided for Mia', 'Both can see the reason.')
  await articles(1)
  await waitFor(() =>
    expect(rows('Closed problems').join()).toMatch(
      /Netflix Premium: The password doesn’t workMia to Olivia.*Our team decided for Mia, so Mia gets back what was paid for the time since the report\..*The screenshots show a wrong password\./,
    ),
  )
  await user.click(screen.getByText('Decide for the owner'))
  const forOlivia = await dialog('Decide for Olivia')
  await user.type(forOlivia.getByLabelText(/^Reason/), 'It was opened from the place of Leo.')
  await user.click(forOlivia.getByText('Decide for the owner'))
  await screen.findByText('No problems to decide')
  await user.click(screen.getAllByText(/The password doesn’t work/, { selector: 'a, a *' })[0] as HTMLElement)
  await screen.findByText('Our team’s reason')
})

it('admins see what a chargeback took from whom and what to do until when, and look at events nobody knows', async () => {
  const { olivia, mia, leo } = await paidPlan()
  // By now Olivia has earned a part of the payment.
  onTestFinished(async () => {
    await db.query(`update private.clock set ahead = '0'`)
  })
  await till.pass('15 days')
  const say = (person: { id: string }, status: string, due: string | null, costs = '{}') =>
    db.query(
      `select record_dispute('dp_' || member_id, 'pi ' || id, 5.50, $2, 'product_not_received', $3::timestamptz, $4::jsonb)
       from member_payments where member_id = $1`,
      [person.id, status, due, costs],
    )
  for (const status of ['needs_response', 'won']) await say(leo, status, null, '{"txn_1": 15}')
  await say(mia, 'needs_response', new Date(Date.now() + 9 * 86_400_000).toISOString())
  await db.query(
    'update payment_disputes set from_account = 0.01, from_guarantee = from_guarantee - 0.01 where from_guarantee > 0',
  )
  await db.query(
    `select record_fraud_warning('issfr_' || member_id, 'pi ' || id, 'made_with_stolen_card', true) from member_payments
     where member_id = any($1::uuid[])`,
    [`{${mia.id},${leo.id}}`],
  )
  await db.query('delete from unknown_payment_events')
  for (const id of ['evt_first', 'evt_second'])
    await db.query('select record_unknown_event($1, $2, $3)', [id, 'charge.refunded', 'ch_elsewhere'])

  const { user, router, at } = await openApp(server, `/admin/disputes?person=${olivia.id}`, { as: ada })
  await waitFor(() => expect(rows('Chargebacks')).toHaveLength(2))
  const [open, won] = rows('Chargebacks')
  expect(open).toMatch(
    /Netflix PremiumMia paid OliviaReason: product not received€5\.50€\d\.\d\d held for Olivia€\d\.\d\d held fee€0\.01 account of Olivia€\d\.\d\d guarantee account/,
  )
  const [whole, ...taken] = [...(open ?? '').matchAll(/€(\d\.\d\d)/g)].map(([, amount]) => Number(amount))
  expect(taken.reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(whole ?? 0)
  expect(open).toMatch(/To be answeredAnswer with what we know.*Until .*in (8|9) days/)
  expect(won).toMatch(
    /€15\.00 the site, for the provider’s fee.*WonEverything except the provider’s fee came back/,
  )
  expect(screen.getAllByText('Leo')[0]?.closest('a')?.getAttribute('href')).toBe(`/admin/people/${leo.id}`)
  // The answer is shown before it is sent.
  await user.click(screen.getByLabelText('Answer the chargeback of Mia'))
  const answering = within(await screen.findByRole('dialog'))
  await answering.findByText(/The customer created an account/)
  await user.click(answering.getByText('Send to the bank'))
  await toasted('success', 'Answered', 'The evidence is on its way to the bank.')
  await waitFor(() => expect(rows('Chargebacks')[0]).toMatch(/Our evidence is on its way to the provider/))
  await waitFor(() => expect(rows('Fraud warnings')).toHaveLength(2))
  expect(rows('Fraud warnings').join()).toMatch(/The bank says: made with stolen card€5\.50/)
  await user.click(screen.getByLabelText('Decide about the warning of Leo'))
  await user.click(within(await screen.findByRole('dialog')).getByText('Leave it'))
  await toasted('success', 'Left as it is', 'It’s also in the staff log.')
  await waitFor(() => expect(rows('Fraud warnings').join()).toMatch(/€5\.50Left as it is/))
  await user.click(screen.getByLabelText('State', { selector: 'input' }))
  await user.click(await screen.findByText('Won', { selector: '[role=option] *' }))
  await waitFor(() => expect(rows('Chargebacks')).toEqual([won]))
  expect(at()).toContain('state=won')
  await router.navigate({ href: `/admin/disputes?state=won&person=${mia.id}` })
  await screen.findByText('No chargebacks found')

  expect(rows('Unknown events')).toHaveLength(2)
  // Two events of the same kind and day: their names for screen readers differ nevertheless.
  const names = [...document.querySelectorAll('table[aria-label="Unknown events"] tbody tr')].map(
    (row) => `${row.ariaLabel}, ${row.querySelector('button[aria-label]')?.getAttribute('aria-label')}`,
  )
  expect(new Set(names).size).toBe(2)
  const rowAbout = (id: string) => screen.getByText(new RegExp(id)).closest('tr') as HTMLElement
  const first = within(rowAbout('evt_first')).getByLabelText(/^Mark Charge refunded, .* as looked at$/)
  await user.click(first)
  await screen.findByRole('dialog')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(first))
  await user.click(first)
  const noting = within(await screen.findByRole('dialog'))
  await user.type(noting.getByLabelText(/^What you found/), 'Of our old shop')
  await user.click(noting.getByText('Save note'))
  await toasted('success', 'Noted', 'It’s also in the staff log.')
  await waitFor(() => expect(rows('Unknown events')).toHaveLength(1))
  await user.click(screen.getByLabelText('Looked at', { selector: 'input' }))
  await waitFor(() => expect(rows('Unknown events')[0]).toMatch(/evt_first.*Of our old shopada\d+/))
  expect(
    await db.query(
      `select actor, details ->> 'finding' as finding from private.staff_log
       where action = 'payment event looked at' and subject = 'evt_first'`,
    ),
  ).toEqual([{ actor: ada.id, finding: 'Of our old shop' }])
})

it('help answers what it knows, and staff the rest', async () => {
  const { zoe } = await newPeople(server)
  const { user } = await openApp(server, '/help', { as: zoe })
  await user.type(await screen.findByRole('searchbox', { name: 'Search the answers' }), 'card declined')
  await waitFor(() => expect(screen.queryByText('What is the convenience fee?')).toBeNull())
  await user.click(screen.getByText('My card was declined'))
  await user.type(screen.getByLabelText(/^Your question/), 'Where is my receipt?')
  await user.click(screen.getByText('Send'))
  await toasted('success', 'Sent', 'We’ll answer here and by email.')
  await screen.findByText('Not answered yet')

  const staff = await openApp(server, `/admin/cases?person=${zoe.id}`, { as: mona })
  within(await screen.findByRole('article', { name: `From ${nameOf(zoe)}` })).getByText(
    'Where is my receipt?',
  )
  await staff.user.keyboard('ja')
  const answering = await dialog(`Answer ${nameOf(zoe)}`)
  await staff.user.type(answering.getByLabelText(/^Your answer/), 'Under My Payments')
  await staff.user.click(answering.getByText('Send answer'))
  await toasted('success', 'Closed', `We’ve told ${nameOf(zoe)}.`)
  await screen.findByText('No cases found')
  await staff.user.click(screen.getByLabelText('Closed', { selector: 'input' }))
  await screen.findByText(/Under My Payments/)

  await openApp(server, '/help', { as: zoe })
  await screen.findByText('Under My Payments')
})

it('a report shows the chat, the plan and earlier decisions; a plan is hidden, and a suspension lifted again', async () => {
  const { olivia, zoe } = await newPeople(server)
  const planId = await sharePlan(olivia)
  await join(olivia, zoe, planId)
  const chat = { p_subscription_id: planId, p_owner_id: olivia.id, p_member_id: zoe.id }
  const { data } = await zoe.client.rpc('find_or_create_conversation', chat).throwOnError()
  await zoe.client
    .from('messages')
    .insert({ conversation_id: data, content: 'It stopped working' })
    .throwOnError()
  const report = () =>
    zoe.client
      .rpc('report', {
        p_kind: 'person',
        p_subject: olivia.id,
        p_claim: 'abuse',
        p_body: 'Asks for my password',
        p_name: null,
        p_email: null,
        p_language: null,
        p_good_faith: null,
      })
      .throwOnError()
  await report()
  const name = nameOf(olivia)
  const { user, router } = await openApp(server, `/admin/cases?person=${olivia.id}`, { as: ada })
  const told = await card(`About ${name}`)
  expect(told.queryByText('It stopped working')).toBeNull()
  await user.click(told.getByText('Read their chat'))
  await told.findByText('It stopped working')
  await user.click(told.getByText('Hide a plan'))
  // The claim suggests a text, so that the second press decides; the person's words are shown before.
  const hiding = await dialog(`Hide a plan of ${name}?`)
  hiding.getByText(
    'We’ve hidden Netflix Premium, so no one new can find or join it. It insults, threatens or harasses someone. Section 3 of our terms does not allow that. It holds on the whole site until it is taken back.',
  )
  await user.click(hiding.getByText('Hide plan'))
  await screen.findByText('No cases found')
  expect(await server.db.query('select status from shared_subscriptions where id = $1', [planId])).toEqual([
    { status: 'rejected' },
  ])

  await listening('cases')
  await report()
  const again = await card(`About ${name}`)
  again.getByText(/· hidden$/)
  expect(again.queryByText('Hide a plan')).toBeNull()
  expect(again.getByText('Decided before').parentElement?.textContent).toMatch(/Plan hidden.*insults/)
  await user.click(again.getByText('Suspend'))
  const suspending = await dialog(`Suspend ${name}?`)
  await user.selectOptions(suspending.getByLabelText(/^What happened/), 'own')
  const confirm = suspending.getByText('Suspend', { selector: 'button *' })
  expect(confirm.closest('button')?.disabled).toBe(true)
  await user.type(suspending.getByLabelText(/^The facts/), 'Again')
  await user.click(confirm)
  await screen.findByText('No cases found')
  await act(() => router.navigate({ href: `/admin/people/${olivia.id}` }))
  await user.click(await screen.findByText('Lift the suspension'))
  const lifting = await dialog(`Lift the suspension of ${name}?`)
  await user.click(lifting.getByText('Lift the suspension', { selector: 'button *' }))
  await waitFor(() => expect(screen.queryByText(/^Suspended until/)).toBeNull())
})

it('an admin confirms an address that no mail reaches, with a reason', async () => {
  const { olivia } = await newPeople(server)
  await server.db.query('update auth.users set email_confirmed_at = null where id = $1', [olivia.id])
  const { user } = await openApp(server, `/admin/people/${olivia.id}`, { as: ada })
  await user.click(await screen.findByText('Confirm the address by hand'))
  const asked = await dialog(`Confirm ${olivia.email}?`)
  await user.type(asked.getByLabelText(/^How do you know/), 'She wrote to us')
  await user.click(asked.getByText('Confirm the address', { selector: 'button *' }))
  await waitFor(() => expect(screen.queryByText('Address not confirmed')).toBeNull())
})

it('reports of people come to staff, who look at both sides and say what they found', async () => {
  const { olivia, zoe } = await newPeople(server)
  const planId = await sharePlan(olivia)
  const name = nameOf(olivia)
  const { user, router } = await openApp(server, `/people/${olivia.id}`, { as: zoe })
  const report = async (what: string) => {
    await user.click(await screen.findByText(`Report ${name}`, { selector: 'button *' }))
    const form = await dialog(`Report ${name}`)
    await user.type(form.getByLabelText(/^What happened/), what)
    expect(form.getByText('Send report').closest('button')?.disabled).toBe(true)
    await user.selectOptions(form.getByLabelText(/^What’s wrong/), 'fraud')
    await user.click(form.getByText('Send report'))
  }
  await report('Asks for my password')
  await toasted('success', 'Thank you', 'We’ll let you know once our team has looked at it.')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  // A person can also be reported after blocking the reporter, when the person's name links to no page.
  await join(olivia, zoe, planId)
  await olivia.client.rpc('block_person', { p_person_id: zoe.id }).throwOnError()
  await router.navigate({ href: `/plans/${planId}` })
  await user.click(await screen.findByLabelText(`New: why? About ${name}`))
  await report('Again')
  await toasted('error', 'That didn’t work', 'You’ve already reported this. Our team will look at it.')

  const staff = await openApp(server, `/admin/cases?person=${olivia.id}`, { as: mona })
  const told = await card(`About ${name}`)
  told.getByText('Asks for my password')
  expect([olivia, zoe].map((one) => told.getByText(nameOf(one)).closest('a')?.getAttribute('href'))).toEqual([
    `/admin/people/${olivia.id}`,
    `/admin/people/${zoe.id}`,
  ])
  // They share a place, but have not written to each other.
  told.getByText(`Netflix Premium · 2 people · ${nameOf(zoe)} has or had a place`)
  expect(told.queryByText('Suspend')).toBeNull()
  await staff.user.keyboard('jc')
  const closing = await dialog(`Close the report about ${name}?`)
  await staff.user.type(closing.getByLabelText(/^What did you find/), 'Talked to both')
  await staff.user.click(closing.getByText('Close report'))
  await screen.findByText('No cases found')
  await staff.user.click(screen.getByLabelText('Closed', { selector: 'input' }))
  const closed = await card(`About ${name}`)
  closed.getByText('Closed without action')
  closed.getByText(/Talked to both/)
  expect(closed.queryByRole('button')).toBeNull()
  expect(staff.at()).toContain('state=closed')

  // Only admins handle problems and chargebacks.
  for (const page of ['/admin/problems', '/admin/disputes']) {
    await staff.router.navigate({ href: page })
    await screen.findByText('Your role does not include this page')
  }
})

it('a visitor reports a plan, it is hidden, its owner appeals by the mailed link, and somebody else restores it', async () => {
  const { olivia } = await newPeople(server)
  const planId = await sharePlan(olivia)
  const visitor = await openApp(server, `/plans/${planId}`)
  await visitor.user.click(await screen.findByText('Report this plan'))
  await screen.findByText(
    'For whoever finds something illegal or wrong here, or whose rights it breaks. You need no account.',
  )
  const send = () => screen.getByText('Send report').closest('button') as HTMLButtonElement
  await visitor.user.selectOptions(screen.getByLabelText(/^What’s wrong/), 'rights')
  await visitor.user.type(screen.getByLabelText(/^What happened/), 'It uses our mark')
  await visitor.user.type(screen.getByLabelText(/^Your name/), 'Rights Ltd')
  await visitor.user.type(screen.getByLabelText(/^Your email/), `rights+${planId}@potluck.example`)
  expect(send().disabled).toBe(true)
  await visitor.user.click(screen.getByLabelText(/^In good faith/))
  await visitor.user.click(send())
  await screen.findByText('We have your report')
  // With an account, the same page asks for no name; it takes a link.
  const known = await openApp(server, '/report', { as: (await newPeople(server)).zoe })
  await known.user.type(
    await screen.findByLabelText(/^Link to the plan/),
    `https://potluck.example/plans/${planId}`,
  )
  await known.user.selectOptions(screen.getByLabelText(/^What’s wrong/), 'terms')
  await known.user.type(screen.getByLabelText(/^What happened/), 'It breaks the rules')
  expect(screen.queryByLabelText(/^Your name/)).toBeNull()
  await known.user.click(send())
  await screen.findByText('We have your report')
  await db.query(`delete from cases where body = 'It breaks the rules'`)

  const staff = await openApp(server, `/admin/cases?person=${olivia.id}`, { as: mona })
  const told = await card(`Plan of ${nameOf(olivia)}`)
  told.getByText(/^Reported by/).textContent?.includes('Rights Ltd')
  await staff.user.click(told.getByText('Hide a plan'))
  const hiding = await dialog(`Hide a plan of ${nameOf(olivia)}?`)
  await staff.user.click(hiding.getByText('Hide plan'))
  await screen.findByText('No cases found')

  const link = await waitFor(async () => {
    const mails = (await server.outbox()).filter(({ to }) => to === olivia.email)
    const [path] = /\/decision\/[\w-]+/.exec(mails.map(({ html }) => html).join()) ?? []
    expect(path).toBeDefined()
    return String(path)
  })
  const reader = await openApp(server, link)
  await screen.findByRole('heading', { name: 'Plan Hidden' })
  screen.getByText(/Someone holds the rights to it and objects\. Section 3 of our terms/)
  await reader.user.type(screen.getByLabelText(/^What did we miss/), 'I only name the service')
  await reader.user.click(screen.getByText('Appeal', { selector: 'button *' }))
  await screen.findByText('I only name the service')

  // Whoever decided does not decide again while somebody else can.
  await openApp(server, `/admin/cases?person=${olivia.id}`, { as: mona })
  const own = await card(`Appeal by ${nameOf(olivia)}`)
  own.getByText('Somebody else decides on appeals against your own decisions.')
  const other = await openApp(server, `/admin/cases?person=${olivia.id}`, { as: ada })
  const appeal = await card(`Appeal by ${nameOf(olivia)}`)
  await other.user.click(appeal.getByText('Take the decision back'))
  const undoing = await dialog(`Take back the decision about ${nameOf(olivia)}?`)
  await other.user.type(undoing.getByLabelText(/^What was wrong/), 'Naming it is allowed')
  await other.user.click(undoing.getByText('Take the decision back', { selector: 'button *' }))
  await screen.findByText('No cases found')
  expect(await db.query('select status from shared_subscriptions where id = $1', [planId])).toEqual([
    { status: 'active' },
  ])
  await openApp(server, link)
  await screen.findByText('Naming it is allowed')
  screen.getByText(/^You were right/)
})
