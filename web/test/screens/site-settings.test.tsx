import { addUser, testServer } from '@potluck/server/test/harness.ts'
import type { SupabaseClient } from '@supabase/supabase-js'
import { screen, waitFor, within } from '@testing-library/react'
import { TOTP } from 'otpauth'
import { beforeEach, expect, it } from 'vitest'
import { openApp, toasted } from '../app.tsx'
import { hold, refuse } from '../network.ts'
import { sharePlan } from '../sharing.ts'

const server = await testServer()
const addStaff = async (name: string, role: string) => {
  const person = await addUser(server, `${name}@potluck.example`)
  await server.db.query('insert into user_roles (user_id, role) values ($1, $2)', [person.id, role])
  return person
}
const ada = await addStaff('ada', 'admin')
const sofia = await addStaff('sofia', 'super-admin')
// One stays when Sofia no longer is.
await addStaff('selma', 'super-admin')
beforeEach(async () => {
  await server.db.query(
    `update app_settings set review_new_plans = false, adjustment_ceiling = 100, require_second_factor = false,
      fee_rate = private.first_fee_rate()`,
  )
})
const open = (as = sofia) => openApp(server, '/admin?tab=settings', { as })
const stored = async () =>
  (await server.db.query('select review_new_plans, adjustment_ceiling from app_settings'))[0]
const review = () => screen.findByLabelText<HTMLInputElement>(/^Review new plans/)
const ceiling = () => screen.findByLabelText<HTMLInputElement>('Ceiling per adjustment')
const changedBySofia = () =>
  waitFor(() => expect(screen.getByText(/^Last changed/).textContent).toBe('Last changed just now by sofia.'))
/** As the security settings do. */
async function setUpApp({ auth: { mfa } }: SupabaseClient) {
  const { data } = await mfa.enroll({ factorType: 'totp', friendlyName: 'Authenticator app' })
  if (data?.type !== 'totp') throw new Error('No app was added')
  const code = new TOTP({ secret: data.totp.secret }).generate()
  expect((await mfa.challengeAndVerify({ factorId: data.id, code })).error).toBeNull()
}
const fee = () => screen.findByLabelText<HTMLInputElement>('Convenience fee')
const save = (what: string) => screen.getByRole<HTMLButtonElement>('button', { name: `Save ${what}` })

it('a super-admin changes them at once, and everybody on staff sees who did', async () => {
  const { user } = await open()
  expect((await review()).checked).toBe(false)
  expect(screen.queryByText(/Last changed/)).toBeNull()
  await user.click(await review())
  await toasted('success', 'Settings saved')
  expect((await review()).checked).toBe(true)
  await changedBySofia()
  expect(await stored()).toEqual({ review_new_plans: true, adjustment_ceiling: '100.00' })
  const olivia = await addUser(server, 'olivia@potluck.example')
  const plan = olivia.client.from('shared_subscriptions').select('status')
  expect((await plan.eq('id', await sharePlan(olivia))).data).toEqual([{ status: 'pending' }])

  expect([(await ceiling()).value, save('ceiling').disabled]).toEqual(['100.00', true])
  await user.clear(await ceiling())
  await user.type(await ceiling(), '0')
  await screen.findByText('Please enter an amount above zero')
  expect(save('ceiling').disabled).toBe(true)
  await user.clear(await ceiling())
  await user.type(await ceiling(), '250.5')
  await user.click(save('ceiling'))
  await waitFor(async () =>
    expect(await stored()).toEqual({ review_new_plans: true, adjustment_ceiling: '250.50' }),
  )

  await open(ada)
  expect((await review()).disabled).toBe(true)
  expect(screen.getByText('Review new plans: on')).toBeTruthy()
  expect([(await ceiling()).value, (await ceiling()).disabled]).toEqual(['250.50', true])
  await changedBySofia()
  expect(screen.getByText('Only super-admins change the settings.')).toBeTruthy()
  expect((await fee()).disabled).toBe(true)
  expect(screen.queryByRole('button', { name: /^Save/ })).toBeNull()
})

it('a fee holds for plans that are shared from then on, and the log of staff says who set it', async () => {
  const shared = async (name: string) => {
    const owner = await addUser(server, `${name}@potluck.example`)
    await sharePlan(owner)
    return async () =>
      (await server.db.query('select fee_rate from shared_subscriptions where owner_id = $1', [owner.id]))[0]
  }
  const before = await shared('otto')
  const { user, router } = await open()
  expect([(await fee()).value, save('fee').disabled]).toEqual(['10', true])
  for (const wrong of ['20.5', '7.3']) {
    await user.clear(await fee())
    await user.type(await fee(), wrong)
    await screen.findByText('Please enter a percentage from 0 to 20, in steps of 0.5')
    expect(save('fee').disabled).toBe(true)
  }
  await user.clear(await fee())
  await user.type(await fee(), '7.5')
  await user.click(save('fee'))
  await toasted('success', 'Settings saved')
  await waitFor(async () =>
    expect(await server.db.query('select fee_rate from app_settings')).toEqual([{ fee_rate: '0.075' }]),
  )
  await changedBySofia()
  const after = await shared('oda')
  expect([await before(), await after()]).toEqual([{ fee_rate: '0.1' }, { fee_rate: '0.075' }])
  await router.navigate({ href: '/admin/log' })
  await screen.findByText(/"fee_rate":0\.075/)
})

it('a change that was refused is taken back, and what cannot be loaded says so', async () => {
  const unloaded = refuse('GET /app_settings', 'XX000', 'broken', 500)
  const { user } = await open()
  await screen.findByText('Failed to load the settings')
  unloaded.heal()
  await user.click(screen.getByText('Retry'))
  await review()
  await server.db.query('delete from user_roles where user_id = $1', [sofia.id])
  await user.click(await review())
  await toasted('error', 'The settings were not saved', 'Only super-admins change the settings')
  expect((await review()).checked).toBe(false)
  expect(await stored()).toEqual({ review_new_plans: false, adjustment_ceiling: '100.00' })
})

const secondFactor = () => screen.findByLabelText<HTMLInputElement>(/^Require a second factor/)
const required = async () =>
  (await server.db.query('select require_second_factor from app_settings'))[0]?.require_second_factor

it('whoever requires a second factor of staff shows one first', async () => {
  const selma = await addStaff('selma.second', 'super-admin')
  const { user, client } = await open(selma)
  await user.click(await secondFactor())
  await toasted(
    'error',
    'The settings were not saved',
    'Set up a second factor or a passkey for yourself first, and sign in with it.',
  )
  await waitFor(async () => expect((await secondFactor()).checked).toBe(false))
  expect(await required()).toBe(false)
  await setUpApp(client)
  await user.click(await secondFactor())
  await toasted('success', 'Settings saved')
  await waitFor(async () => expect(await required()).toBe(true))
})

it.each(['/admin?tab=settings', '/admin/withdrawals', '/admin/requests'])(
  '%s says what is missing where a second factor is required, and opens once there is one',
  async (page) => {
    const name = `sol${page.replaceAll(/\W/g, '.')}`
    const sol = await addStaff(name, 'super-admin')
    await server.db.query('update app_settings set require_second_factor = true')
    const { user, client, router, at } = await openApp(server, page, { as: sol })
    const heading = 'Your role needs a second factor'
    expect(await screen.findByRole('heading', { name: heading })).toBeTruthy()
    expect(screen.queryByRole('navigation', { name: 'Administration' })).toBeNull()
    await user.click(screen.getByRole('link', { name: 'Open security settings' }))
    await waitFor(() => expect(at()).toBe('/account-settings/security'))
    // What a gate asks with one factor alone is refused once there are two. The list of requests has no gate.
    const role = hold('GET rest/v1/user_roles')
    void router.navigate({ href: page })
    await waitFor(() => expect(role.sent).toHaveLength(page === '/admin/requests' ? 0 : 1))
    await setUpApp(client)
    role.letGo()
    await waitFor(() => {
      expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(/^Admin|^Withdrawals/)
    })
    expect(screen.queryByText(heading)).toBeNull()
  },
)

it('whoever takes plans down finds a provider in the settings and switches it off', async () => {
  const { user } = await open(ada)
  const offers = within(await screen.findByRole('region', { name: 'Providers on offer' }))
  await user.type(await offers.findByLabelText('Search service providers'), 'netf')
  await waitFor(() => expect(offers.getAllByRole('switch')).toHaveLength(1))
  expect(offers.queryByText('Standard')).toBeNull()
  await user.click(offers.getByRole('switch', { name: 'Offer Netflix' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Switch Netflix off?' }))
  await user.type(dialog.getByLabelText(/^Why/), 'Its terms')
  await user.click(dialog.getByRole('button', { name: 'Switch off' }))
  await waitFor(() =>
    expect(offers.getByRole('switch', { name: 'Offer Netflix' })).toHaveProperty('checked', false),
  )
  expect(await server.db.query('select provider, reason from closed_providers')).toEqual([
    { provider: 'Netflix', reason: 'Its terms' },
  ])
})
