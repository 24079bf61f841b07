// News from the provider and a group's year, on screen.
//
// | who    | does                                         | sees                                                     |
// |--------|----------------------------------------------|----------------------------------------------------------|
// | owner  | announces a price, divides it, withdraws it  | the notice with both ways; it goes                        |
// | member | has the plan open while the owner does so    | the notice appears and goes without a reload              |
// | member | reports that a code, or a household is asked | what to do; the owner reads the same from their side      |
// | owner  | opens the year                               | who pays how much, and for whom, and the owner's rest     |
// | member | opens the proof                              | plan, first name, share, receipts, and that it is no bill |
import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { listening, openApp, toasted } from '../app.tsx'
import { control, dialog, region } from '../parts.ts'
import { nameOf } from '../people.ts'
import { join, letIn, newPeople, type People, sharePlan } from '../sharing.ts'

const server = await testServer()
let people: People
let planId: string
beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia, 4)
  await join(people.olivia, people.marc, planId)
  await letIn(server)
  await people.olivia.client.from('payment_wishes').insert({ kind: 'text', note: 'Cash' }).throwOnError()
})

const open = (who: keyof People, address: string) => openApp(server, address, { as: people[who] })
const act = (who: keyof People, what: string, args: object) =>
  people[who].client.rpc(what, args).throwOnError()

it('an owner announces a new price, whose notice leads to new terms and ends; members see it come and go', async () => {
  const { user } = await open('olivia', `/manage-shared/${planId}?section=money`)
  await user.click(await control('Tell everybody'))
  const form = await dialog('News from the provider')
  expect((form.getByRole('button', { name: 'Tell everybody' }) as HTMLButtonElement).disabled).toBe(true)
  await user.type(form.getByLabelText('Price'), '23.99')
  await user.type(form.getByLabelText('Message to everybody (optional)'), 'See https://evil.example')
  await user.click(form.getByRole('button', { name: 'Tell everybody' }))
  await toasted('success', 'News Posted', 'Everybody in the plan sees it on its page.')
  const notice = await region(/^New price from /)
  notice.getByText('The whole plan then costs €23.99 a month.')
  // A link in the text is no link.
  notice.getByText('See https://evil.example')
  expect(notice.queryAllByRole('link')).toEqual([])
  await user.click(notice.getByText('Propose new terms'))
  await dialog('Propose new terms')

  await open('marc', `/manage-subscribed/${planId}`)
  const shown = await region(/^New price from /)
  shown.getByText(/Your share stays the same unless you accept another one\./)
  expect(shown.queryAllByRole('button')).toEqual([])
  await listening(`notices-${people.marc.id}`)
  const { data } = await act('olivia', 'plan_notices', { p_subscription_id: planId })
  await act('olivia', 'end_plan_notice', { p_notice_id: data[0].id })
  await waitFor(() => expect(screen.queryByRole('region', { name: /^New price from / })).toBeNull())
  await act('olivia', 'make_plan_notice', {
    ...{ p_subscription_id: planId, p_kind: 'pause' },
    p_day: new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10),
  })
  await (await region(/^Pause from /)).findByText(/report that something is wrong/)
})

it('a member who is asked for a code, or told of a household, reads what to do, and so does the owner', async () => {
  const member = await open('marc', `/manage-subscribed/${planId}`)
  await member.user.click((await screen.findAllByText('Something is wrong'))[0] as HTMLElement)
  const form = await dialog('Something is wrong')
  await member.user.click(form.getByLabelText('It says I’m not in the household'))
  await form.findByText('What Netflix allows')
  await member.user.click(form.getByLabelText('I’m asked for a code'))
  const owner = nameOf(people.olivia)
  const advice = `The provider has sent the code to ${owner}, who must pass it on, for example in the chat.`
  await form.findByText(advice)
  await member.user.click(form.getByText('Report problem'))
  await (await region(/^Waiting for olivia/)).findByText(advice)
  const { pathname } = member.router.state.location
  await open('olivia', pathname)
  await (await region('Your turn to answer')).findByText(
    /^The provider has sent the code to you\. .* Never pass on/,
  )
})

it('the year says who pays how much, and a member prints a proof', async () => {
  const { id } = (await people.marc.client.from('member_payments').select('id').single().throwOnError()).data
  await act('marc', 'say_paid', { p_payment_id: id })
  await act('olivia', 'confirm_payment', { p_payment_id: id })
  await open('olivia', `/manage-shared/${planId}/payments`)
  const shares = within(
    (await region('How the price is shared')).getByText(nameOf(people.marc)).closest('dl') as HTMLElement,
  )
  expect(shares.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    '€5.00 a month',
    '€14.99 a month, the rest',
  ])

  const { user } = await open('marc', `/manage-subscribed/${planId}`)
  await user.click(await screen.findByText('Proof of a place'))
  const proof = within(await screen.findByRole('article', { name: 'Proof of a place' }))
  proof.getByText('Netflix Premium')
  proof.getByText(nameOf(people.olivia))
  proof.getByText('€5.00 a month')
  proof.getByText(/^D\d{4}-\d{6}, paid on /)
  proof.getByText(/^This is no invoice, and not from the provider\. marc\d+ pays olivia\d+ directly\.$/)
  expect(proof.queryByRole('img', { name: /netflix/i })).toBeNull()
})
