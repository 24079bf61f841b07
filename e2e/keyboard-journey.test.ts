// A place from the first look to the last day, by people and staff who have no mouse.
import { expect, type Page } from '@playwright/test'
import { choose, enter, escapeTo, expectFocusKept, expectFocusShown, tabTo, type } from './keyboard.ts'
import { test } from './test.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first()

test('a place is asked for, given, confirmed and left with a keyboard alone', async ({ open }) => {
  const { page: nora } = await open({ as: 'nora@potluck.example' })
  const { page: freya } = await open({ as: 'freya@potluck.example' })
  const dialog = nora.getByRole('dialog')

  await test.step('finding a plan, saving a card on the way, and asking for a place', async () => {
    await nora.goto('/plans')
    await type(nora, nora.getByLabel('Search by service or plan'), 'Apple One')
    await enter(nora, link(nora, /^See the plan Apple One .* Freya$/))
    await expect(nora.getByRole('heading', { level: 1, name: /Apple One/ })).toBeVisible()
    await enter(nora, button(nora, /^Request to join/))
    await expectFocusKept(nora, dialog)
    await type(nora, dialog.getByLabel('Message (optional)'), 'I type everything.')
    await enter(nora, dialog.getByRole('button', { name: 'Save a card first' }))
    await type(nora, nora.getByLabel('Card number'), '4242 4242 4242 4242')
    await nora.keyboard.press('Enter')
    await expect(dialog.getByText('It is charged to your visa ending 4242.')).toBeVisible()
    await enter(nora, dialog.getByRole('button', { name: 'Send request' }))
    await enter(nora, dialog.getByRole('link', { name: 'Go to My Subscriptions' }))
    await nora.waitForURL(/\/my-subscriptions/)
  })

  await test.step('approving, and giving access', async () => {
    await freya.goto('/my-subscriptions')
    await enter(freya, link(freya, /^Apple One/))
    await enter(freya, button(freya, /^Approve New member/i))
    const task = freya.getByRole('region', { name: /^Give access to New member/i })
    await enter(freya, task.getByRole('button', { name: 'Invitation sent' }))
    await type(freya, task.getByLabel('Where did the invitation go?'), 'nora@potluck.example')
    await freya.keyboard.press('Enter')
    await expect(task).toBeHidden()
    await expectFocusShown(freya)
  })

  await test.step('confirming', async () => {
    await nora.goto('/my-subscriptions?tab=subscribed')
    await enter(nora, link(nora, /^Apple One/))
    const question = nora.getByRole('region', { name: 'You have access: does it work?' })
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
    await enter(nora, dialog.getByRole('button', { name: 'Leave plan' }))
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
    await ines.goto('/plans?search=Duolingo')
    await enter(ines, link(ines, /^See the plan Duolingo .* Freya$/))
    await enter(ines, button(ines, /^Request to join/))
    await enter(ines, dialog.getByRole('button', { name: 'Send request' }))
    await enter(ines, dialog.getByRole('link', { name: 'Go to My Subscriptions' }))
    await freya.goto('/my-subscriptions')
    await enter(freya, link(freya, /^Duolingo/))
    await enter(freya, button(freya, /^Approve New member/i))
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
