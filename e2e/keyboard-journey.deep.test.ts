// The whole life of a place, by people and staff who use only the keyboard.
import { expect, type Locator, type Page } from '@playwright/test'
import { choose, enter, escapeTo, expectFocusKept, expectFocusShown, tabTo, type } from './keyboard.ts'
import { call, type Session, sessionOf } from './people.ts'
import type { Potluck } from './potluck.ts'
import { test } from './test.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()
/** Signs in with a password, which counts as the proof required for money. */
async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/signin')
  await type(page, page.getByRole('textbox', { name: 'Email', exact: true }), email)
  await type(page, page.getByLabel('Password', { exact: true }), 'Potluck-demo-1!')
  await page.keyboard.press('Enter')
  await expect(button(page, 'Your menu')).toBeVisible()
}
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first()

/** Moves through a queue with its keys until this row has the focus. */
async function moveTo(page: Page, row: Locator): Promise<void> {
  await expect(row).toBeVisible()
  const rows = await page.locator('[data-queue-row]').count()
  const hasFocus = () => row.evaluate((element) => element === document.activeElement)
  for (let stops = 0; stops < rows && !(await hasFocus()); stops += 1) {
    await page.keyboard.press('j')
    await expectFocusShown(page)
  }
  await expect(row).toBeFocused()
}

/** Opens a list of options and moves to one with the arrow keys. */
async function pick(page: Page, list: Locator, name: string): Promise<void> {
  await enter(page, list)
  const wanted = page.getByRole('option', { name, exact: true })
  await expect(wanted).toBeVisible()
  const id = await wanted.getAttribute('id')
  for (let stops = await page.getByRole('option').count(); stops > 0; stops -= 1) {
    if ((await list.getAttribute('aria-activedescendant')) === id) break
    await page.keyboard.press('ArrowDown')
  }
  await expect(list).toHaveAttribute('aria-activedescendant', `${id}`)
  await page.keyboard.press('Enter')
}

/** Has a member of one of Freya's plans report a problem, and Freya contest it, through the API. */
async function contest(potluck: Potluck, member: string, note: string): Promise<void> {
  const reporter = await sessionOf(potluck, member)
  const ask = <Answer>(as: Session, name: string, body: object) =>
    call<Answer>(potluck, `/rest/v1/rpc/${name}`, body, { as })
  const seats = await ask<{ id: string; owner_name: string }[]>(reporter, 'my_seats', {})
  const seat = seats.find(({ owner_name }) => owner_name === 'Freya')
  const problem = await ask(reporter, 'report_problem', {
    p_seat_id: seat?.id,
    p_reason: 'other',
    p_note: note,
  })
  await ask(await sessionOf(potluck, 'freya@potluck.example'), 'contest_problem', { p_problem_id: problem })
}

test('a place is asked for, given, confirmed and left with a keyboard alone', async ({ open }) => {
  const { page: nora, complaints } = await open({ as: 'nora@potluck.example' })
  const { page: freya } = await open({ as: 'freya@potluck.example' })
  const dialog = nora.getByRole('dialog')

  await test.step('finding a plan, saving a card on the way, and asking for a place', async () => {
    await nora.goto('/plans')
    await type(nora, nora.getByLabel('Search for a plan'), 'Apple One')
    await enter(nora, button(nora, /^Request to join Apple One .* Freya$/))
    await expectFocusKept(nora, dialog)
    await type(nora, dialog.getByLabel('Message (optional)'), 'I type everything.')
    await enter(nora, dialog.getByRole('button', { name: 'Save a card' }))
    await type(nora, nora.getByLabel('Card number or IBAN'), '4242 4242 4242 4242')
    await nora.keyboard.press('Enter')
    await expect(dialog.getByText('We charge your visa ending 4242.')).toBeVisible()
    await tabTo(nora, dialog.getByLabel(/^Please begin at once/))
    await nora.keyboard.press('Space')
    await enter(nora, dialog.getByRole('button', { name: /^Ask to join; pay/ }))
    await enter(nora, dialog.getByRole('button', { name: 'I’m at least 18 years old' }))
    // The browser itself logs the refusal of a request before Nora has confirmed her age.
    expect(complaints.splice(0)).toEqual([expect.stringContaining('400')])
    await enter(nora, dialog.getByRole('link', { name: 'Go to My Subscriptions' }))
    await nora.waitForURL(/\/my-subscriptions/)
  })

  await test.step('approving, and giving access', async () => {
    await freya.goto('/my-subscriptions')
    await enter(freya, link(freya, /^Apple One/))
    await enter(freya, button(freya, /^Approve nora/i))
    const task = freya.getByRole('region', { name: /^Give access to nora/i })
    await enter(freya, task.getByRole('button', { name: /^I’ve invited / }))
    await type(freya, task.getByLabel('Which email did you invite?'), 'nora@potluck.example')
    await freya.keyboard.press('Enter')
    await expect(task).toBeHidden()
    await expectFocusShown(freya)
  })

  await test.step('confirming', async () => {
    await nora.goto('/my-subscriptions?tab=subscribed')
    await enter(nora, link(nora, /^Apple One/))
    const question = nora.getByRole('region', { name: 'Does your access work?' })
    await enter(nora, question.getByRole('button', { name: 'It works' }))
    await expect(question).toBeHidden()
    await expectFocusShown(nora)
  })

  await test.step('talking, and leaving', async () => {
    const chat = button(nora, /^Chat with/)
    await enter(nora, chat)
    await type(nora, dialog.getByLabel(/^Message /), 'Thank you all the same.')
    await nora.keyboard.press('Enter')
    await expect(dialog.getByText('Thank you all the same.')).toBeVisible()
    await escapeTo(nora, dialog, chat)
    await enter(nora, button(nora, 'Leave'))
    await choose(nora, dialog, 'Now')
    await enter(nora, dialog.getByRole('button', { name: 'Confirm withdrawal' }))
    await nora.waitForURL(/\/my-subscriptions/)
    await expect(dialog).toBeHidden()
    await expectFocusShown(nora)
  })
})

test('a month is paid, and a plan decided on by staff, with a keyboard alone', async ({ open }) => {
  const { page: ines } = await open({ as: 'ines@potluck.example' })
  const { page: freya } = await open({ as: 'freya@potluck.example' })
  const { page: sofia } = await open({ as: 'sofia@potluck.example' })
  const dialog = ines.getByRole('dialog')

  await test.step('saying what has been paid, once there is a place', async () => {
    await ines.goto('/plans?q=Duolingo')
    await enter(ines, button(ines, /^Request to join Duolingo .* Freya$/))
    await enter(ines, dialog.getByRole('button', { name: /^Ask to join; pay/ }))
    await enter(ines, dialog.getByRole('link', { name: 'Go to My Subscriptions' }))
    await freya.goto('/my-subscriptions')
    await enter(freya, link(freya, /^Duolingo/))
    await enter(freya, button(freya, /^Approve ines/i))
    await enter(freya, freya.getByRole('dialog').getByRole('button', { name: 'Later' }))
    await enter(ines, link(ines, /^Duolingo/))
    const paid = ines.getByRole('region', { name: /^Pay Freya/ }).getByRole('button', { name: 'I’ve paid' })
    await tabTo(ines, paid)
    await ines.keyboard.press('Space')
    await expect(paid).toBeHidden()
    await expectFocusShown(ines)
  })

  await test.step('answering what waits for staff', async () => {
    await sofia.goto('/admin/subscriptions?status=rejected')
    const restore = sofia.getByRole('main').getByRole('button', { name: 'Set to active' })
    await enter(sofia, restore)
    const asked = sofia.getByRole('dialog')
    await expectFocusKept(sofia, asked)
    await escapeTo(sofia, asked, restore)
    await sofia.keyboard.press('Space')
    await enter(sofia, asked.getByRole('button', { name: 'Set to active' }))
    await expect(asked).toBeHidden()
    await expect(restore).toBeHidden()
    await expectFocusShown(sofia)
  })
})

test('a problem is reported and answered with a keyboard alone', async ({ open }) => {
  const { page: marc } = await open({ as: 'marc@potluck.example' })
  const { page: dana } = await open({ as: 'demo@potluck.example' })

  await test.step('reporting', async () => {
    await marc.goto('/my-subscriptions?tab=subscribed')
    await enter(marc, link(marc, /^Netflix/))
    const report = link(marc, 'Something is wrong')
    const dialog = marc.getByRole('dialog', { name: 'Something is wrong' })
    await enter(marc, report)
    await expectFocusKept(marc, dialog)
    await escapeTo(marc, dialog, report)
    await marc.keyboard.press('Enter')
    await choose(marc, dialog, 'I can’t sign in')
    await type(marc, dialog.getByLabel(/^Message to Dana/), 'It says that the password is wrong.')
    await enter(marc, dialog.getByRole('button', { name: 'Report problem' }))
    await expect(marc.getByRole('heading', { name: 'Waiting for Dana' })).toBeVisible()
    await expectFocusShown(marc)
  })

  await test.step('saying that it works', async () => {
    await dana.goto('/')
    await enter(dana, link(dana, /^Answer: Marc reports a problem/))
    await type(dana, dana.getByLabel('To Marc (optional)'), 'It lets me in.')
    await enter(dana, dana.getByRole('button', { name: 'It works' }))
    await expect(dana.getByRole('heading', { name: 'Our team decides' })).toBeVisible()
    await expectFocusShown(dana)
  })
})

test('problems are decided by staff with a keyboard alone', async ({ open, potluck }) => {
  // Sofia may decide, since she has never had a place in these plans.
  await contest(potluck, 'marc@potluck.example', 'My invitation has expired.')
  await contest(potluck, 'olivia@potluck.example', 'Someone else has my place.')
  const { page: sofia } = await open({ as: 'sofia@potluck.example' })
  const dialog = sofia.getByRole('dialog')
  const marcs = sofia.getByRole('article').filter({ hasText: 'My invitation has expired.' })
  const olivias = sofia.getByRole('article').filter({ hasText: 'Someone else has my place.' })

  await test.step('finding out which keys there are', async () => {
    await sofia.goto('/admin/problems')
    await moveTo(sofia, olivias)
    await sofia.keyboard.press('k')
    await expect(marcs).toBeFocused()
    await sofia.keyboard.press('?')
    await expect(dialog.getByRole('row', { name: 'w Decide for the owner' })).toBeVisible()
    await expectFocusKept(sofia, dialog)
    await escapeTo(sofia, dialog, marcs)
  })

  await test.step('deciding in the queue', async () => {
    await sofia.keyboard.press('m')
    await expect(dialog.getByRole('heading', { name: 'Decide for Marc' })).toBeVisible()
    await expectFocusKept(sofia, dialog)
    await escapeTo(sofia, dialog, marcs)
    await sofia.keyboard.press('w')
    await expect(dialog.getByRole('heading', { name: 'Decide for Freya' })).toBeVisible()
    await type(sofia, dialog.getByLabel('Reason'), 'The invitation was accepted.')
    await enter(sofia, dialog.getByRole('button', { name: 'Decide for the owner' }))
    await expect(dialog).toBeHidden()
    await expect(marcs).toBeHidden()
    await expectFocusShown(sofia)
  })

  await test.step('going on with the next one, and deciding on its page', async () => {
    await moveTo(sofia, olivias)
    await sofia.keyboard.press('Enter')
    await sofia.waitForURL(/\/problems\//)
    await expect(olivias).toBeHidden()
    const decide = sofia.getByRole('main').getByRole('button', { name: 'Decide for the member' })
    await enter(sofia, decide)
    await expectFocusKept(sofia, dialog)
    await escapeTo(sofia, dialog, decide)
    await sofia.keyboard.press('Enter')
    await type(sofia, dialog.getByLabel('Reason'), 'Six people are in the family already.')
    await enter(sofia, dialog.getByRole('button', { name: 'Decide for the member' }))
    await expect(dialog).toBeHidden()
    await expect(decide).toBeHidden()
    await expectFocusShown(sofia)
  })
})

test('coins are withdrawn, and paid or refused by staff, with a keyboard alone', async ({ open }) => {
  const [{ page: dana }, { page: sofia }, { page: zoe }] = [await open(), await open(), await open()]
  await signIn(dana, 'demo@potluck.example')
  await signIn(sofia, 'sofia@potluck.example')

  await test.step('saying where to, and asking', async () => {
    const dialog = dana.getByRole('dialog')
    await dana.goto('/my-savings')
    const add = button(dana, 'Add a bank account')
    await enter(dana, add)
    await expectFocusKept(dana, dialog)
    await escapeTo(dana, dialog, add)
    await dana.keyboard.press('Enter')
    await type(dana, dialog.getByLabel('IBAN'), 'DE89 3704 0044 0532 0130 00')
    await type(dana, dialog.getByLabel('Account holder'), 'Dana Demo')
    await dana.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expectFocusShown(dana)
    const withdraw = button(dana, 'Withdraw coins')
    await enter(dana, withdraw)
    await expectFocusKept(dana, dialog)
    await escapeTo(dana, dialog, withdraw)
    await dana.keyboard.press('Enter')
    await type(dana, dialog.getByLabel('Amount in coins'), '20')
    await enter(dana, dialog.getByRole('button', { name: 'Request withdrawal' }))
    await expect(dialog).toBeHidden()
    await expectFocusShown(dana)
  })

  await test.step('refusing one, and starting to pay another', async () => {
    const dialog = sofia.getByRole('dialog')
    await sofia.goto('/admin/withdrawals')
    const refuse = button(sofia, 'Reject withdrawal of Dana')
    await enter(sofia, refuse)
    await expectFocusKept(sofia, dialog)
    await escapeTo(sofia, dialog, refuse)
    await sofia.keyboard.press('Enter')
    await type(sofia, dialog.getByLabel('Rejection reason'), 'The name is not that of the account.')
    await enter(sofia, dialog.getByRole('button', { name: 'Reject Withdrawal' }))
    await expect(dialog).toBeHidden()
    await expectFocusShown(sofia)
    const pay = sofia.getByRole('button', { name: 'Approve withdrawal of Dana' })
    await expect(pay).toHaveCount(1)
    await enter(sofia, pay)
    await expectFocusKept(sofia, dialog)
    await enter(sofia, dialog.getByRole('button', { name: 'Approve and Start Processing' }))
    await expect(dialog).toBeHidden()
    await expect(pay).toHaveCount(0)
    await expectFocusShown(sofia)
  })

  await test.step('making somebody an admin, since nobody pays out alone', async () => {
    const dialog = sofia.getByRole('dialog')
    await sofia.goto('/admin/users')
    const role = sofia.getByRole('combobox', { name: 'Role of Zoe' })
    await pick(sofia, role, 'Admin')
    await expect(dialog.getByRole('heading', { name: 'Give Zoe the admin role?' })).toBeVisible()
    await expectFocusKept(sofia, dialog)
    await enter(sofia, dialog.getByRole('button', { name: 'Give role' }))
    await expect(dialog).toBeHidden()
    await expect(role).toHaveValue('Admin')
    await expect(role).toBeFocused()
  })

  await test.step('completing what was started', async () => {
    const dialog = zoe.getByRole('dialog')
    await signIn(zoe, 'zoe@potluck.example')
    await zoe.goto('/admin/withdrawals')
    const complete = zoe.getByRole('button', { name: 'Complete withdrawal of Dana' })
    const row = zoe.getByRole('row').filter({ has: complete })
    await moveTo(zoe, row)
    await zoe.keyboard.press('a')
    await expectFocusKept(zoe, dialog)
    await escapeTo(zoe, dialog, row)
    await enter(zoe, complete)
    await expectFocusKept(zoe, dialog)
    await escapeTo(zoe, dialog, complete)
    await zoe.keyboard.press('Enter')
    await type(zoe, dialog.getByLabel('Transfer ID'), 'tr_keyboard_1')
    await enter(zoe, dialog.getByRole('button', { name: 'Mark as Completed' }))
    await expect(dialog).toBeHidden()
    await expect(complete).toHaveCount(0)
    await expect(zoe.getByText('Transfer tr_keyboard_1')).toBeVisible()
    await expectFocusShown(zoe)
  })
})
