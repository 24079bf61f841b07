// From payment to access, and what is said when it does not work: whose turn it is, on both sides, as it happens.
import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { listening, openApp, toasted } from '../app.tsx'
import {
  giveAccess,
  join,
  newPeople,
  type People,
  payByCard,
  payThroughSite,
  saveCard,
  sharePlan,
  takePayments,
} from '../sharing.ts'

const server = await testServer()
await takePayments(server)
let people: People
let planId: string

const open = (who: keyof People, address: string) => openApp(server, address, { as: people[who] })
const asMember = () => open('marc', `/manage-subscribed/${planId}`)
const asOwner = () => open('olivia', `/manage-shared/${planId}`)
const nameOf = (who: keyof People) => people[who].email.split('@')[0] ?? ''
const region = async (name: string | RegExp) => within(await screen.findByRole('region', { name }))
const mySeat = async () => (await people.marc.client.rpc('my_seats').throwOnError()).data[0]
const problem = async () =>
  (await people.marc.client.from('seat_problems').select('*').single().throwOnError()).data
const report = async (reason: 'sign-in' | 'password' = 'password') => {
  const wrong = { p_seat_id: (await mySeat())?.id ?? '', p_reason: reason, p_note: 'It says wrong password.' }
  return (await people.marc.client.rpc('report_problem', wrong).throwOnError()).data
}
const turn = (heading: string) => screen.findByRole('region', { name: heading })
const timeline = async () =>
  within(await screen.findByRole('list', { name: 'Timeline' }))
    .getAllByRole('listitem')
    .map((item) => item.textContent?.replace(item.querySelector('time')?.textContent ?? '', ''))
/** Lets so many hours go by. */
const later = async (hours: number) => {
  await server.db.query(`select private.move_clock($1::interval)`, [`${hours} hours`])
  await server.db.query(`select private.run_due_work(1000)`)
}

describe('a place that is paid through the site', () => {
  beforeEach(async () => {
    people = await newPeople(server)
    planId = await sharePlan(people.olivia)
    await payThroughSite(server, planId)
    await saveCard(server, people.marc)
    await join(people.olivia, people.marc, planId)
  })

  it('waits for access with one clock for both; the owner says where the invitation went, the member that it works', async () => {
    await asOwner()
    await screen.findByRole('article', { name: `Payments of ${nameOf('marc')}` })
    expect(screen.queryByRole('heading', { name: /^Give access/ })).toBeNull()
    await listening(`payments-${people.olivia.id}`)
    await payByCard(server, people.marc)
    const task = await region(`Give access to ${nameOf('marc')}`)
    task.getByText('48h left')
    const until = task.getByText(/has paid and waits/).textContent?.match(/Without access by (.*?) all/)?.[1]
    const row = within(await screen.findByRole('article', { name: `Payments of ${nameOf('marc')}` }))
    row.getByText('€5.00 held, €0.00 earned. You earn from the moment you give access.')

    const member = await asMember()
    const clock = await region('Access is on its way')
    clock.getByText('48h left')
    clock.getByText(
      `${nameOf('olivia')} has until ${until} to give you access; otherwise all you paid goes back by itself.`,
    )
    await listening(`payments-${people.marc.id}`)
    await giveAccess(people.olivia, people.marc, planId)
    const question = await region('You have access: does it work?')
    question.getByText(new RegExp(`${nameOf('olivia')} has sent the invitation to ${people.marc.email}`))
    await member.user.click(question.getByRole('button', { name: 'It works' }))
    await waitFor(() => expect(screen.queryByText('You have access: does it work?')).toBeNull())
    expect(await mySeat()).toMatchObject({ access_works: true, access_due_at: null })
  })

  it('is said to be given, to an address, and the task is done', async () => {
    await payByCard(server, people.marc)
    const { user } = await asOwner()
    const task = await region(`Give access to ${nameOf('marc')}`)
    await user.click(task.getByRole('button', { name: 'Invitation sent' }))
    const send = task.getByRole('button', { name: 'Invitation sent' })
    expect(send.hasAttribute('disabled')).toBe(true)
    await user.type(task.getByLabelText(/^Where did the invitation go/), 'marc@mail.example')
    await user.click(send)
    await toasted('success', 'Thank you', `${nameOf('marc')} is told, and asked whether it works.`)
    await waitFor(() => expect(screen.queryByRole('heading', { name: /^Give access/ })).toBeNull())
    expect((await mySeat())?.invited_address).toBe('marc@mail.example')
    const row = within(await screen.findByRole('article', { name: `Payments of ${nameOf('marc')}` }))
    await row.findByText(/^Paid until .*\. €5\.00 held, €0\.00 earned\. Next coins on .*\.$/)
  })

  it('says what happens by itself while there is nothing to report yet', async () => {
    const { user } = await asMember()
    const wrong = async () => {
      await user.click((await screen.findAllByRole('link', { name: 'Something is wrong' }))[0] as HTMLElement)
      return within(await screen.findByRole('dialog', { name: 'Something is wrong' }))
    }
    const unpaid = await wrong()
    unpaid.getByText(/^Access comes with your first payment\./)
    expect(unpaid.queryByRole('radio')).toBeNull()
    await user.click(unpaid.getByRole('button', { name: 'Good to know' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await payByCard(server, people.marc)
    await screen.findByText('Access is on its way')
    const waiting = await wrong()
    waiting.getByText(/If nothing has come by then, all you paid goes back by itself\./)
  })

  it('is reported from the list, fixed, not fixed, fixed again: each side reads whose turn it is', async () => {
    await payByCard(server, people.marc)
    await giveAccess(people.olivia, people.marc, planId)
    const { user, at } = await open('marc', '/my-subscriptions?tab=subscribed')
    await user.click(await screen.findByRole('link', { name: 'Something is wrong' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Something is wrong' }))
    expect(
      dialog.getAllByRole('radio').map((choice) => (choice as HTMLInputElement).labels?.[0]?.textContent),
    ).toEqual([
      'I cannot sign in',
      'The password does not work',
      'The invitation did not come or does not work',
      'All screens or places are in use',
      'I was removed from the plan',
      'Something else',
    ])
    dialog.getByText(/has 24 hours to answer: .* goes back by itself\.$/)
    await user.click(dialog.getByRole('radio', { name: 'The password does not work' }))
    await user.type(dialog.getByLabelText(/^A sentence to/), 'It says wrong password.')
    await user.click(dialog.getByRole('button', { name: 'Report it' }))
    await turn(`${nameOf('olivia')} is to answer`)
    const { id } = await problem()
    expect(at()).toBe(`/problems/${id}`)
    screen.getByText('24h left')
    await waitFor(async () =>
      expect(await timeline()).toEqual([
        `${nameOf('marc')} paid €5.50`,
        `${nameOf('olivia')} sent the invitation to ${people.marc.email}`,
        `${nameOf('marc')} reported that something is wrongIt says wrong password.`,
      ]),
    )

    const owner = await asOwner()
    const notice = await region('The password does not work')
    notice.getByText(/^Reported by .*It is your turn\. Without an answer by .* the place ends/)
    within(await screen.findByRole('article', { name: `Payments of ${nameOf('marc')}` })).getByText(
      /€5\.00 held, €0\.00 earned\. Nothing more is earned while the problem is open\.$/,
    )
    await owner.user.click(notice.getByRole('link', { name: 'Answer' }))
    const own = within(await turn('It is your turn'))
    await owner.user.type(own.getByLabelText(/^To marc/), 'I have set a new one.')
    await owner.user.click(own.getByRole('button', { name: 'Fixed' }))
    await turn(`${nameOf('marc')} looks whether it works`)

    const back = await open('marc', `/problems/${id}`)
    const mine = within(await turn('Does it work again?'))
    mine.getByText('48h left')
    await back.user.click(mine.getByRole('button', { name: 'No' }))
    await turn(`${nameOf('olivia')} is to answer`)
    await listening(`problem-${id}`)
    await people.olivia.client.rpc('say_fixed', { p_problem_id: id }).throwOnError()
    const again = within(await turn('Does it work again?'))
    await back.user.click(again.getByRole('button', { name: 'Yes, it works' }))
    within(await turn('Closed')).getByText(
      'It is fixed. The time from the report until then is not paid for.',
    )
    expect(await problem()).toMatchObject({ outcome: 'fixed', refusals: 1 })
    await waitFor(async () =>
      expect((await timeline()).slice(3)).toEqual([
        `${nameOf('olivia')}: “Fixed”I have set a new one.`,
        `${nameOf('marc')}: “No, it still does not work”`,
        `${nameOf('olivia')}: “Fixed”`,
        `${nameOf('marc')}: “Yes, it works”`,
      ]),
    )
    await back.user.click(screen.getByRole('link', { name: 'Back to the plan' }))
    const earlier = await region('Earlier problems')
    earlier.getByRole('link', { name: /^The password does not work/ })
  })

  it('is reported from the chat, and taken back after a question', async () => {
    await payByCard(server, people.marc)
    await giveAccess(people.olivia, people.marc, planId)
    const { user } = await asMember()
    await user.click(await screen.findByRole('button', { name: `Chat with ${nameOf('olivia')}` }))
    const chat = within(await screen.findByRole('dialog', { name: new RegExp(nameOf('olivia')) }))
    await user.click(await chat.findByRole('link', { name: 'Something is wrong' }))
    await screen.findByRole('dialog', { name: 'Something is wrong' })
    const id = await report('sign-in')
    // It is seen on the page at once, and the button leads there.
    await region('I cannot sign in')
    await waitFor(() =>
      expect(
        screen.getAllByRole('link', { name: 'See the problem' }).map((link) => link.getAttribute('href')),
      ).toEqual([`/problems/${id}`, `/problems/${id}`]),
    )
    const page = await open('marc', `/problems/${id}`)
    await page.user.click(
      within(await turn(`${nameOf('olivia')} is to answer`)).getByRole('button', { name: 'Take it back' }),
    )
    const dialog = within(await screen.findByRole('dialog', { name: 'Take it back?' }))
    await page.user.click(dialog.getByRole('button', { name: 'Take it back' }))
    within(await turn('Closed')).getByText(
      /has taken it back\. It counts as if it had never been reported\.$/,
    )
  })

  it('is nobody else’s to read', async () => {
    await payByCard(server, people.marc)
    await giveAccess(people.olivia, people.marc, planId)
    const id = await report()
    await open('zoe', `/problems/${id}`)
    await screen.findByRole('heading', { name: 'Problem not found' })
    await open('olivia', `/problems/${id}`)
    await turn('It is your turn')
  })
})

it('an owner who is paid directly owes for the time without access until the two have settled it', async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
  await join(people.olivia, people.marc, planId)
  const { data } = await people.marc.client.from('member_payments').select('id').single().throwOnError()
  await people.olivia.client.rpc('confirm_payment', { p_payment_id: data.id }).throwOnError()
  const id = await report()
  const [owner, member, paid] = [
    nameOf('olivia'),
    nameOf('marc'),
    'what was paid for the time since the report',
  ]
  await open('olivia', `/problems/${id}`)
  await screen.findByText(
    new RegExp(`^Without an answer by .* the place ends, and you owe ${member} ${paid}\\.$`),
  )
  await later(24)
  await screen.findByText(
    `${owner} did not answer in time, so you owe ${member} ${paid}. The place has ended.`,
  )
  await open('marc', `/problems/${id}`)
  await screen.findByText(
    `${owner} did not answer in time, so ${owner} owes you ${paid}. The place has ended.`,
  )
  const owed = (await mySeat())?.owed_back ?? 0
  expect(owed).toBeGreaterThan(4)
  await asOwner()
  const row = within(await screen.findByRole('article', { name: `Payments of ${nameOf('marc')}` }))
  row.getByText(new RegExp(`^You owe ${nameOf('marc')} €${owed.toFixed(2)} for time without access`))
  const { user } = await open('marc', '/payments')
  await screen.findByText(`${nameOf('olivia')} owes you €${owed.toFixed(2)}`)
  await user.click(screen.getByRole('button', { name: 'Settled between us' }))
  await toasted('success', 'Settled', 'The owner is told.')
  await waitFor(() => expect(screen.queryByText(/ owes you /)).toBeNull())
  expect((await mySeat())?.owed_back).toBe(0)
}, 60_000)
