// The settings of an account: profile, sessions, recent changes, data export, and the end of the account.
// Proves NAV 15, NOTIF 09, PROFILE 01-06, API 13, EVT 06, ERR 46, PAYOUT 04, SAFE 06 07
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { newClient, PASSWORD, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { announce } from '#lib/events.ts'
import { buildChanged } from '../../../scripts/build.mjs'
import { addBankAccount } from '../../../supabase/tests/bank-accounts.ts'
import { moveCoins } from '../../../supabase/tests/coins.ts'
import { openApp, toasted } from '../app.tsx'
import { beAway, refuse } from '../network.ts'
import { control, dialog, heading, region, takeFiles } from '../parts.ts'
import { newPerson } from '../people.ts'
import { holdPhone } from '../phone.ts'
import { claimPayment, join, newPeople, saveLogin, sharePlan } from '../sharing.ts'

const server = await testServer()
const { db } = server
await buildChanged(['supabase'])
const SECURITY = '/account-settings/security'
const signInWith = async (email: string, password: string) =>
  (await newClient(server).auth.signInWithPassword({ email, password })).error?.code

it('the profile is shown and edited as one, and every place follows; what is changed elsewhere shows too', async () => {
  const zoe = await newPerson(server, 'zoe')
  const stored = async () => (await db.query('select * from user_profiles where user_id = $1', [zoe.id]))[0]
  const unloaded = refuse('GET /rest/v1/user_profiles?select=*', '42501', 'refused', 403)
  const { user, client } = await openApp(server, '/settings', { as: zoe })
  await waitFor(() => {
    const here = [...document.querySelectorAll('nav[aria-label="Account Settings"] [aria-current=page]')]
    expect(here.map(({ textContent }) => textContent)).toEqual(['Profile'])
  })
  await screen.findByText('Profile', { selector: 'h1' })
  const profile = await region('About you')
  await profile.findByText('Could not load profile information')
  expect(profile.getByText('Failed to load profile data. Please try again later.')).toBeTruthy()
  unloaded.heal()
  await user.click(profile.getByText('Try Again'))
  const edit = async () => user.click(await profile.findByText('Edit profile'))
  const save = () => user.click(profile.getByText('Save profile'))
  await edit()
  const files = [...document.querySelectorAll('[role=radio] img, label:has([type=radio]) img')].map(
    (picture) => picture.getAttribute('src'),
  )
  expect(files).toEqual(Array.from({ length: 8 }, (_, index) => `/avatars/avatar-${index + 1}.png`))
  for (const file of files) expect(existsSync(resolve(import.meta.dirname, `../../public${file}`))).toBe(true)
  await user.click(profile.getByRole('radio', { name: 'Tomato' }))
  const field = (label: string) => profile.getByLabelText(label, { selector: 'input' })
  await user.clear(field('Display name'))
  await user.type(field('Display name'), 'Zoe the Third')
  await user.type(field('Full name'), 'Zoe Whole')
  await user.type(field('Phone number'), ' 030/12 ext. 7 ')
  // The first save has to create the rows.
  for (const table of ['user_wallets', 'user_profiles'])
    await db.query(`delete from ${table} where user_id = $1`, [zoe.id])
  const refused = refuse('PATCH /rest/v1/user_profiles', '42501', 'refused', 403)
  await save()
  await screen.findByText('Failed to update profile')
  refused.heal()
  await waitFor(() => expect(document.querySelector('[data-loading]')).toBeNull())
  const heard = vi.fn()
  window.addEventListener('userProfileUpdated', heard)
  onTestFinished(() => window.removeEventListener('userProfileUpdated', heard))
  await save()
  await screen.findByText('Profile updated successfully')
  expect(await stored()).toMatchObject({
    display_name: 'Zoe the Third',
    full_name: 'Zoe Whole',
    phone_number: '030/12 ext. 7',
    avatar_url: '/avatars/avatar-3.png',
  })
  expect(heard).toHaveBeenCalledOnce()
  await profile.findByText('Zoe the Third')
  expect(profile.getByText('030/12 ext. 7')).toBeTruthy()
  const menu = screen.getByText('Your menu').closest('button') as HTMLElement
  await waitFor(() => expect(menu.querySelector('img')?.getAttribute('src')).toBe('/avatars/avatar-3.png'))
  await user.click(menu)
  expect(within(await screen.findByRole('menu')).getByText('Zoe the Third')).toBeTruthy()
  await user.keyboard('{Escape}')
  await edit()
  await user.clear(field('Phone number'))
  await save()
  await profile.findByText('Not added')
  expect(await stored()).toMatchObject({ phone_number: null, full_name: 'Zoe Whole' })
  await db.query(`update user_profiles set display_name = 'Elsewhere' where user_id = $1`, [zoe.id])
  announce('userProfileUpdated', { userId: zoe.id })
  await profile.findByText('Elsewhere')

  // A person who signs in through a provider keeps the provider's picture.
  await db.query(
    `update auth.users set raw_app_meta_data = '{"provider":"google","providers":["google"]}' where id = $1`,
    [zoe.id],
  )
  await client.auth.refreshSession()
  await edit()
  await profile.findByText('Your picture comes from your sign-in service.')
  expect(profile.queryByRole('radio')).toBeNull()
})

it('on a phone the sections are a list on the first page, and each leads back to it', async () => {
  holdPhone()
  const { user, at } = await openApp(server, '/settings', { as: await newPerson(server, 'zoe') })
  await user.click(await control(/^Money/))
  await heading('Money')
  expect(screen.queryByLabelText('Account Settings', { selector: 'nav' })).toBeNull()
  await user.click(await control('Back'))
  await heading('Account Settings')
  expect(at()).toBe('/settings')
})

it('messages on screen are switched off for a browser, all that is held is handed over, a calendar and a program get in and out', async () => {
  const { olivia } = await newPeople(server)
  const planId = await sharePlan(olivia)
  await saveLogin(olivia, planId, 'family@olivia.example')
  const { user } = await openApp(server, '/account-settings/notifications', { as: olivia })
  const arriving = await screen.findByLabelText(/^Show pop-up messages/, { selector: 'input' })
  expect(arriving).toHaveProperty('checked', true)
  for (const flag of ['false', 'true']) {
    await user.click(arriving)
    expect(window.localStorage.getItem('notifications-enabled')).toBe(flag)
  }
  await user.click(await control('Your data, elsewhere'))
  const make = (await screen.findByText('Create link')).closest('button') as HTMLButtonElement
  await waitFor(() => expect(make.disabled).toBe(false))
  await user.click(make)
  const address = async () =>
    (await screen.findByText(/\/functions\/v1\/calendar\/[0-9a-f]{64}\.ics$/)).textContent ?? ''
  const events = async (from: string) => {
    const answer = await fetch(`http://${from}`)
    return answer.ok ? (await answer.text()).match(/^SUMMARY:.*/gm)?.length : answer.status
  }
  const old = await address()
  expect(await events(old)).toBe(1)
  const confirm = async (what: string, title: string) => {
    await user.click(screen.getByText(what))
    await user.click((await dialog(title)).getByText(what))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  await confirm('Replace link', 'Replace the calendar link?')
  await waitFor(async () => expect(await address()).not.toBe(old))
  const next = await address()
  expect([await events(old), await events(next)]).toEqual([404, 1])
  await confirm('Turn off', 'Turn off the calendar?')
  await screen.findByText('Create link')
  expect(await events(next)).toBe(404)

  await user.click(await control('Open programs'))
  await user.click(await screen.findByText('Create a token'))
  const naming = await dialog('Create a token')
  expect((naming.getByText('Create token').closest('button') as HTMLButtonElement).disabled).toBe(true)
  await user.type(naming.getByLabelText('Name'), 'Home Assistant')
  await user.click(naming.getByText('Chat'))
  await user.click(naming.getByText('Create token'))
  const token = (await screen.findByText(/^pot_[0-9a-f]{64}$/)).textContent ?? ''
  const read = async (what: string) =>
    (await fetch(`${server.url}/functions/v1/api/${what}`, { headers: { authorization: `Bearer ${token}` } }))
      .status
  expect([await read('shared_subscriptions'), await read('member_payments')]).toEqual([200, 403])
  await user.click(screen.getByText('Done'))
  await screen.findByText('Read plans, Chat')
  expect(screen.queryByText(token)).toBeNull()
  await user.click(await control('Remove Home Assistant'))
  await user.click((await dialog('Remove this token?')).getByText('Remove token'))
  await waitFor(() => expect(screen.queryByText('Read plans, Chat')).toBeNull())
  expect(await read('shared_subscriptions')).toBe(401)

  await user.click(screen.getAllByText('Your data, elsewhere')[0] as HTMLElement)
  const nextFile = takeFiles()
  await user.click(await control('Download my data'))
  expect(JSON.parse(await nextFile())).toMatchObject({
    account: { id: olivia.id, email: olivia.email },
    shared_plans: [{ id: planId, login_name: 'family@olivia.example' }],
  })
})

it('a webhook is added, tested, given another secret, turned on again and removed; what was sent is listed and sent again', async () => {
  const { user, cache } = await openApp(server, '/account-settings/programs', {
    as: await newPerson(server, 'zoe'),
  })
  await user.click(await control('Add a webhook'))
  const adding = await dialog('Add a webhook')
  await user.type(adding.getByLabelText('Name'), 'My program')
  await user.type(adding.getByLabelText('Address'), 'http://example.org/hook')
  await user.click(adding.getByText('Messages'))
  await user.click(adding.getByText('Add webhook'))
  await toasted('error', 'No webhook was added', 'The address must start with https://')
  await user.clear(adding.getByLabelText('Address'))
  await user.type(adding.getByLabelText('Address'), 'https://example.org/hook')
  await user.click(adding.getByText('Add webhook'))
  const secretText = async () => (await screen.findByText(/^whsec_[\w+/]{43}=$/)).textContent
  const secret = await secretText()
  await user.click(screen.getByText('Done'))
  await user.click(await screen.findByLabelText('Open My program'))
  await heading('My program')
  expect((await screen.findByText(/^Requests, Approvals/)).textContent).not.toContain('Messages')
  await user.click(await control('Send a test'))
  await user.click(await screen.findByText('Waiting'))
  await db.query(
    `update private.webhook_deliveries set failed_at = now(), last_status = 503, last_answer = 'Busy'`,
  )
  await cache.invalidateQueries()
  const details = await dialog('Test')
  await details.findByText('Given up')
  for (const said of ['HTTP 503', 'Busy', /"webhook": "My program"/]) details.getByText(said)
  await user.click(details.getByText('Send again'))
  await waitFor(() => expect(details.queryByText('Given up')).toBeNull())
  await user.keyboard('{Escape}')
  await user.click(screen.getByText('Replace secret'))
  await user.click((await dialog('Replace the secret?')).getByText('Replace secret'))
  expect(await secretText()).not.toBe(secret)
  await user.click(screen.getByText('Done'))
  await screen.findByText(/^The old secret still works until/)
  await db.query(`update private.webhooks set stopped_at = now(), stopped_why = 'gone'`)
  await cache.invalidateQueries()
  await screen.findByText('Stopped, because it said that it’s gone.')
  await user.click(await control('Turn on and test'))
  await control('Send a test')
  await user.click(screen.getByText('Remove'))
  await user.click((await dialog('Remove this webhook?')).getByText('Remove webhook'))
  await heading('Programs')
  await waitFor(() => expect(screen.queryByLabelText('Open My program')).toBeNull())
})

it('an account ends after its address was typed, with the plans that others are told to lose; what is left is paid or given up', async () => {
  const { olivia, marc } = await newPeople(server)
  const plan = await sharePlan(olivia)
  await join(olivia, marc, plan)
  await claimPayment(marc)
  await moveCoins(db, olivia, 'earned', 7.5)
  const { user, at, cache } = await openApp(server, '/account-settings/privacy', { as: olivia })
  const begin = async () => {
    await user.click((await region('Delete account')).getByText('Delete my account'))
    const sure = await dialog('Delete your account?')
    await sure.findByText(
      /^Netflix Premium: 1 member loses access right away\. You owe them the unused €5\.00 they paid you\.$/,
    )
    await sure.findByText('That leaves you 7.50 coins.')
    const end = sure.getByText('Delete account').closest('button') as HTMLButtonElement
    expect(end.disabled).toBe(true)
    await user.type(sure.getByLabelText(`Type ${olivia.email} to confirm`), olivia.email)
    return { sure, end }
  }
  const { sure, end } = await begin()
  expect(end.disabled).toBe(true)
  await user.click(sure.getByLabelText('I give up my 7.50 coins instead'))
  expect(end.disabled).toBe(false)
  await user.click(sure.getByLabelText('I give up my 7.50 coins instead'))
  await user.click(await sure.findByText('Add a bank account'))
  await dialog('Your bank account')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByText('Your bank account')).toBeNull())
  await addBankAccount(db, olivia, { last4: '2606' })
  await cache.invalidateQueries()
  await sure.findByText(/Paid to the account ending in 2606/)
  await user.click(end)
  await screen.findByText('Account deleted')
  await waitFor(() => expect(at()).toBe('/'))
  expect((await screen.findAllByText('Sign In')).length).toBeGreaterThan(0)
  // Olivia's account is kept, without her personal data, because a seat in her plan was taken.
  expect(
    await db.query(
      `select u.email, w.amount, w.status, w.bank_account_last4 as last4
       from auth.users as u join withdrawal_requests as w on w.user_id = u.id where u.id = $1`,
      [olivia.id],
    ),
  ).toEqual([{ email: null, amount: '7.50', status: 'pending', last4: '2606' }])
})

it('where somebody is signed in is listed, and ended for one device or all others', async () => {
  const { email } = await newPerson(server, 'zoe')
  const yesterday = new Date(Date.now() - 86_400_000).toISOString()
  const elsewhere = async (userAgent: string) => {
    const client = newClient(server)
    await client.auth.signInWithPassword({ email, password: PASSWORD })
    await db.query(
      `update auth.sessions set user_agent = $2, ip = '203.0.113.7', created_at = $3, refreshed_at = $3
       where id = ($1::jsonb ->> 'session_id')::uuid`,
      [JSON.stringify((await client.auth.getClaims()).data?.claims), userAgent, yesterday],
    )
    return async () => (await client.auth.getUser()).error === null
  }
  const phone = await elsewhere(
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  )
  const strange = await elsewhere('node')
  const { user, at, client } = await openApp(server, SECURITY, { as: { email } })
  const sessions = await region('Where you are signed in')
  const onPhone = await sessions.findByLabelText('Safari on iPhone', { selector: 'article' })
  expect(onPhone.textContent).toMatch(/Last used yesterday, from 203\.0\.113\.7/)
  const all = () => sessions.getAllByRole('article', { hidden: true })
  expect(all()).toHaveLength(4)
  const first = within(all()[0] as HTMLElement)
  expect([first.getByText('This device') !== null, first.queryByRole('button')]).toEqual([true, null])
  const end = () => user.click(sessions.getByLabelText('Sign out Safari on iPhone'))
  const away = beAway('POST /rest/v1/rpc/end_session')
  await end()
  await toasted(
    'error',
    'Device not signed out',
    'You seem to be offline. Check your connection and try again.',
  )
  away.heal()
  await end()
  await waitFor(() => expect(all()).toHaveLength(3))
  expect([await phone(), await strange()]).toEqual([false, true])
  const programs = async () =>
    Number(
      (
        await server.db.query(
          'select count(*) as n from private.calendars where user_id = (select id from auth.users where email = $1)',
          [email],
        )
      )[0]?.n,
    )
  await client.rpc('make_calendar')
  await user.click(sessions.getByText('Sign out everywhere else'))
  const sure = await dialog('Sign out everywhere else?')
  expect((sure.getByLabelText(/^Also disconnect programs/) as HTMLInputElement).checked).toBe(true)
  await user.click(sure.getByText('Sign out'))
  await toasted('success', 'Signed out everywhere else', 'Only this device is signed in.')
  expect(await programs()).toBe(0)
  await waitFor(() => expect(all()).toHaveLength(1))
  expect(sessions.queryByText('Sign out everywhere else')).toBeNull()
  expect([await strange(), at()]).toEqual([false, SECURITY])
})

/** Creates a person whose password somebody else has changed, and adds the link in the mail about the change. */
async function taken() {
  const person = await newPerson(server, 'zoe')
  const change = { password: 'Wrong-hands-1!', current_password: PASSWORD }
  expect((await person.client.auth.updateUser(change)).error).toBeNull()
  const link = await waitFor(async () => {
    const mails = (await server.outbox()).filter(({ to }) => to === person.email)
    const found = /https?:\S+(\/undo-change#change=password&token=\S+)/.exec(
      mails.map(({ text }) => text).join('\n'),
    )
    if (!found?.[1]) throw new Error('No mail yet')
    return found[1]
  })
  return { ...person, link }
}

it('a change is undone by a press of the button, not by opening the link, once, within 48 hours', async () => {
  const { email, link } = await taken()
  await openApp(server, SECURITY, { as: { email, password: 'Wrong-hands-1!' } })
  const changes = await region('Recent changes')
  await changes.findByText('Password changed')
  expect([changes.getByText('just now') !== null, changes.queryByText('Undone')]).toEqual([true, null])

  const { user, client } = await openApp(server, link)
  await screen.findByText('Wasn’t you?', { selector: 'h1' })
  await screen.findByText('Password changed')
  expect(await signInWith(email, 'Wrong-hands-1!')).toBeUndefined()
  const away = beAway('POST /rest/v1/rpc/undo_account_change')
  await user.click(screen.getByText('Undo change'))
  await screen.findByText('That didn’t work', { selector: 'h1' })
  away.heal()
  await user.click(screen.getByText('Try Again'))
  await screen.findByText('Change undone', { selector: 'h1' })
  expect(screen.getByText(/^The new password no longer works\./)).toBeTruthy()
  expect(screen.getByText(new RegExp(`email a link to ${email}`))).toBeTruthy()
  expect(await signInWith(email, 'Wrong-hands-1!')).toBe('invalid_credentials')
  await waitFor(async () => expect((await client.auth.getSession()).data.session).toBeNull())
  await user.click(screen.getByText('Choose a new password'))
  await screen.findByText('Reset your password', { selector: 'h1' })

  const other = await taken()
  await db.query(
    `update private.account_changes set happened_at = now() - interval '49 hours' where user_id = $1`,
    [other.id],
  )
  for (const [address, title] of [
    [link, 'This was already undone'],
    [other.link, 'This link has expired'],
    [link.slice(0, -4), 'This link doesn’t work'],
  ] as const) {
    const later = await openApp(server, address)
    await later.user.click(await screen.findByText('Undo change'))
    await screen.findByText(title, { selector: 'h1' })
    expect(screen.getByText('Choose a new password')).toBeTruthy()
  }
})
