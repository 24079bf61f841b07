// The provider requests that wait for a decision: counted on the bell of the administration, listed and decided there.
import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { listening, openApp, toasted } from '../app.tsx'
import { refuse } from '../network.ts'

const server = await testServer()
let ada: TestUser
let zoe: TestUser
const sql = (text: string, ...values: string[]) => server.db.query(text, values)
const open = () => openApp(server, '/admin', { as: ada })
const bell = () => screen.findByLabelText(/^Pending provider requests/, { selector: 'button' })
/** Provider requests of Zoe's, as the server would note them. */
const ask = (name: string, times = 1) =>
  sql(
    `insert into public.provider_requests (user_id, provider_name, category, website_url, description, plans_data)
     select $1, $2, 'Music', 'https://tunes.example', 'Plenty of music for all of us',
       '[{"plan_name": "Family", "price": 9.99, "billing_cycle": "monthly", "max_members": 6, "features": []}]'
     from generate_series(1, $3::int)`,
    zoe.id,
    name,
    String(times),
  )

beforeAll(async () => {
  ada = await addUser(server, 'ada@staff.example')
  zoe = await addUser(server, 'zoe@staff.example')
  await sql(`insert into public.user_roles (user_id, role) values ($1, 'admin')`, ada.id)
})

const waits = async (label: string) =>
  waitFor(async () => expect((await bell()).getAttribute('aria-label')).toBe(label))
const NONE = 'Pending provider requests'
beforeEach(() => sql('delete from public.provider_requests'))

it('are counted live, at most 99+, with a banner while there are any', async () => {
  await open()
  await waits(NONE)
  expect(screen.queryByRole('alert')).toBeNull()
  await listening('pending-provider-requests')
  await ask('Tunes')
  await toasted('info', 'New Provider Request', 'A request was submitted for Tunes.')
  await waits(`${NONE}, 1 waiting`)
  const banner = screen.getByRole('alert')
  expect(banner.textContent).toContain('1 provider request is waiting')
  // Honey is the orange of this palette.
  expect(banner.getAttribute('style')).toContain('--mantine-color-honey')
  await ask('Tunes', 99)
  await waits(`${NONE}, 100 waiting`)
  expect(screen.getAllByText('99+')).toHaveLength(1)
  expect(screen.getByRole('alert').textContent).toContain('99+ provider requests are waiting')
  await sql(`update public.provider_requests set status = 'rejected'`)
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})

it('are listed by the bell and decided there, but not by whoever asked, nor twice', async () => {
  await ask('Own')
  await sql('update public.provider_requests set user_id = $1', ada.id)
  await ask('Tunes')
  await ask('Beats')
  await ask('Late')
  const { user } = await open()
  await waits(`${NONE}, 4 waiting`)
  await user.click(await bell())
  const row = async (name: string) => within(await screen.findByRole('article', { name }))
  expect((await row('Own')).getByText('Somebody else decides about your own request.')).toBeTruthy()
  expect((await row('Own')).queryByRole('button')).toBeNull()
  await user.click((await row('Tunes')).getByText('Approve'))
  await screen.findByText('The request for Tunes has been approved.')
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Tunes' })).toBeNull())
  await user.click((await row('Beats')).getByText('Reject'))
  await screen.findByText('The request for Beats has been rejected.')
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Beats' })).toBeNull())
  const late = refuse('PATCH /provider_requests?', '23514', 'This request has already been approved')
  await user.click((await row('Late')).getByText('Approve'))
  await screen.findByText('This request has already been approved')
  expect(late.sent).toHaveLength(1)
  await waits(`${NONE}, 2 waiting`)
  expect(await sql('select provider_name, status from public.provider_requests order by 1')).toEqual([
    { provider_name: 'Beats', status: 'rejected' },
    { provider_name: 'Late', status: 'pending' },
    { provider_name: 'Own', status: 'pending' },
    { provider_name: 'Tunes', status: 'approved' },
  ])
})

it('are not mentioned when they could not be counted', async () => {
  await ask('Tunes')
  const failure = refuse('POST /rpc/get_pending_provider_requests_count', 'XX000', 'broken', 500)
  await open()
  await screen.findByText('Active Subscriptions')
  await waitFor(() => expect(failure.sent.length).toBeGreaterThan(0))
  await waits(NONE)
  expect(document.querySelector('[role=alert], .mantine-Notification-root')).toBeNull()
  expect(screen.queryByText(/waiting|could not|failed|error/i)).toBeNull()
})
