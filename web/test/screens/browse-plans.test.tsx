import { type SignedUpUser, signUpUser } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bootServer, openApp } from '../app.tsx'
import { ask, join, password, sharePlan } from '../sharing.ts'

const all = '/available-subscriptions?category=all&provider=all'

describe('browsing plans', () => {
  const server = bootServer()
  let olivia: SignedUpUser
  let netflix: string
  let zoe: SignedUpUser
  let people = 0

  beforeAll(async () => {
    olivia = await signUpUser(server(), 'olivia@potluck.example', { password })
    netflix = await sharePlan(olivia, 3)
    await sharePlan(olivia, 2, 'spotify-premium-family')
  })
  beforeEach(async () => {
    people += 1
    zoe = await signUpUser(server(), `zoe${people}@potluck.example`, { password })
  })

  const open = async (address: string, person = zoe) => ({
    user: userEvent.setup(),
    ...(await openApp(server(), address, { as: { email: person.email, password } })),
  })

  it('BROWSE-01 goes from categories to providers to plans, with counts of real plans', async () => {
    const { user, at } = await open('/available-subscriptions')
    await user.click(await screen.findByRole('button', { name: /^Streaming/ }))
    await user.click(await screen.findByRole('button', { name: /^Netflix/ }))
    const card = await cardOf('Premium')
    expect(card.textContent).toMatch(/Netflix.*€5\.50.*per month.*2 of 3 places open.*olivia/)
    expect(at()).toBe('/available-subscriptions?category=streaming&provider=Netflix')
    await user.click(screen.getByRole('button', { name: 'Providers' }))
    expect(await screen.findByRole('heading', { level: 2, name: 'Choose a provider' })).toBeTruthy()
  })

  it('finds a plan by a part of its own or its provider’s name', async () => {
    const { user, at } = await open('/available-subscriptions')
    await user.type(await screen.findByRole('searchbox', { name: 'Search by provider or plan' }), 'spot')
    expect(await cardOf('Premium Family')).toBeTruthy()
    expect(screen.queryByRole('heading', { level: 3, name: 'Premium' })).toBeNull()
    expect(at()).toBe('/available-subscriptions?q=spot')
  })

  it('BROWSE-03 says so when nothing matches', async () => {
    await open('/available-subscriptions?q=100%25_*')
    expect(await screen.findByText('No subscriptions available at the moment')).toBeTruthy()
  })

  it('BROWSE-02 BROWSE-06 REQ-01 REQ-03 ERR-33 asks for a place and says what it would cost', async () => {
    const { user, at } = await open(all)
    const card = await cardOf('Premium')
    await user.click(await within(card).findByRole('button', { name: /^Request to join/ }))
    const dialog = await screen.findByRole('dialog', { name: 'Request to join' })
    await user.type(within(dialog).getByLabelText('Message (optional)'), 'Hello Olivia')
    await user.click(within(dialog).getByRole('button', { name: 'Send request' }))

    const sent = await screen.findByRole('dialog', { name: 'Subscription Request Sent' })
    expect(sent.textContent).toMatch(/Netflix Premium.*€5\.50/)
    expect(screen.getByText('Request Sent')).toBeTruthy()
    await waitFor(() => expect(card.textContent).toContain('Request sent'))
    const { data } = await zoe.client.from('subscription_requests').select('subscription_id, message, status')
    expect(data).toEqual([{ subscription_id: netflix, message: 'Hello Olivia', status: 'pending' }])
    await user.click(within(sent).getByRole('link', { name: 'Go to My Subscriptions' }))
    await waitFor(() => expect(at()).toBe('/my-subscriptions?tab=subscribed'))
  })

  it('ERR-33 REQ-07 says that a request was sent already, and shows it', async () => {
    const { user } = await open(all)
    const card = await cardOf('Premium')
    await user.click(await within(card).findByRole('button', { name: /^Request to join/ }))
    await ask(zoe, netflix)
    await user.click(await screen.findByRole('button', { name: 'Send request' }))
    expect(await screen.findByText('Request Already Sent')).toBeTruthy()
    expect(await within(card).findByRole('button', { name: 'Request sent' })).toHaveProperty('disabled', true)
  })

  it('REQ-02 offers no place on a full plan, and one again, live, when it opens', async () => {
    const marc = await signUpUser(server(), `marc${people}@potluck.example`, { password })
    const family = await sharePlan(marc, 2, 'deezer-family')
    await join(marc, zoe, family)
    const paul = await signUpUser(server(), `paul${people}@potluck.example`, { password })
    await open(all, paul)
    const card = await cardOf('Family')
    const full = await within(card).findByRole('button', { name: 'No spots available' })
    expect(full).toHaveProperty('disabled', true)
    await marc.client
      .from('shared_subscriptions')
      .update({ owner_max_members: 3 })
      .eq('id', family)
      .throwOnError()
    expect(await within(card).findByRole('button', { name: /^Request to join/ })).toBeTruthy()
  })

  it('REQ-05 REQ-08 BROWSE-07 shows owners their own plans with the way to manage them', async () => {
    const rosa = await signUpUser(server(), `rosa${people}@potluck.example`, { password })
    const plan = await sharePlan(rosa, 3, 'tidal-family')
    await open('/available-subscriptions?category=all&provider=TIDAL', rosa)
    const card = await cardOf('Family')
    const manage = await within(card).findByRole('link', { name: 'Manage Subscription' })
    expect(manage.getAttribute('href')).toBe(`/manage-shared/${plan}`)
    await ask(zoe, plan)
    expect(await within(card).findByRole('link', { name: 'View Requests' })).toBeTruthy()
  })

  it('BROWSE-07 lists the newest first, twenty at a time', async () => {
    await server().db.query(`insert into auth.users (id, aud, role, email, email_confirmed_at)
      select gen_random_uuid(), 'authenticated', 'authenticated', 'n' || n || '@crowd.example', now()
      from generate_series(10, 34) as n`)
    await server().db.query(`insert into public.shared_subscriptions
        (owner_id, catalogue_plan_id, owner_max_members, next_payment, created_at)
      select id, 'nordvpn-plus-2-year', 2, current_date + 9, now() - row_number() over (order by email) * interval '1 day'
      from auth.users where email like '%@crowd.example'`)
    const { user } = await open('/available-subscriptions?category=security&provider=NordVPN')
    const owners = () => screen.queryAllByText(/^n\d\d$/).map(({ textContent }) => textContent)
    const expected = Array.from({ length: 25 }, (_, n) => `n${n + 10}`)
    await waitFor(() => expect(owners()).toEqual(expected.slice(0, 20)))
    await user.click(screen.getByRole('button', { name: 'Show more plans' }))
    await waitFor(() => expect(owners()).toEqual(expected))
    expect(screen.queryByRole('button', { name: 'Show more plans' })).toBeNull()
  })

  it('BROWSE-05 leads to /create', async () => {
    await open('/available-subscriptions')
    const share = await screen.findByRole('link', { name: 'Share a plan' })
    expect(share.getAttribute('href')).toBe('/create')
  })

  it('BROWSE-04 offers to try again when plans cannot be loaded, and loads them', async () => {
    await server().db.query('revoke execute on function count_available_plans() from authenticated')
    const { user } = await open('/available-subscriptions')
    const again = await screen.findByRole('button', { name: 'Try Again' })
    await server().db.query('grant execute on function count_available_plans() to authenticated')
    await user.click(again)
    expect(await screen.findByRole('button', { name: /^Streaming/ })).toBeTruthy()
  })
})

async function cardOf(plan: string): Promise<HTMLElement> {
  const title = await screen.findByRole('heading', { level: 3, name: plan })
  const card = title.closest('.mantine-Card-root')
  if (!(card instanceof HTMLElement)) throw new Error(`${plan} is not on a card`)
  return card
}
