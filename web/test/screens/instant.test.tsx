// Instant plans: made in the wizard, changed on the plan's page, marked, filtered, and joined without waiting for anybody.
import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { openApp, toasted } from '../app.tsx'
import { refuse } from '../network.ts'
import { payThroughSite, saveCard, sharePlan, takePayments } from '../sharing.ts'

const server = await testServer()
const signUp = (name: string) => addUser(server, `${name}@potluck.example`)
let olivia: TestUser
let zoe: TestUser
let netflix: string
let people = 0

const letIn = (from: string | null) =>
  olivia.client.from('shared_subscriptions').update({ instant_from: from }).eq('id', netflix).throwOnError()
beforeAll(async () => {
  await takePayments(server)
  olivia = await signUp('olivia')
  netflix = await sharePlan(olivia, 4)
  await payThroughSite(server, netflix)
  const omar = await signUp('omar')
  await payThroughSite(server, await sharePlan(omar, 3))
})
beforeEach(async () => {
  zoe = await signUp(`zoe${++people}`)
  await saveCard(server, zoe)
  await letIn('new')
})

const NETFLIX = '/available-subscriptions?category=all&provider=Netflix'
const askFor = async (address = NETFLIX) => {
  const app = await openApp(server, address, { as: zoe })
  await app.user.click(await screen.findByRole('button', { name: /^Request to join .* of olivia$/ }))
  return { ...app, dialog: within(await screen.findByRole('dialog', { name: 'Join this plan' })) }
}
const requests = async () =>
  (await zoe.client.from('subscription_requests').select('status').throwOnError()).data

it('is chosen in the wizard, for plans that are paid through the site, and kept in the address', async () => {
  const rosa = await signUp('rosa')
  const { user, at } = await openApp(
    server,
    '/create?category=streaming&provider=netflix&plan=netflix-premium&part=slots',
    { as: rosa },
  )
  const choice = await screen.findByRole('combobox', { name: 'Let in at once' })
  expect(choice).toHaveProperty('value', '')
  await user.selectOptions(choice, 'From Proven on')
  await waitFor(() => expect(at()).toContain('instant=proven'))
  await user.click(screen.getByRole('radio', { name: /^Directly to you/ }))
  await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Let in at once' })).toBeNull())
  await user.click(screen.getByRole('radio', { name: /^Through Potluck/ }))
  await user.click(screen.getByRole('button', { name: 'Create Subscription' }))
  await toasted(
    'success',
    'Subscription Created',
    'Netflix Premium is open from now on, at once to whom you chose.',
  )
  expect(
    (await rosa.client.from('shared_subscriptions').select('instant_from').eq('owner_id', rosa.id)).data,
  ).toEqual([{ instant_from: 'proven' }])
  await rosa.client.from('shared_subscriptions').delete().eq('owner_id', rosa.id).throwOnError()
}, 60_000)

it('is changed on the page of the plan, which is marked, and so is its card', async () => {
  await letIn(null)
  const { user } = await openApp(server, `/manage-shared/${netflix}`, { as: olivia })
  const choice = await screen.findByRole('combobox', { name: 'Let in at once' })
  expect(choice).toHaveProperty('value', '')
  await user.selectOptions(choice, 'Trusted people only')
  await toasted(
    'success',
    'Plan Is Instant',
    'Whoever has the standing and can pay is in as soon as they ask.',
  )
  await screen.findByText('Instant from Trusted on')
  await waitFor(() => expect(choice).toHaveProperty('disabled', false))
  const refused = refuse('PATCH shared_subscriptions', 'XX000')
  await user.selectOptions(choice, 'Everybody who can pay')
  await toasted('error', 'The plan stays as it was. Please try again.')
  await screen.findByText('Instant from Trusted on')
  refused.heal()
  await waitFor(() => expect(choice).toHaveProperty('disabled', false))
  await user.selectOptions(choice, 'Nobody: I answer each request')
  await toasted('success', 'Plan Is No Longer Instant', 'You answer each request yourself.')
  await waitFor(() => expect(screen.queryByText(/^Instant from/)).toBeNull())
  await letIn('proven')
  await screen.findByText('Instant from Proven on')
  await openApp(server, '/my-subscriptions?tab=shared', { as: olivia })
  within(await screen.findByRole('article', { name: 'Netflix Premium' })).getByText('Instant from Proven on')
}, 60_000)

it('is marked while browsing, where the others can be left out, with a text to search for too', async () => {
  const { user, at } = await openApp(server, NETFLIX, { as: zoe })
  const names = () =>
    screen
      .queryAllByRole('button', { name: /^Request to join/ })
      .map((button) => button.getAttribute('aria-label'))
  await waitFor(() => expect(names()).toHaveLength(2))
  expect(screen.getAllByText('Instant')).toHaveLength(1)
  await user.click(screen.getByRole('switch', { name: /^Instant only/ }))
  await waitFor(() => expect(names()).toEqual(['Request to join Netflix Premium of olivia']))
  expect(at()).toContain('instant=true')
  await openApp(server, '/available-subscriptions?q=netf&instant=true', { as: zoe })
  await waitFor(() => expect(names()).toEqual(['Request to join Netflix Premium of olivia']))
  expect(screen.getByRole('switch', { name: /^Instant only/ })).toHaveProperty('checked', true)
  await letIn(null)
  const empty = await openApp(server, `${NETFLIX}&instant=true`, { as: zoe })
  await screen.findByText('No instant plans here')
  await empty.user.click(screen.getByRole('link', { name: 'Show all plans' }))
  await waitFor(() => expect(names()).toHaveLength(2))
  expect(empty.at()).toBe(NETFLIX)
}, 60_000)

it.each([
  ['browsing', () => NETFLIX],
  ['the page of the plan', () => `/subscription/${netflix}`],
])(
  'leads from %s straight into the plan, having said so',
  async (_where, address) => {
    const { user, at, dialog } = await askFor(address())
    await dialog.findByText('You get in at once')
    await dialog.findByText(/^Charged as soon as you join\./)
    expect(dialog.queryByRole('textbox')).toBeNull()
    expect(dialog.queryByText(/48 hours to answer/)).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Join now' }))
    await toasted('success', 'You Are In', 'Your place in Netflix Premium is yours. It is being paid now.')
    await waitFor(() => expect(at()).toBe(`/manage-subscribed/${netflix}`))
    await screen.findByRole('heading', { level: 1, name: 'Your Subscribed Plan' })
    expect(await requests()).toEqual([{ status: 'approved' }])
    await olivia.client.from('subscription_members').delete().eq('user_id', zoe.id).throwOnError()
  },
  60_000,
)

it('says beforehand that the owner decides, and why, to somebody whose standing is too low', async () => {
  await letIn('proven')
  const { user, dialog } = await askFor()
  await dialog.findByText('You are New, so olivia decides.')
  await dialog.findByText(/^Charged when olivia approves\./)
  await user.type(dialog.getByLabelText('Message (optional)'), 'Hello')
  await user.click(dialog.getByRole('button', { name: 'Send request' }))
  await screen.findByRole('dialog', { name: 'Subscription Request Sent' })
  expect(await requests()).toEqual([{ status: 'pending' }])
}, 60_000)

it('asks for a card first, and lets nobody ask before it is known which it is', async () => {
  await server.db.query('delete from payment_methods where user_id = $1', [zoe.id])
  const unknown = refuse('POST rpc/check_instant', 'XX000')
  const { user, dialog } = await askFor()
  await dialog.findByText('Whether you get in at once could not be looked up')
  expect(dialog.getByRole('button', { name: 'Send request' })).toHaveProperty('disabled', true)
  unknown.heal()
  await user.click(dialog.getByRole('button', { name: 'Retry' }))
  await dialog.findByText(
    'With a saved card, or with coins that pay the first month, you get in at once. Without, olivia decides.',
  )
  dialog.getByRole('button', { name: 'Save a card first' })
  await waitFor(() =>
    expect(dialog.getByRole('button', { name: 'Send request' })).toHaveProperty('disabled', false),
  )
}, 60_000)
