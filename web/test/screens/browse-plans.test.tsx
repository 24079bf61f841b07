import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openApp } from '../app.tsx'
import { refuse } from '../network.ts'
import { ask, join, password, sharePlan } from '../sharing.ts'

const all = '/available-subscriptions?category=all&provider=all'

describe('browsing plans', async () => {
  const server = await testServer()
  let olivia: TestUser
  let netflix: string
  let zoe: TestUser
  let people = 0

  beforeAll(async () => {
    olivia = await addUser(server, 'olivia@potluck.example', { password })
    netflix = await sharePlan(olivia, 3)
    await sharePlan(olivia, 2, 'spotify-premium-family')
  })
  beforeEach(async () => {
    people += 1
    zoe = await addUser(server, `zoe${people}@potluck.example`, { password })
  })

  const open = async (address: string, person = zoe) => ({
    ...(await openApp(server, address, { as: { email: person.email, password } })),
  })

  it('goes from categories to providers to plans, with counts of real plans', async () => {
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

  it('says so when nothing matches', async () => {
    await open('/available-subscriptions?q=100%25_*')
    expect(await screen.findByText('No subscriptions available at the moment')).toBeTruthy()
  })

  it('asks for a place and says what it would cost', async () => {
    const { user, at } = await open(all)
    const card = await cardOf('Premium')
    const request = await within(card).findByRole('button', { name: /^Request to join/ })
    expect(request.textContent).toBe('Request to join')
    await user.click(request)
    const dialog = await screen.findByRole('dialog', { name: 'Request to join' })
    await user.type(within(dialog).getByLabelText('Message (optional)'), 'Hello Olivia')
    await user.click(within(dialog).getByRole('button', { name: 'Send request' }))

    const sent = await screen.findByRole('dialog', { name: 'Subscription Request Sent' })
    expect(sent.textContent).toMatch(/Netflix Premium.*Shared byolivia.*Monthly cost, fee included€5\.50/)
    expect(screen.getByText('Request Sent')).toBeTruthy()
    await waitFor(() => expect(card.textContent).toContain('Request sent'))
    const { data } = await zoe.client.from('subscription_requests').select('subscription_id, message, status')
    expect(data).toEqual([{ subscription_id: netflix, message: 'Hello Olivia', status: 'pending' }])
    await user.click(within(sent).getByRole('link', { name: 'Go to My Subscriptions' }))
    await waitFor(() => expect(at()).toBe('/my-subscriptions?tab=subscribed'))
  })

  it('says that a request was sent already, and shows it', async () => {
    const { user } = await open(all)
    const card = await cardOf('Premium')
    await user.click(await within(card).findByRole('button', { name: /^Request to join/ }))
    await ask(zoe, netflix)
    await user.click(await screen.findByRole('button', { name: 'Send request' }))
    expect(await screen.findByText('Request Already Sent')).toBeTruthy()
    expect(await within(card).findByRole('button', { name: 'Request sent' })).toHaveProperty('disabled', true)
  })

  it('offers no place on a full plan, and one again, live, when it opens', async () => {
    const marc = await addUser(server, `marc${people}@potluck.example`, { password })
    const family = await sharePlan(marc, 2, 'deezer-family')
    await join(marc, zoe, family)
    const paul = await addUser(server, `paul${people}@potluck.example`, { password })
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

  it('offers no place that is kept for somebody else, but to whom it is kept for', async () => {
    const signUp = (name: string) => addUser(server, `${name}${people}@potluck.example`, { password })
    const [vera, walt] = [await signUp('vera'), await signUp('walt')]
    const plan = await sharePlan(vera, 3, 'dropbox-family')
    const invite = (p_email: string) =>
      vera.client.rpc('invite_member', { p_subscription_id: plan, p_email }).throwOnError()
    await invite(walt.email)
    const only = '/available-subscriptions?category=all&provider=Dropbox'
    const { user } = await open(only)
    const request = await within(await cardOf('Family')).findByRole('button', { name: /^Request/ })
    expect(await screen.findByText('1 of 3 places open')).toBeTruthy()

    // The last place is kept while she is about to ask.
    await user.click(request)
    const { data: last } = await invite(`late${people}@example.com`)
    await user.click(await screen.findByRole('button', { name: 'Send request' }))
    expect(await screen.findByText('Every open place is kept for somebody who is invited.')).toBeTruthy()
    const full = await screen.findByRole('button', { name: 'No spots available' })
    expect(full).toHaveProperty('disabled', true)
    expect(screen.getByText('Full, 3 people')).toBeTruthy()
    expect((await zoe.client.from('subscription_requests').select('id')).data).toEqual([])

    await open(only)
    expect(await screen.findByRole('button', { name: 'No spots available' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Request/ })).toBeNull()
    await open(only, walt)
    expect(await screen.findByText('1 of 3 places open')).toBeTruthy()
    expect(await screen.findByRole('button', { name: /^Request/ })).toBeTruthy()

    await vera.client.rpc('withdraw_invitation', { p_invitation_id: last }).throwOnError()
    await open(only)
    expect(await screen.findByText('1 of 3 places open')).toBeTruthy()
    await ask(zoe, plan)
  })

  it('shows owners their own plans with the way to manage them', async () => {
    const rosa = await addUser(server, `rosa${people}@potluck.example`, { password })
    const plan = await sharePlan(rosa, 3, 'tidal-family')
    await open('/available-subscriptions?category=all&provider=TIDAL', rosa)
    const card = await cardOf('Family')
    const manage = await within(card).findByRole('link', { name: 'Manage Subscription' })
    expect(manage.getAttribute('href')).toBe(`/manage-shared/${plan}`)
    await ask(zoe, plan)
    expect(await within(card).findByRole('link', { name: 'View Requests' })).toBeTruthy()
    expect(within(card).queryByRole('button')).toBeNull()
  })

  it('lists all, newest first, while plans come and go, by scrolling and by keyboard', async () => {
    const ends = watchEnds()
    const { db } = server
    await db.query(`insert into auth.users (id, aud, role, email, email_confirmed_at)
      select gen_random_uuid(), 'authenticated', 'authenticated', 'n' || n || '@crowd.example', now()
      from generate_series(10, 74) as n`)
    await db.query(`insert into public.shared_subscriptions
        (owner_id, catalogue_plan_id, owner_max_members, next_payment, created_at)
      select id, 'nordvpn-plus-2-year', 2, current_date + 9, now() - row_number() over (order by email) * interval '1 day'
      from auth.users where email like '%@crowd.example'`)
    const { user } = await open('/available-subscriptions?category=security&provider=NordVPN')
    const owners = () => screen.queryAllByText(/^(n\d\d|nina.*)$/).map(({ textContent }) => textContent)
    const expected = Array.from({ length: 65 }, (_, n) => `n${n + 10}`)
    await waitFor(() => expect(owners()).toEqual(expected.slice(0, 20)))
    expect(await screen.findAllByRole('button', { name: /^Request to join NordVPN/ })).toHaveLength(20)

    // The last one listed goes, one further down goes, and a new one comes to the top.
    const cancel = (name: string) =>
      db.query(
        `delete from public.shared_subscriptions where owner_id = (select id from auth.users where email = $1)`,
        [`${name}@crowd.example`],
      )
    const nina = await addUser(server, 'nina@potluck.example', { password })
    await sharePlan(nina, 2, 'nordvpn-plus-2-year')
    await waitFor(() => expect(owners()).toEqual(['nina', ...expected.slice(0, 19)]))
    await cancel('n28')
    await cancel('n41')
    const left = expected.filter((name) => name !== 'n28' && name !== 'n41')
    await waitFor(() => expect(owners()).toEqual(['nina', ...left.slice(0, 18)]))

    const more = () => screen.getByRole('button', { name: 'Load more plans' })
    more().focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(owners()).toEqual(['nina', ...left.slice(0, 38)]))
    await sharePlan(zoe, 2, 'nordvpn-plus-2-year')
    ends.reach(more())
    await waitFor(() => expect(owners().slice(-63)).toEqual(left))
    expect(screen.queryByRole('button', { name: 'Load more plans' })).toBeNull()
  })

  it('keeps what is listed when the next plans cannot be loaded, and offers to try again', async () => {
    const { user } = await open('/available-subscriptions?category=security&provider=NordVPN')
    const more = await screen.findByRole('button', { name: 'Load more plans' })
    const listed = screen.getAllByRole('heading', { level: 3 }).length
    const broken = refuse('GET /shared_subscriptions', '57014', 'canceling statement', 500)
    await user.click(more)
    const again = await screen.findByRole('button', { name: 'Try Again' })
    expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(listed + 1)
    broken.heal()
    await user.click(again)
    await waitFor(() =>
      expect(screen.getAllByRole('heading', { level: 3 }).length).toBeGreaterThan(listed + 1),
    )
  })

  it('leads to /create from every step', async () => {
    const { user, router, at } = await open('/available-subscriptions')
    const share = () => screen.findByRole('link', { name: 'Share a plan' })
    await share()
    await router.navigate({ to: '/available-subscriptions', search: { category: 'streaming' } })
    await screen.findByRole('heading', { level: 2, name: 'Choose a provider' })
    await share()
    await router.navigate({ to: '/available-subscriptions', search: { category: 'all', provider: 'all' } })
    await cardOf('Premium')
    await user.click(await share())
    await waitFor(() => expect(at()).toBe('/create'))
  })

  it('offers to try again when plans cannot be loaded, and loads them', async () => {
    await server.db.query('revoke execute on function count_available_plans() from authenticated')
    const { user } = await open('/available-subscriptions')
    const again = await screen.findByRole('button', { name: 'Try Again' })
    await server.db.query('grant execute on function count_available_plans() to authenticated')
    await user.click(again)
    expect(await screen.findByRole('button', { name: /^Streaming/ })).toBeTruthy()
  })
})

/** Tells the lists that their end has come into sight, as a browser does when people scroll there. */
function watchEnds() {
  const watched = new Map<Element, IntersectionObserverCallback>()
  class Observer extends globalThis.IntersectionObserver {
    constructor(private readonly tell: IntersectionObserverCallback) {
      super(tell)
    }
    override observe(element: Element) {
      watched.set(element, this.tell)
    }
  }
  vi.stubGlobal('IntersectionObserver', Observer)
  return {
    reach: (element: Element) => {
      const seen = { target: element, isIntersecting: true } as IntersectionObserverEntry
      act(() => watched.get(element)?.([seen], {} as IntersectionObserver))
    },
  }
}

async function cardOf(plan: string): Promise<HTMLElement> {
  const title = await screen.findByRole('heading', { level: 3, name: plan })
  const card = title.closest('.mantine-Card-root')
  if (!(card instanceof HTMLElement)) throw new Error(`${plan} is not on a card`)
  return card
}
