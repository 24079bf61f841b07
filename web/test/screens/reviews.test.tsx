// Reviews: written from the plan or the account settings, read by everybody, answered, reported, and hidden by staff.
import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { openApp, toasted } from '../app.tsx'
import { join, newPeople, type People, sharePlan } from '../sharing.ts'

const server = await testServer()
let people: People
let planId: string

beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
  await join(people.olivia, people.marc, planId)
  await server.db.query(
    `update public.member_payments set starts_at = starts_at - interval '15 days' where subscription_id = $1`,
    [planId],
  )
})

const open = (who: keyof People, address: string) => openApp(server, address, { as: people[who] })
const nameOf = ({ email }: TestUser) => email.split('@')[0] ?? ''
const seatOf = async () => (await people.marc.client.rpc('my_seats').throwOnError()).data[0]?.id ?? ''
const review = async (by: TestUser, rating: number, text: string) =>
  by.client.rpc('review_seat', { p_seat_id: await seatOf(), p_rating: rating, p_text: text }).throwOnError()
const both = async () => {
  await review(people.marc, 2, 'Slow to answer')
  await review(people.olivia, 5, 'Pays on time')
}
/** By keyboard: where a click lands among the stars is for a browser to say. */
const choose = async (user: { keyboard: (keys: string) => Promise<void> }, star: HTMLElement) => {
  star.focus()
  await user.keyboard(' ')
}
const reviewsOf = async (person: string) =>
  within(await screen.findByRole('region', { name: `Reviews of ${person}` }))

it('lets a member say how it was, and the owner too, and shows both then', async () => {
  const member = await open('marc', `/manage-subscribed/${planId}`)
  const card = within(await screen.findByRole('region', { name: 'How was it?' }))
  await member.user.click(card.getByRole('button', { name: `Review ${nameOf(people.olivia)}` }))
  const dialog = within(await screen.findByRole('dialog', { name: `Review ${nameOf(people.olivia)}` }))
  expect(dialog.getByRole('button', { name: 'Send review' })).toHaveProperty('disabled', true)
  await choose(member.user, dialog.getByRole('radio', { name: '4 of 5' }))
  await member.user.type(dialog.getByLabelText(/^What should others know/), 'Quick and kind')
  await member.user.click(dialog.getByRole('button', { name: 'Send review' }))
  await toasted('success', 'Thank you', `Your review of ${nameOf(people.olivia)} is kept.`)
  await waitFor(() => expect(screen.queryByRole('region', { name: 'How was it?' })).toBeNull())

  await open('zoe', `/subscription/${planId}`)
  await (await reviewsOf(nameOf(people.olivia))).findByText('Nobody has written a review yet.')

  const owner = await open('olivia', '/account-settings')
  const wanted = within(await screen.findByRole('region', { name: 'How was it?' }))
  wanted.getByText('Netflix Premium. Their review of you waits for yours.')
  await owner.user.click(wanted.getByRole('button', { name: `Review ${nameOf(people.marc)}` }))
  const mine = within(await screen.findByRole('dialog', { name: `Review ${nameOf(people.marc)}` }))
  await choose(owner.user, mine.getByRole('radio', { name: '5 of 5' }))
  await owner.user.click(mine.getByRole('button', { name: 'Send review' }))
  await toasted('success', 'Thank you', `Your review of ${nameOf(people.marc)} is kept.`)
  await screen.findByText('Quick and kind')

  await open('zoe', `/subscription/${planId}`)
  const reviews = await reviewsOf(nameOf(people.olivia))
  expect((await screen.findByRole('region', { name: 'Who shares it' })).textContent).toContain(
    '4.0 of 5 from 1 person',
  )
  const entry = within(await reviews.findByRole('article', { name: `Review by ${nameOf(people.marc)}` }))
  entry.getByRole('img', { name: '4 of 5' })
  entry.getByText('Quick and kind')
})

it('shows reviews where somebody decides about a person, takes one answer and one report', async () => {
  await both()
  const owner = await open('olivia', '/account-settings')
  await owner.user.click(await screen.findByRole('button', { name: 'Answer' }))
  const answer = within(await screen.findByRole('dialog', { name: 'Answer this review' }))
  await owner.user.type(answer.getByLabelText(/^Your answer/), 'I was ill that week')
  await owner.user.click(answer.getByRole('button', { name: 'Add answer' }))
  await toasted('success', 'Answer added', 'Everybody who reads the review reads it too.')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Answer' })).toBeNull())

  const { user } = await open('zoe', '/available-subscriptions?category=all&provider=Netflix')
  await user.click(await screen.findByRole('button', { name: `New: why? About ${nameOf(people.olivia)}` }))
  const reviews = await reviewsOf(nameOf(people.olivia))
  await reviews.findByText('I was ill that week')
  reviews.getByText('2.0 of 5, from 1 person')
  await user.click(reviews.getByRole('button', { name: `Report the review by ${nameOf(people.marc)}` }))
  const report = within(await screen.findByRole('dialog', { name: 'Report this review' }))
  await user.type(report.getByLabelText(/^What is wrong with it/), 'It is not true')
  await user.click(report.getByRole('button', { name: 'Report' }))
  await toasted('success', 'Thank you', 'Staff looks at it.')
  await waitFor(() => expect(reviews.queryByRole('button', { name: /^Report/ })).toBeNull())
})

it('shows visitors what is said, by a first name, of no plan and with nothing to press', async () => {
  await server.db.query(
    `update public.user_profiles set display_name = 'Marc von und zu' where user_id = $1`,
    [people.marc.id],
  )
  await both()
  const review = (await people.olivia.client.rpc('reviews_of', { p_person_id: people.olivia.id })).data?.[0]
  await people.olivia.client
    .rpc('answer_review', { p_review_id: review?.id ?? '', p_text: 'I was ill that week' })
    .throwOnError()
  for (const address of [`/plans/${planId}`, `/people/${people.olivia.id}`]) {
    await openApp(server, address)
    const said = await screen.findByRole('article', { name: 'Review by Marc' })
    expect(said.textContent).toMatch(/^Marc, just nowSlow to answerolivia\d+ answersI was ill that week$/)
    expect(said.querySelector('[role=img]')?.getAttribute('aria-label')).toBe('2 of 5')
    expect(within(said).queryAllByRole('button')).toEqual([])
    expect(document.body.textContent).not.toContain('von und zu')
  }
})

it('lets staff hide a reported review with a reason, or leave it', async () => {
  const mona = await addUser(server, `mona${nameOf(people.olivia)}@potluck.example`)
  await server.db.query(`insert into public.user_roles (user_id, role) values ($1, 'moderator')`, [mona.id])
  await both()
  const ids = (await people.zoe.client.rpc('reviews_of', { p_person_id: people.olivia.id }).throwOnError())
    .data
  const report = (id = '') =>
    people.zoe.client.rpc('report_review', { p_review_id: id, p_reason: 'Rude' }).throwOnError()
  await report(ids[0]?.id)
  const other = (await people.zoe.client.rpc('reviews_of', { p_person_id: people.marc.id }).throwOnError())
    .data
  await report(other[0]?.id)

  const { user } = await openApp(server, '/admin/reviews', { as: mona })
  const about = async (author: TestUser, subject: TestUser) =>
    within(await screen.findByRole('article', { name: `${nameOf(author)} about ${nameOf(subject)}` }))
  const rude = await about(people.marc, people.olivia)
  rude.getByText('Slow to answer')
  await waitFor(() => expect(document.body.textContent).toMatch(/Reported by zoe\d+ just now: Rude/))
  ;(rude.getByText('Slow to answer').closest('article') as HTMLElement).focus()
  await user.keyboard('h')
  const dialog = within(
    await screen.findByRole('dialog', { name: `Hide the review of ${nameOf(people.olivia)}?` }),
  )
  await user.type(dialog.getByLabelText(/^Reason/), 'It names a third person')
  await user.click(dialog.getByRole('button', { name: 'Hide review' }))
  await toasted('success', 'Review hidden')
  await user.click((await about(people.olivia, people.marc)).getByRole('button', { name: 'Leave it' }))
  await toasted('success', 'Review left as it is')
  for (const { email } of [people.marc, people.olivia])
    await waitFor(() =>
      expect(screen.queryByRole('article', { name: new RegExp(`^${email.split('@')[0]} about`) })).toBeNull(),
    )

  await open('zoe', `/subscription/${planId}`)
  await (await reviewsOf(nameOf(people.olivia))).findByText('Nobody has written a review yet.')
})
