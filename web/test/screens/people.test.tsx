// People's pages: standing and its reasons, reviews, reports and blocking.
// Proves REP 02-06
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { hideOtherPlans } from '../acting.ts'
import { openApp, toasted } from '../app.tsx'
import { control, dialog, heading, region } from '../parts.ts'
import { nameOf, newPerson } from '../people.ts'
import { ask, join, letIn, newPeople, type People, say, sharePlan } from '../sharing.ts'

const server = await testServer()
const { db } = server
let people: People
let planId: string

beforeEach(async () => {
  await hideOtherPlans(server)
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
})

const NETFLIX = '/plans?service=Netflix'
const pageOf = ({ id }: { id: string }) => `/people/${id}`
const open = (who: keyof People, address: string) => openApp(server, address, { as: people[who] })
const manage = () => open('olivia', `/manage-shared/${planId}`)
const rename = ({ id }: TestUser, name: string) =>
  db.query('update public.user_profiles set display_name = $2 where user_id = $1', [id, name])
const why = (level: string, person: TestUser) => control(`${level}: why? About ${nameOf(person)}`)
const about = (person: TestUser) => dialog(`About ${nameOf(person)}`)
const written = () =>
  [...document.querySelectorAll('main :is(h1, h2, p, a, span)')].map((one) => one.textContent).join('\n')

it('the page of a person tells a visitor a first name, since when, how far, and what they share; why, once they sign in', async () => {
  await rename(people.olivia, 'Olivia Van Halen')
  const { at, user } = await openApp(server, pageOf(people.olivia))
  await heading('Olivia')
  await control('See the plan Netflix Premium, shared by Olivia')
  await (await region('Reviews')).findByText('No reviews yet.')
  expect(document.title).toBe('Olivia · Potluck')
  expect(written()).toMatch(/Here since \d+ \w+ \d{4}/)
  expect(written()).toContain('New')
  for (const secret of ['Halen', people.olivia.email]) expect(document.body.textContent).not.toContain(secret)
  expect(screen.queryByText(/^Block/)).toBe(null)
  const why = await region('Why New?')
  why.getByText(/New means that there is not much to judge by yet\./)
  await user.click(why.getByText('Sign in'))
  await waitFor(() => expect(decodeURIComponent(at())).toContain(`/signin?redirect=${pageOf(people.olivia)}`))

  // Visitors get the same answer for a person whom they may not see as for one who does not exist; people see on their
  // own page what others see there.
  const nobody = await openApp(server, pageOf({ id: '00000000-0000-4000-8000-000000000000' }))
  await heading('No one here')
  await screen.findByText('Plans with a place')
  const missing = written()
  await nobody.router.navigate({ href: pageOf(people.marc) })
  await waitFor(() => expect(nobody.at()).toBe(pageOf(people.marc)))
  await waitFor(() => expect(written()).toBe(missing))
  await open('olivia', pageOf(people.olivia))
  await heading('Olivia')
  await screen.findByText(/This is how others see you\./)
  await screen.findByText('Next: Proven')
  await screen.findByText('0 days here.')
  expect(screen.queryByText(/^Block/)).toBe(null)
})

const rowsOf = async (card: Pick<typeof screen, 'findByText' | 'findByRole'>) => {
  fireEvent.click(await card.findByText('All facts'))
  const table = await card.findByRole('table', { name: 'What standing is based on' })
  return [...table.querySelectorAll('tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent).join(' | '),
  )
}
/** Gives a person four months that were paid on time to two other people, long enough ago for the standing "Proven". */
async function prove({ id }: TestUser) {
  const others = await newPeople(server)
  for (const owner of [others.olivia, others.marc])
    await db.query(
      `with seat as (
         insert into private.seats (subscription_id, catalogue_plan_id, provider, plan_name, owner_id, member_id, settlement, billing_cycle, share, fee_rate)
         values (gen_random_uuid(), 'netflix-premium', 'Netflix', 'Premium', $1, $2, 'direct', 'monthly', 5, 0.1) returning *
       )
       insert into public.member_payments (seat_id, subscription_id, plan_name, owner_id, member_id, number, settlement, share, fee,
         starts_at, ends_at, due_at, claimed_at, paid_at, status)
       select id, subscription_id, plan_name, owner_id, member_id, n, settlement, share, 0, at, at + interval '30 days', at, at, at, 'paid'
       from seat, generate_series(1, 2) as n, lateral (select now() - n * interval '30 days') as began (at)`,
      [owner.id, id],
    )
  await db.query(
    `update private.user_profiles set created_at = now() - interval '40 days' where user_id = $1`,
    [id],
  )
}

const block = async (user: Awaited<ReturnType<typeof open>>['user'], name: string) => {
  const sure = await dialog(`Block ${name}?`)
  sure.getByText(/^You can’t message, invite or find each other.*They are not told\.$/)
  await user.click(sure.getByRole('button', { name: `Block ${name}` }))
  await toasted('success', `${name} is blocked`, 'You can unblock them in Account Settings.')
}

it('how far people can be relied on shows on cards, and on a plan with why; their page lets one block them and back', async () => {
  await prove(people.olivia)
  await rename(people.olivia, 'Olivia of the table')
  await sharePlan(people.marc)
  const { user, router, at } = await open('zoe', NETFLIX)
  await screen.findByText('Proven')
  screen.getByText('New')
  await router.navigate({ href: `/subscription/${planId}` })
  const whyOlivia = () => control(/^Proven: why\? About Olivia/)
  await user.click(await whyOlivia())
  const card = await dialog(/^About Olivia/)
  await card.findByText('Next: Trusted')
  card.getByText('40 days here, 4 payments on time.')
  expect(await rowsOf(card)).toEqual([
    'Fact | Trusted needs',
    'Time here40 days | 180 days (not yet)',
    'Working access given0 hours | 1 year (not yet)',
    'Payments on time4 | or 12 (not yet)',
    'Payments more than 3 days lateNone | None (reached)',
    'Problems causedNone | None (reached)',
    'Refunds not paid to membersNone | None (reached)',
    'Typical time to answer requestsNo requests yet | At most 12 hours (reached)',
  ])
  card.getByText(/At most 90 days with the same person count\. .* count for 180 days\.$/)
  await user.keyboard('{Escape}')

  await router.navigate({ href: `/plans/${planId}` })
  await user.click(await control(/^Olivia/))
  await heading('Olivia')
  expect(at()).toBe(pageOf(people.olivia))
  await user.click(await control('Block Olivia'))
  const sure = await dialog('Block Olivia?')
  await user.click(sure.getByRole('button', { name: 'Block Olivia' }))
  // A blocked person's page shows only that they are blocked, and how to report or unblock them.
  await waitFor(() => expect(written()).not.toContain('Here since'))
  await heading('Olivia of the table')
  await screen.findByText('You’ve blocked Olivia of the table')
  await control('Report Olivia of the table')
  await user.click(await control('Unblock Olivia of the table'))
  await control('See the plan Netflix Premium, shared by Olivia')
})

it('whoever asks for a place has their level, leads to their page, and is blocked, which ends the request, until it is taken back in the settings', async () => {
  const name = nameOf(people.zoe)
  await ask(people.zoe, planId)
  await prove(people.olivia)
  const { user, router } = await manage()
  await control(`Approve ${name}`)
  await user.click(await why('New', people.zoe))
  const card = await about(people.zoe)
  await card.findByText('Next: Proven')
  await user.click(await card.findByText(/page, with what they share$/))
  await heading(name)
  expect(screen.queryByRole('dialog')).toBe(null)
  await router.navigate({ href: `/manage-shared/${planId}` })
  await user.click(await why('New', people.zoe))
  await user.click(await (await about(people.zoe)).findByText(`Block ${name}`))
  await block(user, name)
  await waitFor(() => expect(screen.queryByLabelText(`Approve ${name}`)).toBeNull())

  await router.navigate({ href: '/account-settings/standing' })
  const own = await region('Your standing')
  await waitFor(async () => expect((await rowsOf(own))[3]).toContain('Payments on time4'))
  own.getByText('Next: Trusted')
  await router.navigate({ href: '/account-settings/privacy' })
  await user.click(await control(`Unblock ${name}`))
  await toasted('success', `${name} is no longer blocked`)
  await screen.findByText('You have blocked nobody.')
  await ask(people.zoe, planId)
})

it('in an old chat with somebody apart there is no level, but the way to report them', async () => {
  const { olivia, marc } = people
  await join(olivia, marc, planId)
  const id = await say(olivia, { planId, ownerId: olivia.id, memberId: marc.id }, 'Hello')
  await marc.client.from('subscription_members').delete().eq('user_id', marc.id).throwOnError()
  await olivia.client.rpc('block_person', { p_person_id: marc.id }).throwOnError()
  const { user } = await open('marc', `/messages/${id}`)
  const chat = await dialog(new RegExp(`^${nameOf(olivia)}`))
  await user.click(await chat.findByLabelText(`About ${nameOf(olivia)}`))
  const known = await about(olivia)
  await known.findByText(`Report ${nameOf(olivia)}`)
  expect(known.queryByText(/Reviews|page, with/)).toBeNull()
})

it('a member is blocked from the chat, which takes no messages until that is taken back in their row', async () => {
  const { olivia, marc } = people
  const name = nameOf(marc)
  await join(olivia, marc, planId)
  const { user, router } = await manage()
  await user.click(await control(`Chat with ${name}`))
  const chat = await dialog(new RegExp(`^${name}`))
  await chat.findByLabelText(`Message ${name}`)
  await user.click(chat.getByLabelText(/: why\? About/))
  await user.click(await (await about(marc)).findByText(`Block ${name}`))
  await block(user, name)
  await chat.findByText(`You’ve blocked ${name}`)
  expect(chat.queryByLabelText(`Message ${name}`)).toBeNull()
  await router.navigate({ href: '/about' })
  await router.navigate({ href: `/manage-shared/${planId}` })
  await user.click(await why('New', marc))
  const known = await about(marc)
  await user.click(await known.findByLabelText(`Unblock ${name}`))
  await known.findByText(`Block ${name}`)
})

/** Makes Marc a paying member of Olivia's for 15 days; returns a function with which either of them writes a review. */
async function reviewing() {
  await join(people.olivia, people.marc, planId)
  await letIn(server)
  await db.query(
    `update public.member_payments set starts_at = starts_at - interval '15 days', status = 'paid', claimed_at = now(), paid_at = now()
     where subscription_id = $1`,
    [planId],
  )
  const seats = (await people.marc.client.rpc('my_seats').throwOnError()).data
  return (by: TestUser, rating: number, text: string) =>
    by.client
      .rpc('review_seat', { p_seat_id: seats[0]?.id ?? '', p_rating: rating, p_text: text })
      .throwOnError()
}
const firstReviewOf = async (person: TestUser) =>
  (await people.zoe.client.rpc('reviews_of', { p_person_id: person.id }).throwOnError()).data[0]?.id ?? ''

it('both say how it was; a review takes one answer and one report, and visitors read a first name', async () => {
  await reviewing()
  const [olivia, marc] = [nameOf(people.olivia), nameOf(people.marc)]
  /** Uses the keyboard: jsdom has no layout, so a click cannot hit a certain star. */
  const write = async (
    user: Awaited<ReturnType<typeof open>>['user'],
    about: string,
    stars: string,
    text = '',
  ) => {
    await user.click(await control(`Review ${about}`))
    const form = await dialog(`Review ${about}`)
    expect(form.getByText('Send review').closest('button')?.disabled).toBe(true)
    form.getByLabelText(stars).focus()
    await user.keyboard(' ')
    if (text) await user.type(form.getByLabelText(/^Anything others should know/), text)
    await user.click(form.getByText('Send review'))
    await toasted('success', 'Thank you', `Your review of ${about} is saved.`)
  }
  // Each tab of a person's plans asks for reviews of the people in the plans that it lists.
  const lists = await open('marc', '/my-subscriptions?tab=subscribed')
  await region('How was it?')
  await lists.router.navigate({ href: '/my-subscriptions?tab=shared' })
  await control('Create New Plan')
  expect(screen.queryByRole('region', { name: 'How was it?' })).toBeNull()

  const member = await open('marc', '/my-subscriptions?tab=subscribed')
  await write(member.user, olivia, '2 of 5', 'Slow to answer')
  await waitFor(() => expect(screen.queryByRole('region', { name: 'How was it?' })).toBeNull())

  const owner = await open('olivia', '/my-subscriptions?tab=shared')
  ;(await region('How was it?')).getByText('Netflix Premium. They’ve already reviewed you.')
  await write(owner.user, marc, '5 of 5')
  await owner.router.navigate({ href: '/account-settings/standing' })
  await screen.findByText('Slow to answer')
  await owner.user.click(await control('Answer'))
  const form = await dialog('Answer this review')
  await owner.user.type(form.getByLabelText(/^Your answer/), 'I was ill that week')
  await owner.user.click(form.getByText('Add answer'))
  await screen.findByText('I was ill that week')
  await waitFor(() => expect(screen.queryByText('Answer')).toBeNull())

  const { user } = await open('zoe', `/subscription/${planId}`)
  expect((await screen.findByRole('region', { name: 'Who shares it' })).textContent).toContain(
    '2.0 of 5 from 1 person',
  )
  await user.click(await why('New', people.olivia))
  const known = await about(people.olivia)
  const reviews = within(await known.findByRole('region', { name: `Reviews of ${olivia}` }))
  await reviews.findByText('I was ill that week')
  reviews.getByText('2.0 of 5, from 1 person')
  await user.click(reviews.getByLabelText(`Report the review by ${marc}`))
  const report = await dialog('Report this review')
  await user.selectOptions(report.getByLabelText(/^What’s wrong/), 'terms')
  await user.type(report.getByLabelText(/^What happened/), 'It is not true')
  await user.click(report.getByRole('button', { name: 'Send report' }))
  await toasted('success', 'Thank you', 'We’ll let you know once our team has looked at it.')

  await rename(people.marc, 'Marc von und zu')
  window.localStorage.clear()
  const visitor = await openApp(server, `/plans/${planId}`)
  for (const address of [`/plans/${planId}`, pageOf(people.olivia)]) {
    await visitor.router.navigate({ href: address })
    await waitFor(() => expect(visitor.at()).toBe(address))
    const said = await screen.findByRole('article', { name: 'Review by Marc' })
    expect(said.textContent).toMatch(
      /^Marc, just nowSlow to answerolivia\d+ answersI was ill that weekReport$/,
    )
    expect(said.querySelector('[role=img]')?.getAttribute('aria-label')).toBe('2 of 5')
    expect(said.querySelectorAll('button')).toHaveLength(0)
    expect(document.body.textContent).not.toContain('von und zu')
  }
})

it('a reported review is hidden by staff with a reason, or left', async () => {
  const mona = await newPerson(server, 'mona')
  await db.query(`insert into public.user_roles (user_id, role) values ($1, 'moderator')`, [mona.id])
  const review = await reviewing()
  await review(people.marc, 2, 'Slow to answer')
  await review(people.olivia, 5, 'Pays on time')
  for (const person of [people.olivia, people.marc])
    await people.zoe.client
      .rpc('report', {
        p_kind: 'review',
        p_subject: await firstReviewOf(person),
        p_claim: 'abuse',
        p_body: 'Rude',
        p_name: null,
        p_email: null,
        p_language: null,
        p_good_faith: null,
      })
      .throwOnError()
  const { user } = await openApp(server, `/admin/cases?person=${people.zoe.id}`, { as: mona })
  const [ofMarc, ofOlivia] = [`Review by ${nameOf(people.marc)}`, `Review by ${nameOf(people.olivia)}`]
  const rude = await screen.findByRole('article', { name: ofMarc })
  expect(rude.textContent).toContain('Slow to answer')
  expect(rude.textContent).toMatch(/Reported by zoe\d+, just now/)
  rude.focus()
  await user.keyboard('h')
  const form = await dialog(`Hide the review of ${nameOf(people.marc)}?`)
  await user.click(form.getByText('Hide the review', { selector: 'button *' }))
  await waitFor(() => expect(screen.queryByRole('article', { name: ofMarc })).toBeNull())
  const other = within(await screen.findByRole('article', { name: ofOlivia }))
  await user.click(other.getByText('Close without action'))
  const closing = await dialog(`Close the report about ${nameOf(people.olivia)}?`)
  await user.type(closing.getByLabelText(/^What did you find/), 'An opinion')
  await user.click(closing.getByText('Close report'))
  await waitFor(() => expect(screen.queryByRole('article', { name: ofOlivia })).toBeNull())
})
