import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { openApp, toasted } from '../app.tsx'
import { refuse } from '../network.ts'
import { sharePlan } from '../sharing.ts'

const server = await testServer()
let olivia: TestUser
let people = 0

beforeEach(async () => {
  people += 1
  olivia = await addUser(server, `olivia${people}@potluck.example`)
})

const NETFLIX = '/create?category=streaming&provider=netflix&plan=netflix-premium&part=slots'
const open = async (address: string) => {
  const opened = await openApp(server, address, { as: olivia })
  /** A button that is busy takes no press. */
  const press = async (name: string | RegExp) => {
    const button = await screen.findByRole('button', { name })
    await waitFor(() => expect(button).toHaveProperty('disabled', false))
    await opened.user.click(button)
  }
  return { press, ...opened }
}
const step = (name: string) => screen.findByRole('heading', { level: 2, name })
const plansOfOlivia = async () =>
  (await olivia.client.from('shared_subscriptions').select('*').eq('owner_id', olivia.id)).data ?? []
const share = (cataloguePlanId: string) => sharePlan(olivia, 2, cataloguePlanId)

it('hides a provider that is shared, says so when that happened meanwhile, and leads to the plan', async () => {
  const { router, press } = await open('/create?category=streaming')
  await screen.findByRole('button', { name: /^Netflix/ })
  await share('netflix-standard')
  await press(/^Netflix/)
  await screen.findByText('Provider Already Shared')
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Netflix/ })).toBeNull())
  await router.navigate({ href: '/create?category=streaming&provider=netflix' })
  await step('Choose a provider')
  expect(screen.queryByRole('button', { name: /^Netflix/ })).toBeNull()

  await router.navigate({
    href: '/create?category=music&provider=spotify&plan=spotify-premium-duo&part=slots',
  })
  await screen.findByText('Create Subscription')
  const planId = await share('spotify-premium-duo')
  await press('Create Subscription')
  await screen.findByText('Duplicate Subscription')
  await waitFor(() => expect(router.state.location.pathname).toBe(`/manage-shared/${planId}`))
})

it('says that providers or plans cannot be loaded, and loads them again', async () => {
  const catalogue = refuse('GET /service_provider_data', 'XX000')
  const first = await open('/create')
  expect((await screen.findByRole('alert')).textContent).toContain('Error loading service providers')
  catalogue.heal()
  await first.press('Try Again')
  await screen.findByRole('button', { name: /^Music/ })
  const plans = refuse('GET /shared_subscriptions', 'XX000')
  const { press, router } = await open('/create')
  expect((await screen.findByRole('alert')).textContent).toContain('Error loading plans')
  plans.heal()
  await press('Try Again')
  await press(/^Music/)
  await screen.findByRole('button', { name: /^Spotify/ })
  refuse('GET /shared_subscriptions', 'XX000')
  await press(/^Spotify/)
  await toasted('error', 'Error loading plans', 'Check the connection, then try again.')
  expect(router.state.location.search).toEqual({ category: 'music' })
})

/** What the browser keeps of the session. */
function storedSession() {
  const key = Object.keys(window.localStorage).find((name) => name.endsWith('-auth-token')) ?? ''
  return { key, session: JSON.parse(window.localStorage.getItem(key) ?? '{}') as Record<string, unknown> }
}

it('says why nothing was created: stays where that helps, and signs out where it is not allowed', async () => {
  const { router, press } = await open(NETFLIX)
  await screen.findByText('Create Subscription')
  const { db } = server
  const during = async (before: string, after: string, title: string) => {
    await db.query(before)
    try {
      await press('Create Subscription')
      await screen.findByText(title)
    } finally {
      await db.query(after)
    }
  }
  const storage = vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new Error('The browser keeps its storage closed')
  })
  await press('Create Subscription')
  await screen.findByText('Authentication Error')
  storage.mockRestore()
  await during(
    `update service_provider_data set data = jsonb_path_query_array(data, '$[*] ? (@.id != "netflix")')`,
    'update service_provider_data set data = (select data from private.bundled_catalogue)',
    'This plan is not in the catalogue',
  )
  expect(screen.getByText('Validation Error')).toBeTruthy()
  await during(
    'alter function private.new_plan_id() rename to another_plan_id',
    'alter function private.another_plan_id() rename to new_plan_id',
    'Error Creating Subscription',
  )
  expect(router.state.location.search).toMatchObject({ plan: 'netflix-premium' })
  await during(
    'revoke insert on public.shared_subscriptions from authenticated',
    'grant insert on public.shared_subscriptions to authenticated',
    'Permission Error',
  )
  await waitFor(() => expect(router.state.location.pathname).toBe('/signin'))
  expect(String(router.state.location.search.redirect)).toContain('plan=netflix-premium')
  expect(storedSession().key).toBe('')
  expect(await plansOfOlivia()).toEqual([])
})

it.each([
  ['without a session', 'Authentication Required'],
  ['with a token that is no longer taken', 'Session Expired'],
])('%s says "%s" and leads to sign-in and back', async (what, title) => {
  const { router, press } = await open(NETFLIX)
  await screen.findByText('Create Subscription')
  const { key, session } = storedSession()
  const forged = `${olivia.accessToken.split('.').slice(0, 2).join('.')}.${'A'.repeat(43)}`
  if (what === 'without a session') window.localStorage.removeItem(key)
  else window.localStorage.setItem(key, JSON.stringify({ ...session, access_token: forged }))
  const pages: string[] = []
  router.subscribe('onResolved', ({ toLocation }) => pages.push(toLocation.pathname))
  await press('Create Subscription')
  await screen.findByText(title)
  await waitFor(() => expect(router.state.location.pathname).toBe('/signin'))
  await waitFor(() => expect([...new Set(pages)]).toEqual(['/signin']))
  expect(String(router.state.location.search.redirect)).toContain('plan=netflix-premium')
  expect(storedSession().key).toBe('')
  expect(await plansOfOlivia()).toEqual([])
})
