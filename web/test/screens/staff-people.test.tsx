// People in the administration: the list, the page of one person, and roles.
// Proves ADMIN 04 05 24-31, DATA 21, API 21, ERR 10 11 51 52 57, VALID 25
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, it, onTestFinished } from 'vitest'
import { addPerson } from '../../../supabase/tests/people.ts'
import { openApp, toasted } from '../app.tsx'
import { failNetwork, intercept, refuse } from '../network.ts'
import { control, dialog, region, rows } from '../parts.ts'
import { addStaff, nameOf, newPerson } from '../people.ts'
import { borrowTill } from '../till.ts'

const LIST = 'POST /rpc/list_users'
const ASSIGN = 'POST /rpc/assign_user_role'
const server = await testServer()
const { db } = server
const till = await borrowTill(server)
const sofia = await addStaff(server, 'sofia', 'super-admin')
const ada = await addStaff(server, 'ada', 'admin')
const mona = await addStaff(server, 'mona', 'moderator')

let page: Awaited<ReturnType<typeof openApp>>
const open = async (address: string, as = sofia) => {
  page = await openApp(server, address, { as })
  return page
}
const named = () =>
  [...document.querySelectorAll('tbody tr')].map((one) => one.querySelector('bdi')?.textContent)
const names = (...wanted: string[]) => waitFor(() => expect(named()).toEqual(wanted))
const select = (name: string) =>
  screen.findByLabelText<HTMLInputElement>(`Role of ${name}`, { selector: 'input' })
const has = (name: string, role: string) => waitFor(async () => expect((await select(name)).value).toBe(role))
const heldBy = async ({ id }: TestUser) =>
  (await db.query('select role from user_roles where user_id = $1', [id]))[0]?.role ?? null
/** Opens the list of roles that a person can be given. */
async function offered(user: UserEvent, name: string) {
  // The next change is possible only once the previous one has been answered.
  await waitFor(() => expect(page.cache.isMutating()).toBe(0))
  await user.click(await select(name))
  return within(await screen.findByLabelText(`Role of ${name}`, { selector: '[role=listbox]' }))
}
/** Chooses a role and confirms it. */
async function setRole(user: UserEvent, name: string, label: string, confirm = 'Give role') {
  await user.click(await (await offered(user, name)).findByText(label))
  await user.click(await screen.findByText(confirm))
}

it('the list of users finds people by name and role, and gives and takes roles', async () => {
  const [zoe, lea] = [await newPerson(server, 'zoe'), await newPerson(server, 'lea')]
  const tag = nameOf(zoe)
  const shown = `Laurent ${tag}`
  await db.query(`update user_profiles set display_name = $2 where user_id = $1`, [zoe.id, shown])
  await db.query(`delete from user_profiles where user_id = $1`, [lea.id])
  const { sent: privileged } = intercept('GET /auth/v1/admin')
  const { user, at } = await open('/admin/users')
  await screen.findByText('User Management', { selector: 'h1' })
  // Newest first. A person without a name is listed by email address.
  await waitFor(() => expect(named().slice(0, 2)).toEqual([nameOf(lea), shown]))
  expect(screen.getByText(lea.email)).toBeTruthy()
  const search = screen.getByLabelText('Search by name')
  await user.type(search, `LAURENT ${tag}`)
  await names(shown)
  expect(at()).toBe(`/admin/users?q=LAURENT+${tag}`)
  expect(screen.getByText(zoe.email)).toBeTruthy()
  await has(shown, 'None')
  await user.type(search, '!')
  await screen.findByText('No users found matching your search')
  await user.click(screen.getByLabelText('Clear the search'))
  await waitFor(() => expect(at()).toBe('/admin/users'))
  await user.type(search, tag)
  await names(shown)

  const roles = await offered(user, shown)
  for (const role of ['None', 'Moderator', 'Admin', 'Super-admin']) expect(roles.getByText(role)).toBeTruthy()
  await user.click(roles.getByText('Moderator'))
  await screen.findByText(`Give ${shown} the moderator role?`)
  await user.click(screen.getByText('Cancel'))
  await waitFor(() => expect(screen.queryByText(`Give ${shown} the moderator role?`)).toBeNull())
  expect(await heldBy(zoe)).toBeNull()
  await setRole(user, shown, 'Super-admin')
  await toasted('success', 'Role Assigned', 'User has been assigned the super-admin role')
  await has(shown, 'Super-admin')
  expect(await heldBy(zoe)).toBe('super-admin')
  await setRole(user, shown, 'None', 'Take role away')
  await toasted('success', 'Role Removed', 'User role has been successfully removed')
  await has(shown, 'None')
  expect(await heldBy(zoe)).toBeNull()
  await user.click(await screen.findByLabelText('Role', { selector: 'input' }))
  const filter = await screen.findByRole('listbox', { name: 'Role' })
  await user.click(within(filter).getByText('Admin'))
  await screen.findByText('No users found matching your search')
  expect(at()).toBe(`/admin/users?q=${tag}&role=admin`)
  expect(privileged).toEqual([])
  await user.click(screen.getByText('Back to Dashboard'))
  await screen.findByText('Admin Dashboard', { selector: 'h1' })
})

it('the list of users says when it cannot be loaded, and why a role stays; who gives up their own reads only', async () => {
  const selma = await addStaff(server, 'selma', 'super-admin')
  const zoe = await newPerson(server, 'zoe')
  const name = nameOf(selma)
  const failure = failNetwork(LIST)
  const { user, router } = await open('/admin/users', selma)
  const retry = await screen.findByText('Retry')
  await toasted('error', 'Error', 'Could not load users')
  failure.heal()
  const nobody = intercept(LIST, () => Promise.resolve(Response.json([])))
  await user.click(retry)
  await screen.findByText('No users found')
  nobody.heal()
  await router.navigate({ href: `/admin/users?q=${name}` })
  const last = refuse(ASSIGN, '23514', 'The last super-admin cannot be removed')
  await setRole(user, name, 'None', 'Take role away')
  await toasted('error', 'Update Failed', 'The last super-admin cannot be removed')
  await has(name, 'Super-admin')
  last.heal()
  const away = failNetwork(ASSIGN)
  await setRole(user, name, 'Admin')
  await toasted('error', 'Update Failed', 'Failed to update user role')
  await has(name, 'Super-admin')
  away.heal()
  await user.click((await offered(user, name)).getByText('Moderator'))
  await screen.findByText(/This is your own account\. You stop being a super-admin right away\./)
  await user.click(screen.getByText('Give role'))
  await screen.findByText('Only super-admins can change roles.')
  await router.navigate({ href: `/admin/users?q=${nameOf(zoe)}` })
  await names(nameOf(zoe))
  expect(rows()[0]).toContain('No role')
  expect(screen.queryByLabelText(/^Role of/)).toBeNull()
  expect(screen.queryByText(zoe.email)).toBeNull()
})

const PERMISSIONS = [
  'users.view',
  'users.edit',
  'users.delete',
  'subscriptions.view',
  'subscriptions.approve',
  'subscriptions.delete',
  'roles.manage',
  'settings.edit',
]
/** The texts of a role's row, and its permissions. */
async function role(name: string) {
  const found = await screen.findByLabelText(name, { selector: 'tr' })
  return {
    text: found.textContent,
    permissions: [...found.querySelectorAll('li')].map(({ textContent }) => textContent),
  }
}
const boxes = () => [...document.querySelectorAll<HTMLInputElement>('[role=dialog] input[type=checkbox]')]

it('system roles say what they allow and how many have them; new ones are made, changed and given', async () => {
  onTestFinished(async () => {
    await db.query(`delete from user_roles where role in ('Editor', 'News editor')`)
    await db.query(`delete from system_roles where name in ('Editor', 'News editor')`)
    await db.query(`update system_roles set description = $1 where name = 'moderator'`, [
      before?.description ?? '',
    ])
  })
  const [before] = await db.query<{ description: string }>(
    `select description from system_roles where name = 'moderator'`,
  )
  const [counted] = await db.query(`select count(*) as n from user_roles where role = 'moderator'`)
  const failure = failNetwork('POST /rpc/list_system_roles')
  const { user, router } = await open('/admin/roles')
  await screen.findByText('Could not load roles')
  expect(screen.queryByText('New role')).toBeNull()
  failure.heal()
  await user.click(screen.getByText('Retry'))
  await screen.findByText('System Roles', { selector: 'h1' })
  expect(await role('Super-admin')).toEqual({
    text: expect.stringMatching(/Built in.*including who else is staff.*Edit$/),
    permissions: (await db.query('select description from system_permissions order by id')).map(
      ({ description }) => description,
    ),
  })
  expect(await role('Moderator')).toEqual({
    text: expect.stringMatching(`Reviews shared plans${counted?.n}3 permissionsSee who has`),
    permissions: [
      'See who has an account, and which role',
      'See every shared plan',
      'Approve and reject shared plans, and decide on reports of reviews and people',
    ],
  })

  await user.click(screen.getByText('New role'))
  const form = await dialog('New role')
  expect(boxes().map(({ value }) => value)).toEqual(PERMISSIONS)
  const name = form.getByLabelText(/^Name/)
  const create = () => user.click(form.getByText('Create role'))
  await user.type(name, '   ')
  await create()
  await toasted('error', 'Validation error', 'Role name is required')
  expect(name.getAttribute('aria-invalid')).toBe('true')
  await user.clear(name)
  await user.type(name, 'Moderator')
  await create()
  await toasted('error', 'Error', 'There is already a role with this name')
  await user.clear(name)
  await user.type(name, 'News editor ')
  await user.type(form.getByLabelText('Description'), 'Writes <b>news</b>')
  for (const permission of [/^Change the settings of the site/, /^Approve and reject shared plans/])
    await user.click(form.getByLabelText(permission))
  await create()
  await toasted('success', 'Role created')
  expect(await role('News editor')).toEqual({
    text: expect.stringMatching(/^News editorWrites <b>news<\/b>0.*Edit$/),
    permissions: [
      'Approve and reject shared plans, and decide on reports of reviews and people',
      'Change the settings of the site',
    ],
  })
  await user.click(screen.getByLabelText('Edit News editor'))
  const edit = await dialog('Edit role')
  expect(boxes().flatMap(({ checked, value }) => (checked ? value : []))).toEqual([
    'subscriptions.approve',
    'settings.edit',
  ])
  await user.clear(edit.getByLabelText(/^Name/))
  await user.type(edit.getByLabelText(/^Name/), 'Editor')
  await user.clear(edit.getByLabelText('Description'))
  await user.type(edit.getByLabelText('Description'), 'Writes')
  await user.click(edit.getByLabelText(/^Change the settings of the site/))
  await user.click(edit.getByLabelText(/^See every shared plan/))
  await user.click(edit.getByText('Save role'))
  await toasted('success', 'Role updated')
  expect(await role('Editor')).toEqual({
    text: expect.stringMatching(/^EditorWrites0/),
    permissions: [
      'See every shared plan',
      'Approve and reject shared plans, and decide on reports of reviews and people',
    ],
  })
  expect(screen.queryByText('News editor')).toBeNull()

  await user.click(screen.getByLabelText('Edit Moderator'))
  const fixed = await dialog('Edit role')
  expect(fixed.getByText('A built-in role’s name and permissions are fixed.')).toBeTruthy()
  expect(fixed.getByLabelText(/^Name/)).toHaveProperty('readOnly', true)
  expect(boxes().filter((box) => !box.disabled)).toEqual([])
  await user.clear(fixed.getByLabelText('Description'))
  await user.type(fixed.getByLabelText('Description'), 'Looks after the plans')
  await user.click(fixed.getByText('Save role'))
  await waitFor(async () => expect((await role('Moderator')).text).toContain('Looks after the plans'))

  const zoe = await newPerson(server, 'zoe')
  await router.navigate({ href: `/admin/users?q=${nameOf(zoe)}` })
  await user.click(await (await offered(user, nameOf(zoe))).findByText('Editor'))
  const sure = await dialog(`Give ${nameOf(zoe)} the Editor role?`)
  sure.getByText('Writes')
  await user.click(sure.getByText('Give role'))
  await waitFor(async () => expect(await heldBy(zoe)).toBe('Editor'))

  await open('/admin/roles', ada)
  expect(await role('Editor')).toMatchObject({
    permissions: [
      'See every shared plan',
      'Approve and reject shared plans, and decide on reports of reviews and people',
    ],
  })
  await screen.findByText('Only super-admins can change roles.')
  expect(screen.queryByText(/^(New role|Edit)$/)).toBeNull()
})

it('the page of a person has what staff knows, links each list narrowed to them, and keeps secrets from moderators', async () => {
  const olivia = await addPerson(db, 'Olivia')
  const mia = await till.payer('Mia')
  await till.enter(mia, await till.share(olivia))
  await till.work()
  const [seat] = await db.query<{ id: string }>('select id from private.seats where member_id = $1', [mia.id])
  await mia.sql`select report_problem(${seat?.id}, 'password')`
  await mia.sql`select report('person', ${olivia.id}, 'abuse', 'Rude')`
  await sofia.client
    .rpc('adjust_wallet', { p_user_id: olivia.id, p_amount: 30, p_reason: 'A gift' })
    .throwOnError()
  await db.query(`update auth.users set banned_until = '2040-01-01T12:00:00Z' where id = $1`, [olivia.id])
  await db.query(
    `insert into private.connected_accounts (user_id, reference, can_receive, asked, asked_by)
     values ($1, 'acct_1', true, '{individual.verification.document}', '2040-01-01T12:00:00Z')`,
    [olivia.id],
  )
  await db.query(`select record_account_payout('acct_1', 'po_1', 7.5, 'in_transit', '2040-01-03', null)`)
  const page = `/admin/people/${olivia.id}`
  const sections = () =>
    [...document.querySelectorAll('main section')].map((part) => part.getAttribute('aria-label'))
  const shows = (table: string, ...wanted: RegExp[]) =>
    waitFor(() => expect(rows(table)).toEqual(wanted.map((row) => expect.stringMatching(row))))

  const { user, at } = await open(`/admin/people/${mia.id}`)
  await shows('Places they pay for', /^Netflix PremiumOlivia.*€5\.50Paid$/)
  await user.click(screen.getByText('Olivia', { selector: '[aria-label="Places they pay for"] *' }))
  await screen.findByText('Olivia', { selector: 'h1' })
  expect(at()).toBe(page)
  screen.getByText(/Suspended until .*2040/)
  screen.getByText(/^Their places end on .*, unless this is lifted\.$/)
  expect(document.querySelector('main')?.textContent).toContain(olivia.email)
  await waitFor(() =>
    expect(sections()).toEqual([
      'Money',
      'Plans they share',
      'Cases',
      'Decisions',
      'Problems',
      'Standing',
      'Staff Log',
    ]),
  )
  const money = (await region('Money')).getByText('Account at Stripe').closest('section')?.textContent
  expect(money).toMatch(
    /Cannot pay out yet.*Stripe asks them for by .*2040.*individual verification document.*Last payout: €7\.50.*On its way/,
  )
  await shows('Plans they share', /^Netflix PremiumActive.*2 of 4.*Through Potluck$/)
  await shows('About them', /Rude.*Reported by Mia.*To be looked at$/)
  await shows('Problems', /The password doesn’t work.*reported by Mia.*Open$/)
  await shows('What staff did', /Account banned$/, /sofia\d+.*Wallet adjusted.*A gift$/)
  await (await region('Standing')).findByText('Next: Proven')
  for (const [part, link, list] of [
    ['Plans they share', 'Review', '/admin/subscriptions'],
    ['Cases', 'Open cases', '/admin/cases'],
    ['Problems', 'Closed problems', '/admin/problems'],
  ] as const)
    expect((await region(part)).getByRole('link', { name: link }).getAttribute('href')).toBe(
      `${list}?person=${olivia.id}`,
    )
  // There is no link to an empty list.
  expect((await region('Money')).queryByText('0', { selector: 'a' })).toBeNull()
  expect((await region('Money')).getByText('Correction').closest('a')?.getAttribute('href')).toBe(
    `/admin/transfers?person=${olivia.id}&kind=adjustment`,
  )
  await user.click((await region('Staff Log')).getByRole('link', { name: 'Full log' }))
  const narrowed = await screen.findByLabelText('Person: Olivia. Show all again')
  await waitFor(() =>
    expect(
      [...document.querySelectorAll('ul[aria-label^="Staff log"] li')].map(({ textContent }) => textContent),
    ).toEqual([
      expect.stringMatching(/^Account banned: Olivia/),
      expect.stringMatching(/^Wallet adjusted: Olivia/),
    ]),
  )
  await user.click(narrowed)
  await waitFor(() => expect(at()).toBe('/admin/log'))

  const { router: hers } = await open(page, mona)
  await screen.findByText('Olivia', { selector: 'h1' })
  await waitFor(() => expect(sections()).toEqual(['Plans they share', 'Cases', 'Decisions', 'Standing']))
  const told = document.querySelector('main')?.textContent ?? ''
  for (const secret of [olivia.email, '€30', 'A gift', 'password']) expect(told).not.toContain(secret)
  await act(() => hers.navigate({ href: '/admin/people/nobody' }))
  await screen.findByText('No one here', { selector: 'h1' })
})

it('payouts are held with a reason and an end and released, and a country that is in question is decided', async () => {
  const olivia = await addPerson(db, 'Olivia')
  await db.query(`insert into private.country_questions (user_id, declared, card) values ($1, 'CH', 'DE')`, [
    olivia.id,
  ])
  const { user } = await open(`/admin/people/${olivia.id}`)
  await user.click(await control('Hold payouts'))
  const asked = await dialog('Hold payouts')
  await user.selectOptions(asked.getByLabelText(/^What happened/), 'no-access')
  await user.type(asked.getByLabelText(/^More about it/), 'Two complaints')
  const day = new Date(Date.now() + 20 * 24 * 60 * 60_000).toISOString().slice(0, 10)
  fireEvent.change(asked.getByLabelText(/^Until/), { target: { value: day } })
  await user.click(asked.getByText('Hold payouts', { selector: 'button *' }))
  await screen.findByText(/^Payouts are held until /)
  await (await region('Decisions')).findByText(/People paid and got no access\. “Two complaints” Section 3/)
  await user.click(await control('Release payouts'))
  await screen.findByText('Payouts are not held.')
  await user.click(await control('Switzerland'))
  await waitFor(() => expect(screen.queryByText('Which country decides the VAT?')).toBeNull())
  expect(
    await db.query('select decided from private.country_questions where user_id = $1', [olivia.id]),
  ).toEqual([{ decided: 'CH' }])
})

it('a payment that was refunded at the provider is left as goodwill', async () => {
  const [olivia, mia] = [await addPerson(db, 'Olivia'), await till.payer('Mia')]
  await till.enter(mia, await till.share(olivia))
  await till.work()
  await db.query(
    `select record_refund(null, 're_by_hand', 'succeeded', null, 'pi ' || id, 5.5) from member_payments where member_id = $1`,
    [mia.id],
  )
  const { user } = await open('/admin/disputes')
  await screen.findByText('Netflix Premium, €5.50')
  screen.getByText(/^The place ends on .* without a decision\.$/)
  await user.click(await control('Goodwill'))
  await screen.findByText('No disputes')
  expect(await db.query('select is_goodwill from private.returned_payments')).toEqual([{ is_goodwill: true }])
})
